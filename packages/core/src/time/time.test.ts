import fc from "fast-check";
import { expect, test } from "vitest";
import { seededRandom, VirtualClock } from "../testing/index.ts";
import { formatTimestamp, jitter, parseRetryAfter, randomInt, randomString, randomUuid, realClock } from "./index.ts";

test("a timestamp has whole seconds in UTC, so timestamps sort as text", () => {
  expect(formatTimestamp(Date.UTC(2026, 1, 3, 4, 5, 6, 999))).toBe("2026-02-03T04:05:06Z");
});

const NOON = Date.UTC(2026, 0, 1, 12);

test.each([
  ["7", 7_000],
  [" 0 ", 0],
  ["Thu, 01 Jan 2026 12:00:05 GMT", 5_000],
  ["Thursday, 01-Jan-26 12:00:05 GMT", 5_000],
  ["Thu, 01 Jan 2026 11:00:00 GMT", 0],
  ["", undefined],
  [undefined, undefined],
  ["-1", undefined],
  ["1.5", undefined],
  ["later", undefined],
])("the delay of Retry-After: %s", (text, ms) => {
  expect(parseRetryAfter(text, NOON)).toBe(ms);
});

test("a Retry-After with a date has no delay while the time is not known", () => {
  expect(parseRetryAfter("Thu, 01 Jan 2026 12:00:05 GMT", undefined)).toBeUndefined();
});

test("the real clock fires due timers and no cancelled ones", async () => {
  const fired: string[] = [];
  realClock.after(0, () => fired.push("cancelled")).cancel();
  await realClock.sleep(0);
  expect(fired).toEqual([]);
  const aborted = AbortSignal.abort();
  await expect(realClock.sleep(60_000, aborted)).rejects.toThrow("aborted");
});

test("an aborted sleep leaves no timer behind", async () => {
  const clock = new VirtualClock();
  const controller = new AbortController();
  const sleep = clock.sleep(1_000, controller.signal);
  controller.abort();
  await expect(sleep).rejects.toHaveProperty("name", "AbortError");
  expect(clock.nextTimerAt).toBeUndefined();
});

test("random numbers stay within their bounds, and a seed repeats them", () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: -50, max: 50 }), fc.nat(100), (seed, min, span) => {
      const value = randomInt(seededRandom(seed), min, min + span);
      expect(value).toBeGreaterThanOrEqual(min);
      expect(value).toBeLessThanOrEqual(min + span);
      expect(randomInt(seededRandom(seed), min, min + span)).toBe(value);
      expect(Math.abs(jitter(seededRandom(seed), 100, 0.2) - 100)).toBeLessThanOrEqual(20);
    }),
  );
});

test("a UUID has version 4, and random strings use only their alphabet", () => {
  const random = seededRandom(1);
  expect(randomUuid(random)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u);
  expect(randomString(random, 20, "xyz")).toMatch(/^[xyz]{20}$/u);
});
