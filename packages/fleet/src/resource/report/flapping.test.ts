import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { flappingDelayMs, FLIPS_FREE, nextFlips } from "./flapping.ts";
import type { Flips } from "./flapping.ts";

const TTL_MS = 10_000;
const BASE = { isFlipped: true, isNewGeneration: false, notReadyMs: TTL_MS };

/** Simulates an adapter that changes its verdict on each pulse. Returns the pulse times within a period. */
function pulsesOf(lastsMs: number, notReadyMs: number): readonly number[] {
  const pulses: number[] = [];
  let flips: Flips | undefined;
  for (let now = 0; now < lastsMs; now += Math.max(1, flappingDelayMs(flips, notReadyMs) ?? 0)) {
    pulses.push(now);
    flips = nextFlips(flips, { ...BASE, now, notReadyMs });
  }
  return pulses;
}

describe("a flapping adapter", () => {
  test("is pulsed at once a few times, then with delays that double up to the not-ready TTL", () => {
    const pulses = pulsesOf(60_000, TTL_MS);
    const gaps = pulses.slice(1).map((time, index) => time - (pulses[index] ?? 0));
    expect(gaps.slice(0, 9)).toEqual([1, 1, 1, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  });

  test("causes a bounded number of pulses in addition to one per not-ready TTL, whatever the TTL", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1_000, max: 3_600_000 }), fc.integer({ min: 1, max: 50 }), (notReadyMs, ttls) => {
        const doublings = Math.ceil(Math.log2(notReadyMs / 1_000)) + 1;
        expect(pulsesOf(ttls * notReadyMs, notReadyMs).length).toBeLessThanOrEqual(FLIPS_FREE + 1 + doublings + ttls);
      }),
    );
  });

  test("never has a shorter delay after more changes, nor one longer than the not-ready TTL", () => {
    fc.assert(
      fc.property(fc.nat(10_000), fc.integer({ min: 1, max: 86_400_000 }), (count, notReadyMs) => {
        const delayOf = (flips: number): number =>
          flappingDelayMs({ count: flips, sinceTime: 0, latestTime: 0, steadyTime: 1 }, notReadyMs) ?? 0;
        expect(delayOf(count)).toBeLessThanOrEqual(delayOf(count + 1));
        expect(delayOf(count)).toBeLessThanOrEqual(notReadyMs);
      }),
    );
  });

  test("is stable after three not-ready TTLs without a change, and at once with a new generation", () => {
    const verdict = fc.record({ isFlipped: fc.boolean(), afterMs: fc.integer({ min: 1, max: TTL_MS }) });
    fc.assert(
      fc.property(fc.array(verdict, { maxLength: 30 }), (verdicts) => {
        let now = 0;
        let flips: Flips | undefined;
        let latest: number | undefined;
        for (const { isFlipped, afterMs } of verdicts) {
          now += afterMs;
          flips = nextFlips(flips, { ...BASE, isFlipped, now });
          latest = isFlipped ? now : latest;
          expect(flips === undefined).toBe(latest === undefined || now - latest >= 3 * TTL_MS);
        }
        expect(nextFlips(flips, { ...BASE, isFlipped: false, now: now + 3 * TTL_MS })).toBeUndefined();
        expect(nextFlips(flips, { ...BASE, isNewGeneration: true, now })).toBeUndefined();
      }),
    );
  });

  test("is forgotten when the clock is set back to before its first change", () => {
    const flips = nextFlips(undefined, { ...BASE, now: 3_600_000 });
    expect(nextFlips(flips, { ...BASE, isFlipped: false, now: 0 })).toBeUndefined();
  });
});
