import { expect, test } from "vitest";
import { slotOf } from "./slot.ts";

test("a key has the same slot everywhere and for good: publishers and consumers of several versions must agree", () => {
  const slots = ["", "a", "cluster-1", "clusters/ü"].map((key) => [slotOf(key, 16), slotOf(key, 64)]);
  expect(slots).toEqual([
    [9, 25],
    [0, 32],
    [10, 10],
    [12, 12],
  ]);
});

test("keys spread over all slots evenly", () => {
  const counts = Array.from({ length: 64 }, () => 0);
  for (let number = 0; number < 64_000; number++)
    counts[slotOf(`cluster-${number}`, 64)] = (counts[slotOf(`cluster-${number}`, 64)] ?? 0) + 1;
  expect(Math.min(...counts)).toBeGreaterThan(800);
  expect(Math.max(...counts)).toBeLessThan(1_200);
});
