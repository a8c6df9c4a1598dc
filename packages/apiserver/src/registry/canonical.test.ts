import { Deployment, Pod } from "@levelset/core";
import { sampleValue, seededRandom } from "@levelset/core/testing";
import { expect, test } from "vitest";
import { canonical, TimeError } from "./canonical.ts";

test("what is canonical stays as it is", () => {
  const random = seededRandom(7);
  for (const kind of [Pod, Deployment]) {
    for (let run = 0; run < 50; run++) {
      const once = canonical(kind.schema, sampleValue(kind.schema, random));
      expect(canonical(kind.schema, once)).toEqual(once);
    }
  }
});

test.each([
  [{ spec: { minReadySeconds: 0, paused: false, replicas: 0 } }, { spec: { replicas: 0 } }],
  [
    { spec: { template: { metadata: { labels: {} }, spec: { volumes: [], securityContext: {} } } } },
    { spec: { template: { metadata: {}, spec: { securityContext: {} } } } },
  ],
])("of %j only %j says anything", (given, kept) => {
  expect(canonical(Deployment.schema, given)).toEqual(kept);
});

test("times are in UTC, to the second or to the microsecond", () => {
  const at = (name: string, format = "date-time"): object => ({
    type: "object",
    properties: { [name]: { type: "string", format } },
  });
  const time = "2026-01-01T01:00:00.123456+01:00";
  expect(canonical(at("startTime"), { startTime: time })).toEqual({ startTime: "2026-01-01T00:00:00Z" });
  expect(canonical(at("renewTime"), { renewTime: time })).toEqual({ renewTime: "2026-01-01T00:00:00.123456Z" });
  expect(() => canonical(at("renewTime"), { renewTime: "2026-01-01T00:00:00Z" })).toThrow(TimeError);
});
