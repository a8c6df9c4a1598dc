import { seededRandom, VirtualClock } from "@levelset/core/testing";
import { expect, test } from "vitest";
import { spread, spreadTtl } from "./spread.ts";
import { UuidSource } from "./uuid.ts";

const HOUR = 3_600_000;

test("those that were made together are put off by parts of a tenth that differ, and each always by the same", () => {
  const ids = new UuidSource({ clock: new VirtualClock(), random: seededRandom(1) });
  const made = Array.from({ length: 1_000 }, () => ({ id: ids.next() }));
  const times = made.map((one) => spread(one, HOUR));
  expect(made.map((one) => spread(one, HOUR))).toEqual(times);
  // Ten parts of the tenth, each with about as many.
  const parts = Map.groupBy(times, (time) => Math.floor((time / HOUR - 1) * 100));
  expect([...parts.keys()].toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  for (const [, part] of parts) expect(part.length).toBeGreaterThan(60);
});

test("only the long time is stretched", () => {
  const one = { id: "00000000-0000-7000-8000-ffffffffffff" };
  expect(spreadTtl(one, { readyMs: HOUR, notReadyMs: 10_000 })).toEqual({
    readyMs: HOUR + HOUR / 10,
    notReadyMs: 10_000,
  });
});
