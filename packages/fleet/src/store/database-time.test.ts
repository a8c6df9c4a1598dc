import { VirtualClock } from "@levelset/core/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { DatabaseTime } from "./database-time.ts";

const AHEAD_MS = 3_600_000;

/** Measures a database whose clock is ahead, with the given latency in each direction. */
async function measure(time: DatabaseTime, clock: VirtualClock, thereMs: number, backMs: number): Promise<void> {
  const sentAt = clock.monotonic();
  await clock.advance(thereMs);
  const databaseTime = clock.now() + AHEAD_MS;
  await clock.advance(backMs);
  time.observe(databaseTime, sentAt);
}

test("the database time is unknown before the first measurement", () => {
  expect(new DatabaseTime(new VirtualClock()).now).toBeUndefined();
});

test("the error of the estimate is at most half the round trip, and the estimate advances with time", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(100), fc.nat(100), fc.nat(50_000), async (thereMs, backMs, laterMs) => {
      const clock = new VirtualClock();
      const time = new DatabaseTime(clock);
      await measure(time, clock, thereMs, backMs);
      await clock.advance(laterMs);
      expect(Math.abs((time.now ?? 0) - clock.now() - AHEAD_MS)).toBeLessThanOrEqual((thereMs + backMs) / 2 + 1);
    }),
  );
});

test("a step of the wall clock does not change the estimate", async () => {
  const clock = new VirtualClock();
  const time = new DatabaseTime(clock);
  await measure(time, clock, 0, 0);
  const before = time.now;
  clock.stepWall(-60_000);
  expect(time.now).toBe(before);
});

test("a slow measurement does not replace a fresh one, but replaces one from before a suspension", async () => {
  const clock = new VirtualClock();
  const time = new DatabaseTime(clock);
  await measure(time, clock, 0, 0);
  await measure(time, clock, 5_000, 0);
  expect(time.now).toBe(clock.now() + AHEAD_MS);
  clock.suspend(3_600_000);
  await measure(time, clock, 0, 5_000);
  expect(Math.abs((time.now ?? 0) - clock.now() - AHEAD_MS)).toBeLessThanOrEqual(2_500);
});
