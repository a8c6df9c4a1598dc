import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CALM, counted, delayMs } from "./throttle.ts";
import type { Throttle } from "./throttle.ts";

const LIMITS = { max: 5, windowMs: 60_000, firstMs: 1_000, maxMs: 30_000 };

/** Counts events at these intervals; an event never occurs before its delay is over. */
function after(gapsMs: readonly number[]): { readonly times: readonly number[]; readonly throttle: Throttle } {
  let [now, throttle] = [0, CALM];
  const times = gapsMs.map((gapMs) => {
    now += Math.max(gapMs, delayMs(throttle, now));
    throttle = counted(throttle, now, LIMITS);
    return now;
  });
  return { times, throttle };
}

describe("a throttle", () => {
  test("allows at most the limit and one event per delay, regardless of the rate", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 200 }), (gaps) => {
        const { times } = after(gaps);
        // 5 at once, then one after each delay of 1, 2, 4, 8 and 16 s within half a minute.
        expect(times.filter((at) => at < 30_000).length).toBeLessThanOrEqual(10);
      }),
    );
  });

  test("never delays events that stay below the limit", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 15_001, max: 100_000 }), { maxLength: 50 }), (gaps) => {
        expect(after(gaps).throttle.level).toBe(0);
      }),
    );
  });

  test("resets when an event occurs a whole window after the last delay", () => {
    const { throttle } = after([0, 0, 0, 0, 0, 0, 0]);
    expect(throttle.level).toBeGreaterThan(0);
    const later = throttle.notBefore + LIMITS.windowMs + 1;
    expect(counted(throttle, later, LIMITS)).toEqual({ times: [later], level: 0, notBefore: throttle.notBefore });
  });

  test("never exceeds the maximum delay", () => {
    const { times } = after(Array.from({ length: 100 }, () => 0));
    const gaps = times.map((at, index) => at - (times[index - 1] ?? 0));
    expect(Math.max(...gaps)).toBe(LIMITS.maxMs);
  });
});
