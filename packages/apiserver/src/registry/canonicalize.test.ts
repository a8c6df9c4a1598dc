import { Deployment, Pod } from "@levelset/core";
import { sampleValue, seededRandom } from "@levelset/core/testing";
import { expect, test } from "vitest";
import { canonicalize, TimeError } from "./canonicalize.ts";

test("a canonical value is unchanged", () => {
  const random = seededRandom(7);
  for (const kind of [Pod, Deployment]) {
    for (let run = 0; run < 50; run++) {
      const once = canonicalize(kind.schema, sampleValue(kind.schema, random));
      expect(canonicalize(kind.schema, once)).toEqual(once);
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
  expect(canonicalize(Deployment.schema, given)).toEqual(kept);
});

test("times are formatted in UTC, with seconds or microseconds", () => {
  const at = (name: string, format = "date-time"): object => ({
    type: "object",
    properties: { [name]: { type: "string", format } },
  });
  const time = "2026-01-01T01:00:00.123456+01:00";
  expect(canonicalize(at("startTime"), { startTime: time })).toEqual({ startTime: "2026-01-01T00:00:00Z" });
  expect(canonicalize(at("renewTime"), { renewTime: time })).toEqual({ renewTime: "2026-01-01T00:00:00.123456Z" });
  expect(() => canonicalize(at("renewTime"), { renewTime: "2026-01-01T00:00:00Z" })).toThrow(TimeError);
});
