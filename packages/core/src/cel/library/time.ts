import { localTimeOf } from "../../time/index.ts";
import { durationParam, stringParam, timestampParam, memberOverload } from "../declare/index.ts";
import type { Overload } from "../declare/index.ts";
import { CEL_INT, CelError, celError, intOf } from "../value/index.ts";
import type { CelDuration, CelInt, CelTimestamp } from "../value/index.ts";
import type { CelLibrary } from "./library.ts";

/** Returns the UTC offset in seconds of `+hh:mm`, `-hh:mm` or `hh:mm`; undefined for other text. */
function offsetSeconds(zone: string): number | undefined {
  const match = /^([+-]?)(\d\d):(\d\d)$/.exec(zone);
  if (match === null) return undefined;
  const [hours, minutes] = [Number(match[2]), Number(match[3])];
  if (hours > 23 || minutes > 59) return undefined;
  return (match[1] === "-" ? -1 : 1) * (hours * 3_600 + minutes * 60);
}

/** Returns the offset from UTC at a time: a fixed offset, or that of a named time zone. */
function zoneOffset(zone: string, at: CelTimestamp): number | CelError {
  const fixed = offsetSeconds(zone);
  if (fixed !== undefined) return fixed;
  if (!/^[A-Za-z][A-Za-z0-9_+\-/]{0,60}$/.test(zone))
    return celError(`unknown time zone ${JSON.stringify(zone.slice(0, 60))}`);
  try {
    return localTimeOf(zone)(at.seconds * 1_000) / 1_000 - at.seconds;
  } catch (error) {
    if (error instanceof RangeError) return celError(`unknown time zone ${JSON.stringify(zone)}`);
    throw error;
  }
}

type Getter = (date: Date, time: CelTimestamp) => number;

const DAY_MS = 86_400_000;

function dayOfYear(date: Date): number {
  const start = new Date(0);
  start.setUTCFullYear(date.getUTCFullYear(), 0, 1);
  return Math.floor((date.getTime() - start.getTime()) / DAY_MS);
}

const GETTERS: readonly (readonly [name: string, id: string, get: Getter])[] = [
  ["getFullYear", "year", (date) => date.getUTCFullYear()],
  ["getMonth", "month", (date) => date.getUTCMonth()],
  ["getDate", "day_of_month_1_based", (date) => date.getUTCDate()],
  ["getDayOfMonth", "day_of_month", (date) => date.getUTCDate() - 1],
  ["getDayOfWeek", "day_of_week", (date) => date.getUTCDay()],
  ["getDayOfYear", "day_of_year", dayOfYear],
  ["getHours", "hours", (date) => date.getUTCHours()],
  ["getMinutes", "minutes", (date) => date.getUTCMinutes()],
  ["getSeconds", "seconds", (date) => date.getUTCSeconds()],
  ["getMilliseconds", "milliseconds", (_, time) => Math.floor(time.nanos / 1_000_000)],
];

const DURATION_GETTERS: ReadonlyMap<string, (duration: CelDuration) => CelInt> = new Map([
  ["getHours", ({ nanos }: CelDuration) => intOf(nanos / 3_600_000_000_000n)],
  ["getMinutes", ({ nanos }: CelDuration) => intOf(nanos / 60_000_000_000n)],
  ["getSeconds", ({ nanos }: CelDuration) => intOf(nanos / 1_000_000_000n)],
  // The part below a second, as specified, not the whole duration in milliseconds.
  ["getMilliseconds", ({ nanos }: CelDuration) => intOf((nanos / 1_000_000n) % 1_000n)],
]);

function getterOverloads(name: string, id: string, get: Getter): readonly Overload[] {
  const duration = DURATION_GETTERS.get(name);
  const ofDuration =
    duration === undefined
      ? []
      : [memberOverload(`duration_to_${id}`, { parameters: [durationParam], result: CEL_INT, call: duration })];
  return [
    memberOverload(`timestamp_to_${id}`, {
      parameters: [timestampParam],
      result: CEL_INT,
      call: (time) => get(new Date(time.seconds * 1_000), time),
    }),
    memberOverload(`timestamp_to_${id}_with_tz`, {
      parameters: [timestampParam, stringParam],
      result: CEL_INT,
      cost: "heavy",
      call: (time, zone) => {
        const offset = zoneOffset(zone, time);
        return offset instanceof CelError ? offset : get(new Date((time.seconds + offset) * 1_000), time);
      },
    }),
    ...ofDuration,
  ];
}

/** Accessors of timestamps and durations. The current time is not included; pass it as a variable. */
export const TIME_LIBRARY: CelLibrary = {
  name: "times",
  functions: GETTERS.map(([name, id, get]) => [name, getterOverloads(name, id, get)]),
};
