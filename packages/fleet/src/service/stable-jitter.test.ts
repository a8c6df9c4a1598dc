import { seededRandom, VirtualClock } from "@levelset/core/testing";
import { expect, test } from "vitest";
import { DEFAULT_TTL } from "../resource/index.ts";
import { stableJitter, stableJitterTtl } from "./stable-jitter.ts";
import { UuidSource } from "./uuid.ts";

const HOUR = 3_600_000;

test("resources created together get different delays of up to a tenth, stable per resource", () => {
  const ids = new UuidSource({ clock: new VirtualClock(), random: seededRandom(1) });
  const resources = Array.from({ length: 1_000 }, () => ({ id: ids.next() }));
  const times = resources.map((one) => stableJitter(one, HOUR));
  expect(resources.map((one) => stableJitter(one, HOUR))).toEqual(times);
  // Ten buckets of about equal size.
  const parts = Map.groupBy(times, (time) => Math.floor((time / HOUR - 1) * 100));
  expect([...parts.keys()].toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  for (const [, part] of parts) expect(part.length).toBeGreaterThan(60);
});

test("only the long TTL is stretched", () => {
  const one = { id: "00000000-0000-7000-8000-ffffffffffff" };
  expect(stableJitterTtl(one, { ...DEFAULT_TTL, readyMs: HOUR })).toEqual({
    ...DEFAULT_TTL,
    readyMs: HOUR + HOUR / 10,
  });
});
