import { celError } from "./cel-error.ts";
import type { CelError } from "./cel-error.ts";
import { CelObject } from "./object.ts";
import { CEL_DURATION, CEL_TIMESTAMP } from "./type.ts";
import type { CelType } from "./type.ts";

const SECOND = 1_000_000_000n;
const SECONDS_MIN = -62_135_596_800; // 0001-01-01T00:00:00Z
const SECONDS_MAX = 253_402_300_799; // 9999-12-31T23:59:59Z
const NANOS_MAX = 2n ** 63n - 1n;
const NANOS_MIN = -(2n ** 63n);

/** A point in time with nanoseconds, from the year 1 to the year 9999. */
export class CelTimestamp extends CelObject {
  readonly celType: CelType = CEL_TIMESTAMP;
  /** Whole seconds since 1970, rounded down. */
  readonly seconds: number;
  /** From 0 to 999,999,999. */
  readonly nanos: number;

  private constructor(seconds: number, nanos: number) {
    super();
    this.seconds = seconds;
    this.nanos = nanos;
  }

  /** Returns a timestamp, or an error outside the years 1 to 9999. */
  static of(seconds: number, nanos: number): CelTimestamp | CelError {
    if (!(seconds >= SECONDS_MIN && seconds <= SECONDS_MAX)) return celError("timestamp out of range");
    return new CelTimestamp(seconds, nanos);
  }

  /** Returns a timestamp from nanoseconds since 1970. */
  static ofNanos(total: bigint): CelTimestamp | CelError {
    const nanos = ((total % SECOND) + SECOND) % SECOND;
    return CelTimestamp.of(Number((total - nanos) / SECOND), Number(nanos));
  }

  /** Nanoseconds since 1970. */
  get totalNanos(): bigint {
    return BigInt(this.seconds) * SECOND + BigInt(this.nanos);
  }

  override equals(other: CelObject): boolean {
    return other instanceof CelTimestamp && other.seconds === this.seconds && other.nanos === this.nanos;
  }

  override isZero(): boolean {
    return this.seconds === 0 && this.nanos === 0;
  }

  /** Formats as RFC 3339 in UTC, with as many fractional digits as needed. */
  override toString(): string {
    const whole = new Date(this.seconds * 1_000).toISOString().slice(0, 19);
    return `${whole}${fraction(this.nanos)}Z`;
  }
}

/** A duration in nanoseconds within int64: ±292 years. */
export class CelDuration extends CelObject {
  readonly celType: CelType = CEL_DURATION;
  readonly nanos: bigint;

  private constructor(nanos: bigint) {
    super();
    this.nanos = nanos;
  }

  /** Returns a duration, or an error if the nanoseconds exceed int64. */
  static of(nanos: bigint): CelDuration | CelError {
    return nanos >= NANOS_MIN && nanos <= NANOS_MAX ? new CelDuration(nanos) : celError("duration out of range");
  }

  override equals(other: CelObject): boolean {
    return other instanceof CelDuration && other.nanos === this.nanos;
  }

  override isZero(): boolean {
    return this.nanos === 0n;
  }

  /** Formats as seconds with a fraction: `90s`, `-0.5s`. */
  override toString(): string {
    const magnitude = this.nanos < 0n ? -this.nanos : this.nanos;
    return `${this.nanos < 0n ? "-" : ""}${magnitude / SECOND}${fraction(Number(magnitude % SECOND))}s`;
  }
}

function fraction(nanos: number): string {
  return nanos === 0 ? "" : `.${String(nanos).padStart(9, "0").replace(/0+$/, "")}`;
}

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9})\d*)?([Zz]|[+-]\d\d:\d\d)$/;

function invalidTimestamp(text: string): CelError {
  return celError(`invalid timestamp: ${JSON.stringify(text.slice(0, 100))}`);
}

/** Parses RFC 3339. */
export function parseTimestamp(text: string): CelTimestamp | CelError {
  const match = RFC3339.exec(text);
  if (match === null) return invalidTimestamp(text);
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const isDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  if (!isDay || hour > 23 || minute > 59 || second > 59) return invalidTimestamp(text);
  const offset = offsetSeconds(match[8] ?? "Z");
  if (offset === undefined) return invalidTimestamp(text);
  const seconds = date.getTime() / 1_000 + hour * 3_600 + minute * 60 + second - offset;
  return CelTimestamp.of(seconds, Number((match[7] ?? "").padEnd(9, "0")));
}

/** Returns the UTC offset in seconds of `Z`, `+hh:mm`, `-hh:mm` or `hh:mm`; undefined for other text. */
export function offsetSeconds(zone: string): number | undefined {
  if (zone === "Z" || zone === "z") return 0;
  const match = /^([+-]?)(\d\d):(\d\d)$/.exec(zone);
  if (match === null) return undefined;
  const [hours, minutes] = [Number(match[2]), Number(match[3])];
  if (hours > 23 || minutes > 59) return undefined;
  return (match[1] === "-" ? -1 : 1) * (hours * 3_600 + minutes * 60);
}

const UNITS: ReadonlyMap<string, bigint> = new Map([
  ["h", 3_600n * SECOND],
  ["m", 60n * SECOND],
  ["s", SECOND],
  ["ms", 1_000_000n],
  ["us", 1_000n],
  ["µs", 1_000n],
  ["μs", 1_000n],
  ["ns", 1n],
]);

/** Parses a duration in Go syntax: `1h30m`, `-1.5s`, `0`. */
export function parseDuration(text: string): CelDuration | CelError {
  const invalid = celError(`invalid duration: ${JSON.stringify(text.slice(0, 100))}`);
  const signed = /^([+-]?)(.+)$/s.exec(text);
  if (signed === null || text.length > 200) return invalid;
  const rest = signed[2] ?? "";
  if (rest === "0") return CelDuration.of(0n);
  if (!/^(?:(?:\d+(?:\.\d*)?|\.\d+)(?:h|ms|m|us|µs|μs|ns|s))+$/.test(rest)) return invalid;
  let total = 0n;
  for (const part of rest.matchAll(/(\d*)(?:\.(\d*))?(h|ms|m|us|µs|μs|ns|s)/g)) {
    const unit = UNITS.get(part[3] ?? "") ?? 0n;
    const decimals = part[2] ?? "";
    total += BigInt(part[1] ?? "0") * unit;
    total += (BigInt(decimals === "" ? "0" : decimals) * unit) / 10n ** BigInt(decimals.length);
  }
  return CelDuration.of(signed[1] === "-" ? -total : total);
}
