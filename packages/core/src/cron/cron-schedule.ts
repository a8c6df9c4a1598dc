import { parseGoDuration } from "../format/index.ts";
import { localTimeOf } from "../time/index.ts";
import { CronError } from "./cron-error.ts";
import { CRON_FIELDS, parseCronField } from "./cron-field.ts";
import type { CronField } from "./cron-field.ts";

/** A cron schedule. */
export interface CronSchedule {
  /**
   * Returns the first time after `ms`, both in Unix milliseconds; undefined if there is none until the end of the fifth
   * following year.
   */
  after(ms: number): number | undefined;
}

const MACROS: ReadonlyMap<string, string> = new Map([
  ["@yearly", "0 0 1 1 *"],
  ["@annually", "0 0 1 1 *"],
  ["@monthly", "0 0 1 * *"],
  ["@weekly", "0 0 * * 0"],
  ["@daily", "0 0 * * *"],
  ["@midnight", "0 0 * * *"],
  ["@hourly", "0 * * * *"],
]);
const EVERY = "@every ";
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const YEARS_MAX = 5;

/**
 * Parses a schedule as Kubernetes does (`github.com/robfig/cron/v3`, ParseStandard): five fields, a macro such as
 * `@hourly`, or `@every 5m`, each after an optional `TZ=` prefix, which replaces `timeZone`. Throws a CronError if it is
 * invalid, and a RangeError if `timeZone` is unknown.
 */
export function parseCron(schedule: string, timeZone: string = "UTC"): CronSchedule {
  if (schedule === "") throw new CronError("empty spec string");
  const [prefix, zone = timeZone] = /^(?:CRON_)?TZ=(\S*)\s+/u.exec(schedule) ?? [];
  if (prefix !== undefined && zone !== "" && !isTimeZone(zone)) {
    throw new CronError(`provided bad location ${zone}: unknown time zone ${zone}`);
  }
  const text = prefix === undefined ? schedule : schedule.slice(prefix.length).trim();
  if (text.startsWith(EVERY)) return everySchedule(text);
  const expression = MACROS.get(text) ?? text;
  if (expression.startsWith("@")) throw new CronError(`unrecognized descriptor: ${text}`);
  const fields = parseFields(expression);
  const localTime = localTimeOf(zone);
  const localOf = (ms: number): number => Math.floor(localTime(ms) / MINUTE_MS) * MINUTE_MS;
  return { after: (ms) => nextMatch(fields, localOf, ms) };
}

/** Reports whether a text is the name of a time zone. */
export function isTimeZone(zone: string): boolean {
  // Intl also accepts UTC offsets, which are not time zone names.
  if (!/^[A-Za-z]/u.test(zone)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone !== "";
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function everySchedule(text: string): CronSchedule {
  const duration = text.slice(EVERY.length);
  const nanos = parseGoDuration(duration);
  if (nanos === undefined) {
    throw new CronError(`failed to parse duration ${text}: time: invalid duration ${JSON.stringify(duration)}`);
  }
  // Whole seconds, and at least one.
  const seconds = Math.max(1, Number(nanos / 1_000_000_000n));
  return { after: (ms) => (Math.floor(ms / SECOND_MS) + seconds) * SECOND_MS };
}

type CronFields = Readonly<Record<keyof typeof CRON_FIELDS, CronField>>;

function parseFields(expression: string): CronFields {
  const parts = expression.split(/\s+/u).filter((part) => part !== "");
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = parts;
  if (parts.length !== 5) {
    throw new CronError(`expected exactly 5 fields, found ${parts.length}: [${parts.join(" ")}]`);
  }
  return {
    minute: parseCronField(minute, CRON_FIELDS.minute),
    hour: parseCronField(hour, CRON_FIELDS.hour),
    day: parseCronField(day, CRON_FIELDS.day),
    month: parseCronField(month, CRON_FIELDS.month),
    weekday: parseCronField(weekday, CRON_FIELDS.weekday),
  };
}

/** Returns the first instant whose local time matches: none in the hour that a clock change skips, two in a repeated one. */
function nextMatch(fields: CronFields, localOf: (ms: number) => number, ms: number): number | undefined {
  let at = (Math.floor(ms / MINUTE_MS) + 1) * MINUTE_MS;
  const lastYear = new Date(localOf(at)).getUTCFullYear() + YEARS_MAX;
  for (;;) {
    const local = localOf(at);
    if (new Date(local).getUTCFullYear() > lastYear) return undefined;
    const skippedMs = mismatchMs(fields, local);
    if (skippedMs === 0) return at;
    const to = at + skippedMs;
    // If the clock changes in between, the skipped time may contain a match: search it minute by minute.
    at = localOf(to) - to === local - at ? to : at + MINUTE_MS;
  }
}

/** Returns 0 if a local time matches, else how long no local time matches: the rest of the day, hour or minute. */
function mismatchMs({ minute, hour, day, month, weekday }: CronFields, local: number): number {
  const date = new Date(local);
  const inMonth = day.values.has(date.getUTCDate());
  const inWeek = weekday.values.has(date.getUTCDay());
  // If both fields are restricted, either may match.
  const isDay = day.isAny || weekday.isAny ? inMonth && inWeek : inMonth || inWeek;
  if (!isDay || !month.values.has(date.getUTCMonth() + 1)) return DAY_MS - (local % DAY_MS);
  if (!hour.values.has(date.getUTCHours())) return HOUR_MS - (local % HOUR_MS);
  return minute.values.has(date.getUTCMinutes()) ? 0 : MINUTE_MS;
}
