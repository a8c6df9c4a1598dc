import fc from "fast-check";
import { expect, test } from "vitest";
import { scheduleProblem, timeZoneProblem } from "./schedule.ts";

test.each(["*/5 * * * *", "0 0 1 jan sun", "1,2,30-40/5 ? * * MON-FRI", "@daily", "@every 1h30m"])(
  "%j is a schedule",
  (schedule) => {
    expect(scheduleProblem(schedule)).toBeUndefined();
  },
);

test.each([
  ["* * * *", "expected exactly 5 fields, found 4: [* * * *]"],
  ["60 * * * *", "end of range (60) above maximum (59): 60"],
  ["* * 0 * *", "beginning of range (0) below minimum (1): 0"],
  ["x * * * *", 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
  ["@soon", "unrecognized descriptor: @soon"],
])("%j is none: %s", (schedule, problem) => {
  expect(scheduleProblem(schedule)).toBe(problem);
});

test("numbers within the bounds of a field are valid", () => {
  const field = (min: number, max: number): fc.Arbitrary<string> => fc.integer({ min, max }).map(String);
  const fields = fc.tuple(field(0, 59), field(0, 23), field(1, 31), field(1, 12), field(0, 6));
  fc.assert(
    fc.property(fields, (parts) => {
      expect(scheduleProblem(parts.join(" "))).toBeUndefined();
    }),
  );
});

test("only time zone names are accepted", () => {
  expect(["Europe/Berlin", "UTC"].map(timeZoneProblem)).toEqual([undefined, undefined]);
  expect(timeZoneProblem("Mars/Base")).toBe("unknown time zone Mars/Base");
  expect(timeZoneProblem("+02:00")).toBe("unknown time zone +02:00");
});
