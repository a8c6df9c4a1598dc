import fc from "fast-check";
import { expect, test } from "vitest";
import { NO_COVERAGE } from "./coverage-delta.ts";
import { SeedQueue } from "./seed-queue.ts";
import type { SeedOutcome } from "./worker-message.ts";

function outcome(seed: number, isFailed = false): SeedOutcome {
  const violation = { rule: "hot-loop", message: "m", expected: "e" } as const;
  const failure = isFailed ? ({ kind: "process", seed, violation, output: "" } as const) : undefined;
  return { seed, runs: 1, failure, coverage: NO_COVERAGE, network: [] };
}

test("seeds are handed out in order until the range ends", () => {
  const queue = new SeedQueue({ firstSeed: 5, seeds: 3, failures: 1 });
  expect([queue.take(2), queue.take(2), queue.take(2)]).toEqual([[5, 6], [7], []]);
});

test("a failure waits for lower seeds, and higher ones are not handed out", () => {
  const queue = new SeedQueue({ firstSeed: 1, seeds: 100, failures: 1 });
  queue.take(10);
  queue.add(outcome(4, true));
  expect([queue.isDone, queue.take(10)]).toEqual([false, []]);
  queue.add(outcome(6));
  queue.add(outcome(2, true));
  queue.add(outcome(1));
  expect(queue.isDone).toBe(true);
  expect(queue.failures().map(({ seed }) => seed)).toEqual([2]);
  expect(queue.outcomes().map(({ seed }) => seed)).toEqual([1, 2]);
});

test("the results are those of seeds that run one after the other, in whatever order they finish", () => {
  const cases = fc.record({
    order: fc.shuffledSubarray([1, 2, 3, 4, 5, 6, 7, 8], { minLength: 8 }),
    failing: fc.subarray([1, 2, 3, 4, 5, 6, 7, 8]),
    failures: fc.integer({ min: 1, max: 3 }),
  });
  fc.assert(
    fc.property(cases, ({ order, failing, failures }) => {
      const queue = new SeedQueue({ firstSeed: 1, seeds: 8, failures });
      queue.take(8);
      for (const seed of order) if (!queue.isDone) queue.add(outcome(seed, failing.includes(seed)));
      const last = failing[failures - 1] ?? 8;
      expect(queue.isDone).toBe(true);
      expect(queue.outcomes().map(({ seed }) => seed)).toEqual([1, 2, 3, 4, 5, 6, 7, 8].slice(0, last));
      expect(queue.failures().map(({ seed }) => seed)).toEqual(failing.slice(0, failures));
    }),
  );
});
