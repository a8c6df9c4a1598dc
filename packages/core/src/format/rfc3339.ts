import { dateOf, parseDate } from "./calendar.ts";

/** A moment: seconds since 1970 in UTC, and nanoseconds after them, from 0 to 999,999,999. */
export interface Moment {
  readonly seconds: bigint;
  readonly nanos: number;
}

const DATE_TIME =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2})T([0-9]{1,2}):([0-9]{2}):([0-9]{2})(?:[.,]([0-9]+))?(?:Z|([+-])([0-9]{2}):([0-9]{2}))$/;

const DAY_SECONDS = 86_400n;

/**
 * Reads a time of RFC 3339 as Go's `time.Parse` does, which is what Kubernetes and CEL use: it also takes an hour of one
 * digit and a comma before the fraction, and offsets up to 24:60. What is finer than a nanosecond is cut off.
 */
export function parseRfc3339(text: string): Moment | undefined {
  const match = DATE_TIME.exec(text);
  const day = parseDate(match?.[1] ?? "");
  if (match === null || day === undefined) return undefined;
  const [hour, minute, second] = [Number(match[2]), Number(match[3]), Number(match[4])];
  const [offsetHour, offsetMinute] = [Number(match[7] ?? 0), Number(match[8] ?? 0)];
  if (hour > 23 || minute > 59 || second > 59 || offsetHour > 24 || offsetMinute > 60) return undefined;
  const offset = (offsetHour * 3_600 + offsetMinute * 60) * (match[6] === "-" ? -1 : 1);
  return {
    seconds: BigInt(day) * DAY_SECONDS + BigInt(hour * 3_600 + minute * 60 + second - offset),
    nanos: Number((match[5] ?? "").slice(0, 9).padEnd(9, "0")),
  };
}

/** A moment in UTC, with as many digits of a fraction as it takes. Years have at least four digits. */
export function formatRfc3339(moment: Moment): string {
  const secondOfDay = Number(((moment.seconds % DAY_SECONDS) + DAY_SECONDS) % DAY_SECONDS);
  const { year, month, day } = dateOf(Number((moment.seconds - BigInt(secondOfDay)) / DAY_SECONDS));
  const hour = Math.floor(secondOfDay / 3_600);
  const minute = Math.floor(secondOfDay / 60) % 60;
  const sign = year < 0 ? "-" : "";
  const date = `${sign}${padded(Math.abs(year), 4)}-${padded(month, 2)}-${padded(day, 2)}`;
  const time = `${padded(hour, 2)}:${padded(minute, 2)}:${padded(secondOfDay % 60, 2)}`;
  const fraction = moment.nanos === 0 ? "" : `.${padded(moment.nanos, 9).replace(/0{1,9}$/, "")}`;
  return `${date}T${time}${fraction}Z`;
}

function padded(value: number, digits: number): string {
  return String(value).padStart(digits, "0");
}
