import { dateOf, parseDate } from "./calendar.ts";

/** An instant: seconds since 1970 in UTC, and nanoseconds from 0 to 999,999,999. */
export interface UnixTime {
  readonly seconds: bigint;
  readonly nanos: number;
}

const DATE_TIME =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2})T([0-9]{1,2}):([0-9]{2}):([0-9]{2})(?:[.,]([0-9]+))?(?:Z|([+-])([0-9]{2}):([0-9]{2}))$/;

const DAY_SECONDS = 86_400n;

/**
 * Parses an RFC 3339 time like Go's `time.Parse`, which Kubernetes and CEL use. It also accepts an hour of one digit, a
 * comma before the fraction, and offsets up to 24:60. Digits below nanoseconds are dropped. Returns undefined if it is
 * invalid.
 */
export function parseRfc3339(text: string): UnixTime | undefined {
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

/** Formats an instant in UTC, with the fraction digits needed. Years have at least four digits. */
export function formatRfc3339(moment: UnixTime): string {
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
