import fc from "fast-check";
import { expect, test } from "vitest";
import { CronError, parseCron } from "./index.ts";

function next(schedule: string, after: string, timeZone?: string): string | undefined {
  const ms = parseCron(schedule, timeZone).after(Date.parse(after));
  return ms === undefined ? undefined : new Date(ms).toISOString();
}

test.for([
  ["* * * * *", "2026-01-01T00:00:30Z", "2026-01-01T00:01:00.000Z"],
  ["*/15 * * * *", "2026-01-01T00:46:00Z", "2026-01-01T01:00:00.000Z"],
  ["30 4 * * *", "2026-01-01T04:30:00Z", "2026-01-02T04:30:00.000Z"],
  ["0 0 29 2 *", "2026-01-01T00:00:00Z", "2028-02-29T00:00:00.000Z"],
  ["0 9 * * mon-fri", "2026-01-02T10:00:00Z", "2026-01-05T09:00:00.000Z"],
  ["0 0 13 * 5", "2026-01-01T00:00:00Z", "2026-01-02T00:00:00.000Z"],
  ["0 0 1 jan,JUL *", "2026-01-02T00:00:00Z", "2026-07-01T00:00:00.000Z"],
  ["0 0 */1 * mon", "2026-01-01T00:00:00Z", "2026-01-05T00:00:00.000Z"],
  ["0 0 */2 * mon", "2026-01-01T00:00:00Z", "2026-01-03T00:00:00.000Z"],
  ["+5,,10 *-3 * * *", "2026-01-01T00:06:00Z", "2026-01-01T00:10:00.000Z"],
  ["5/20 * * * *", "2026-01-01T00:06:00Z", "2026-01-01T00:25:00.000Z"],
  ["@hourly", "2026-01-01T00:00:00Z", "2026-01-01T01:00:00.000Z"],
  ["@every 90s", "2026-01-01T00:00:00Z", "2026-01-01T00:01:30.000Z"],
  ["@every 1500ms", "2026-01-01T00:00:00.7Z", "2026-01-01T00:00:01.000Z"],
  ["@every 10ms", "2026-01-01T00:00:00Z", "2026-01-01T00:00:01.000Z"],
  ["TZ=Europe/Berlin 0 9 * * *", "2026-01-01T00:00:00Z", "2026-01-01T08:00:00.000Z"],
  ["CRON_TZ=Europe/Berlin @daily", "2026-01-01T00:00:00Z", "2026-01-01T23:00:00.000Z"],
  ["0 0 30 2 *", "2026-01-01T00:00:00Z", undefined],
] as const)("%s after %s is %s", ([schedule, after, expected]) => {
  expect(next(schedule, after)).toBe(expected);
});

test.for([
  "",
  "* * * *",
  "60 * * * *",
  "* * 0 * *",
  "*/0 * * * *",
  "5-1 * * * *",
  "a * * * *",
  "* * * * * *",
  "0 0 * * 7",
  "TZ=Mars 0 0 * * *",
])("%j is not a valid schedule", (text) => {
  expect(() => parseCron(text)).toThrow(CronError);
});

test("a time zone has its own days, including daylight saving changes", () => {
  expect(next("0 9 * * *", "2026-01-01T00:00:00Z", "Europe/Berlin")).toBe("2026-01-01T08:00:00.000Z");
  expect(next("0 9 * * *", "2026-07-01T00:00:00Z", "Europe/Berlin")).toBe("2026-07-01T07:00:00.000Z");
  expect(next("0 0 * * *", "2026-03-28T23:30:00Z", "Europe/Berlin")).toBe("2026-03-29T22:00:00.000Z");
  expect(next("0 0 * * *", "2026-10-24T22:30:00Z", "Europe/Berlin")).toBe("2026-10-25T23:00:00.000Z");
});

test.for([
  // The clock goes from 02:00 to 03:00, so 02:30 does not exist; then from 03:00 to 02:00, so it exists twice.
  ["30 2 * * *", "Europe/Berlin", "2026-03-28T02:00:00Z", "2026-03-30T00:30:00.000Z"],
  ["30 2 * * *", "Europe/Berlin", "2026-10-24T23:00:00Z", "2026-10-25T00:30:00.000Z"],
  ["30 2 * * *", "Europe/Berlin", "2026-10-25T00:30:00Z", "2026-10-25T01:30:00.000Z"],
  // The day begins at 01:00.
  ["0 9 * * sat", "Africa/Cairo", "2026-04-23T12:00:00Z", "2026-04-25T06:00:00.000Z"],
  ["0 0 * * *", "Africa/Cairo", "2026-04-22T22:00:00Z", "2026-04-24T21:00:00.000Z"],
  // The clock changes by 30 minutes.
  ["0 0 * * mon", "Australia/Lord_Howe", "2026-10-03T12:00:00Z", "2026-10-04T13:00:00.000Z"],
] as const)("%s in %s after %s is %s", ([schedule, timeZone, after, expected]) => {
  expect(next(schedule, after, timeZone)).toBe(expected);
});

test("the next time is later, matches the schedule, and skips no match", () => {
  const field = (max: number): fc.Arbitrary<string> =>
    fc.oneof(
      fc.constant("*"),
      fc.nat(max).map(String),
      fc.integer({ min: 1, max: 20 }).map((step) => `*/${step}`),
    );
  fc.assert(
    fc.property(field(59), field(23), fc.integer({ min: 0, max: 500_000 }), (minute, hour, offset) => {
      const schedule = parseCron(`${minute} ${hour} * * *`);
      const start = Date.UTC(2026, 0, 1) + offset * 60_000;
      const found = schedule.after(start) ?? 0;
      const matches = (text: string, value: number): boolean =>
        text === "*" || (text.startsWith("*/") ? value % Number(text.slice(2)) === 0 : Number(text) === value);
      let expected = start + 60_000;
      const isDue = (ms: number): boolean =>
        matches(minute, new Date(ms).getUTCMinutes()) && matches(hour, new Date(ms).getUTCHours());
      while (!isDue(expected)) expected += 60_000;
      expect(found).toBe(expected);
    }),
    { numRuns: 100 },
  );
});
