import fc from "fast-check";
import { expect, test } from "vitest";
import { VirtualClock } from "../testing/index.ts";
import { Deadline, elapsedAtLeast, elapsedAtMost, instantOf } from "./index.ts";

const MINUTE = 60_000;

test("a deadline passes on time if the clocks are not changed", async () => {
  const clock = new VirtualClock();
  const deadline = new Deadline(clock, 1_000);
  await clock.advance(999);
  expect([deadline.hasPassed, deadline.leftMs]).toEqual([false, 1]);
  await clock.advance(1);
  expect([deadline.hasPassed, deadline.leftMs]).toEqual([true, 0]);
});

test("stepping the wall clock back does not extend a deadline", async () => {
  const clock = new VirtualClock();
  const deadline = new Deadline(clock, 1_000);
  clock.stepWall(-MINUTE);
  await clock.advance(1_000);
  expect(deadline.hasPassed).toBe(true);
});

test("a deadline passes during a longer suspension, although monotonic time stops", () => {
  const clock = new VirtualClock();
  const deadline = new Deadline(clock, 1_000);
  clock.suspend(MINUTE);
  expect(deadline.hasPassed).toBe(true);
});

test("a deadline passes while the process is stopped, although its timer has not fired", async () => {
  const clock = new VirtualClock();
  const fired: number[] = [];
  const deadline = new Deadline(clock, 1_000);
  clock.after(500, () => fired.push(clock.monotonic()));
  clock.stall(MINUTE);
  expect([deadline.hasPassed, fired]).toEqual([true, []]);
  await clock.advance(0);
  expect(fired).toEqual([MINUTE]);
});

test("elapsedAtMost is never less than elapsedAtLeast, for any change of the clocks", async () => {
  const event = fc.record({
    kind: fc.constantFrom("run", "step", "suspend", "stall"),
    ms: fc.integer({ min: 0, max: 100_000 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 8 }), fc.boolean(), async (events, isBack) => {
      const clock = new VirtualClock();
      const since = instantOf(clock);
      let passedMs = 0;
      for (const { kind, ms } of events) {
        if (kind === "run") await clock.advance(ms);
        else if (kind === "step") clock.stepWall(isBack ? -ms : ms);
        else if (kind === "suspend") clock.suspend(ms);
        else clock.stall(ms);
        passedMs += kind === "step" ? 0 : ms;
      }
      const now = instantOf(clock);
      // A wait never ends early. A permission never ends late, unless the wall clock is stepped back during a
      // suspension, which neither clock can detect.
      expect(elapsedAtLeast(since, now)).toBeLessThanOrEqual(passedMs);
      const isHidden =
        isBack && events.some(({ kind }) => kind === "suspend") && events.some(({ kind }) => kind === "step");
      expect(elapsedAtMost(since, now)).toBeGreaterThanOrEqual(isHidden ? Number.NEGATIVE_INFINITY : passedMs);
    }),
  );
});
