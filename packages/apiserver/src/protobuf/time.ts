import { timestamp } from "@levelset/core";
import { ProtobufError } from "./wire.ts";

/** Go's zero time, the first second of the year 1: a time that was never set. */
const SECONDS_ZERO = -62_135_596_800;
/** The last second that RFC 3339 can write. */
const SECONDS_MAX = 253_402_300_799;
const NANOS_PER_MICRO = 1_000;
const NANOS_PER_SECOND = 1_000_000_000;

/** A moment as RFC 3339 in UTC; undefined for one that was never set. Throws `ProtobufError` for one out of range. */
export function timeText(precision: "seconds" | "micros", seconds: number, nanos: number): string | undefined {
  const isOutside = !(seconds >= SECONDS_ZERO && seconds <= SECONDS_MAX);
  if (isOutside || nanos < 0 || nanos >= NANOS_PER_SECOND) throw new ProtobufError("a time is out of range");
  const text = timestamp(seconds * 1000);
  // Kubernetes drops the fraction of most times, for JSON never had it.
  if (precision === "seconds") return seconds === SECONDS_ZERO ? undefined : text;
  const micros = Math.trunc(nanos / NANOS_PER_MICRO);
  return seconds === SECONDS_ZERO && micros === 0
    ? undefined
    : `${text.slice(0, -1)}.${String(micros).padStart(6, "0")}Z`;
}
