import { parseGoDuration, parseRfc3339 } from "../../format/index.ts";
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

/** Parses RFC 3339 like Go. */
export function parseTimestamp(text: string): CelTimestamp | CelError {
  const parsed = parseRfc3339(text);
  if (parsed === undefined) return celError(`invalid timestamp: ${JSON.stringify(text.slice(0, 100))}`);
  return CelTimestamp.of(Number(parsed.seconds), parsed.nanos);
}

/** Parses a duration in Go syntax: `1h30m`, `-1.5s`, `0`. */
export function parseDuration(text: string): CelDuration | CelError {
  const nanos = text.length > 200 ? undefined : parseGoDuration(text);
  if (nanos === undefined) return celError(`invalid duration: ${JSON.stringify(text.slice(0, 100))}`);
  return CelDuration.of(nanos);
}
