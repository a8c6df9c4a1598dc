import { expect, test } from "vitest";
import { partitionOf } from "./partition.ts";

test("the partition of a key never changes: publishers and consumers of different versions must agree", () => {
  const partitions = ["", "a", "cluster-1", "clusters/ü"].map((key) => [partitionOf(key, 16), partitionOf(key, 64)]);
  expect(partitions).toEqual([
    [9, 25],
    [0, 32],
    [10, 10],
    [12, 12],
  ]);
});

test("keys are distributed evenly over all partitions", () => {
  const counts = Array.from({ length: 64 }, () => 0);
  for (let number = 0; number < 64_000; number++)
    counts[partitionOf(`cluster-${number}`, 64)] = (counts[partitionOf(`cluster-${number}`, 64)] ?? 0) + 1;
  expect(Math.min(...counts)).toBeGreaterThan(800);
  expect(Math.max(...counts)).toBeLessThan(1_200);
});
