import { ConfigMap, Deployment, Pod } from "@levelset/core";
import { sampleValue, seededRandom } from "@levelset/core/testing";
import { expect, test } from "vitest";
import { kindTypeName } from "../api-types/index.ts";
import { canonicalize, TimeError } from "./canonicalize.ts";

test("a canonical value is unchanged", () => {
  const random = seededRandom(7);
  for (const kind of [Pod, Deployment]) {
    for (let run = 0; run < 50; run++) {
      const once = canonicalize(kind.schema, sampleValue(kind.schema, random), kindTypeName(kind));
      expect(canonicalize(kind.schema, once, kindTypeName(kind))).toEqual(once);
    }
  }
});

test.each([
  [{ spec: { minReadySeconds: 0, paused: false, replicas: 0 } }, { spec: { replicas: 0 } }],
  [
    { spec: { template: { metadata: { labels: {} }, spec: { volumes: [], securityContext: {} } } } },
    { spec: { template: { metadata: {}, spec: { securityContext: {} } } } },
  ],
])("%j is reduced to %j", (given, kept) => {
  expect(canonicalize(Deployment.schema, given, kindTypeName(Deployment))).toEqual(kept);
});

test("an empty field is kept or omitted by its own type, whatever other types do with a field of that name", () => {
  const probe = { httpGet: { port: 80, httpHeaders: [{ name: "x", value: "" }] } };
  const given = { spec: { containers: [{ name: "a", env: [{ name: "x", value: "" }], readinessProbe: probe }] } };
  const kept = { spec: { containers: [{ name: "a", env: [{ name: "x" }], readinessProbe: probe }] } };
  expect(canonicalize(Pod.schema, given, kindTypeName(Pod))).toEqual(kept);
});

test("keys of maps are data: an empty value is kept under any key", () => {
  const given = { data: { message: "", value: "" } };
  expect(canonicalize(ConfigMap.schema, given, kindTypeName(ConfigMap))).toEqual(given);
});

test("times are formatted in UTC, with seconds or microseconds", () => {
  const at = (name: string): object => ({
    type: "object",
    properties: { [name]: { type: "string", format: "date-time" } },
  });
  const made = (type: string, name: string, text: string): unknown => canonicalize(at(name), { [name]: text }, type);
  const time = "2026-01-01T01:00:00.123456+01:00";
  expect(made("batch.v1.JobStatus", "startTime", time)).toEqual({ startTime: "2026-01-01T00:00:00Z" });
  expect(made("coordination.v1.LeaseSpec", "renewTime", time)).toEqual({ renewTime: "2026-01-01T00:00:00.123456Z" });
  expect(() => made("coordination.v1.LeaseSpec", "renewTime", "2026-01-01T00:00:00Z")).toThrow(TimeError);
});
