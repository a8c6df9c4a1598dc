import fc from "fast-check";
import { expect, test } from "vitest";
import { TokenBucket } from "./token-bucket.ts";

const rates = fc.record({
  burst: fc.integer({ min: 1, max: 8 }),
  perSecond: fc.double({ min: 0.05, max: 500, noNaN: true }),
});

test("in any interval at most burst plus rate tokens are taken", () => {
  const pauses = fc.array(fc.integer({ min: 0, max: 2_000 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(pauses, rates, (steps, rate) => {
      const bucket = new TokenBucket(rate);
      const taken: number[] = [];
      let now = 0;
      for (const step of steps) {
        now += step;
        if (bucket.waitMs(now) > 0) continue;
        bucket.take(now);
        taken.push(now);
      }
      for (const [first, from] of taken.entries()) {
        for (const [more, to] of taken.slice(first).entries()) {
          expect(more + 1).toBeLessThanOrEqual(rate.burst + ((to - from) * rate.perSecond) / 1_000 + 1e-3);
        }
      }
    }),
  );
});

test("waitMs is the time until a token is available", () => {
  fc.assert(
    fc.property(rates, fc.integer({ min: 0, max: 1_000_000 }), (rate, start) => {
      const bucket = new TokenBucket(rate);
      for (let taken = 0; taken < rate.burst; taken++) {
        expect(bucket.waitMs(start)).toBe(0);
        bucket.take(start);
      }
      const wait = bucket.waitMs(start);
      expect(wait).toBeGreaterThan(0);
      expect(bucket.waitMs(start + wait)).toBe(0);
      // Two milliseconds before: one for rounding up, and one for the tolerance.
      expect(bucket.waitMs(start + Math.max(0, wait - 2))).toBeGreaterThan(0);
    }),
  );
});

test("a clock that is set back removes no tokens", () => {
  const bucket = new TokenBucket({ perSecond: 1, burst: 2 });
  bucket.take(10_000);
  expect(bucket.waitMs(0)).toBe(0);
});
