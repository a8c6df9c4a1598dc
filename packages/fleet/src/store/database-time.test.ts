import { VirtualClock } from "@levelset/core/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { DatabaseTime } from "./database-time.ts";

const AHEAD_MS = 3_600_000;

/** Asks a database whose clock is ahead; the request and the answer take so long. */
async function measure(time: DatabaseTime, clock: VirtualClock, thereMs: number, backMs: number): Promise<void> {
  const sentAt = clock.monotonic();
  await clock.advance(thereMs);
  const shown = clock.now() + AHEAD_MS;
  await clock.advance(backMs);
  time.observe(shown, sentAt);
}

test("the time of a database is unknown before it was asked", () => {
  expect(new DatabaseTime(new VirtualClock()).now).toBeUndefined();
});

test("the estimate is off by half of what the statement took at most, and goes on with the time", async () => {
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

test("a wall clock that is stepped does not change the estimate", async () => {
  const clock = new VirtualClock();
  const time = new DatabaseTime(clock);
  await measure(time, clock, 0, 0);
  const before = time.now;
  clock.stepWall(-60_000);
  expect(time.now).toBe(before);
});

test("a slow statement does not replace a fresh measurement, but one from before a suspension", async () => {
  const clock = new VirtualClock();
  const time = new DatabaseTime(clock);
  await measure(time, clock, 0, 0);
  await measure(time, clock, 5_000, 0);
  expect(time.now).toBe(clock.now() + AHEAD_MS);
  clock.suspend(3_600_000);
  await measure(time, clock, 0, 5_000);
  expect(Math.abs((time.now ?? 0) - clock.now() - AHEAD_MS)).toBeLessThanOrEqual(2_500);
});
