import { parseDurationMs } from "./simulation-annotations.ts";

/** A point in time in the calendar of a time zone. */
interface Wall {
  readonly minute: number;
  readonly hour: number;
  readonly day: number;
  readonly month: number;
  readonly weekday: number;
}

/** A cron schedule. */
export interface CronSchedule {
  /** Returns the first time after `ms`, both in Unix milliseconds; undefined if there is none within five years. */
  after(ms: number): number | undefined;
}

const MACROS: Readonly<Record<string, string>> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const HORIZON_MS = 5 * 366 * DAY_MS;

interface Field {
  readonly values: ReadonlySet<number>;
  /** Whether the field is `*` or `?`. */
  readonly isAny: boolean;
}

/** Parses a schedule of five fields, a macro such as `@hourly`, or `@every 5m`; returns undefined if invalid. */
export function parseCron(text: string, timeZone = "UTC"): CronSchedule | undefined {
  const every = text.startsWith("@every ") ? (parseDurationMs(text.slice("@every ".length)) ?? 0) : undefined;
  if (every !== undefined) return everySchedule(every);
  const parts = (MACROS[text.trim()] ?? text).trim().split(/\s+/u);
  const [minute, hour, day, month, weekday] = [
    parseField(parts[0], 0, 59),
    parseField(parts[1], 0, 23),
    parseField(parts[2], 1, 31),
    parseField(parts[3], 1, 12, MONTHS),
    parseField(parts[4], 0, 7, WEEKDAYS),
  ];
  if (parts.length !== 5 || !minute || !hour || !day || !month || !weekday) return undefined;
  const weekdays = new Set([...weekday.values].map((value) => value % 7));
  const wallOf = wallClock(timeZone);
  const isDay = (wall: Wall): boolean => {
    const inMonth = day.values.has(wall.day);
    const inWeek = weekdays.has(wall.weekday);
    // If both fields are restricted, either may match.
    return day.isAny || weekday.isAny ? inMonth && inWeek : inMonth || inWeek;
  };
  return {
    after: (ms) => {
      let at = Math.floor(ms / MINUTE_MS) * MINUTE_MS + MINUTE_MS;
      const end = at + HORIZON_MS;
      while (at <= end) {
        const wall = wallOf(at);
        if (!month.values.has(wall.month) || !isDay(wall))
          at += MINUTE_MS * (60 - wall.minute) + HOUR_MS * (23 - wall.hour);
        else if (!hour.values.has(wall.hour)) at += MINUTE_MS * (60 - wall.minute);
        else if (!minute.values.has(wall.minute)) at += MINUTE_MS;
        else return at;
        // A day with a clock change may be shorter: do not skip the first hour of the next day.
        const next = wallOf(at);
        if (next.hour === 1 && next.minute === 0 && wall.day !== next.day) at -= HOUR_MS;
      }
      return undefined;
    },
  };
}

function everySchedule(periodMs: number): CronSchedule {
  return { after: (ms) => (periodMs < 1000 ? undefined : Math.floor(ms / 1000) * 1000 + periodMs) };
}

function parseField(
  text: string | undefined,
  min: number,
  max: number,
  names: readonly string[] = [],
): Field | undefined {
  if (text === undefined) return undefined;
  const values = new Set<number>();
  for (const part of text.split(",")) {
    const [range = "", step] = part.split("/");
    const bounds = rangeOf(range, min, max, names);
    const size = step === undefined ? 1 : Number(step);
    if (bounds === undefined || !Number.isInteger(size) || size < 1) return undefined;
    const last = step !== undefined && !range.includes("-") && !isAny(range) ? max : bounds[1];
    for (let value = bounds[0]; value <= last; value += size) values.add(value);
  }
  return { values, isAny: text === "*" || text === "?" };
}

function isAny(range: string): boolean {
  return range === "*" || range === "?";
}

function rangeOf(
  range: string,
  min: number,
  max: number,
  names: readonly string[],
): readonly [number, number] | undefined {
  if (isAny(range)) return [min, max];
  const [first, last = first, ...more] = range.split("-").map((part) => numberOf(part, min, names));
  const isRange =
    first !== undefined && last !== undefined && more.length === 0 && first >= min && last <= max && first <= last;
  return isRange ? [first, last] : undefined;
}

function numberOf(text: string, min: number, names: readonly string[]): number | undefined {
  const named = names.indexOf(text.toLowerCase());
  if (named !== -1) return named + (min === 1 ? 1 : 0);
  return /^\d+$/u.test(text) ? Number(text) : undefined;
}

function wallClock(timeZone: string): (ms: number) => Wall {
  if (timeZone === "UTC" || timeZone === "Etc/UTC") {
    return (ms) => {
      const date = new Date(ms);
      return {
        minute: date.getUTCMinutes(),
        hour: date.getUTCHours(),
        day: date.getUTCDate(),
        month: date.getUTCMonth() + 1,
        weekday: date.getUTCDay(),
      };
    };
  }
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    minute: "numeric",
    hour: "numeric",
    day: "numeric",
    month: "numeric",
    weekday: "short",
  });
  return (ms) => {
    const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]));
    return {
      minute: Number(parts["minute"]),
      hour: Number(parts["hour"]),
      day: Number(parts["day"]),
      month: Number(parts["month"]),
      weekday: WEEKDAYS.indexOf((parts["weekday"] ?? "").toLowerCase()),
    };
  };
}
