import { formatTimestamp } from "@levelset/core/internal";
import { ProtobufError } from "./wire.ts";

/** Go's zero time: 0001-01-01T00:00:00Z. */
const SECONDS_ZERO = -62_135_596_800;
/** The last second that RFC 3339 can represent. */
const SECONDS_MAX = 253_402_300_799;
const NANOS_PER_MICRO = 1_000;
const NANOS_PER_SECOND = 1_000_000_000;

/** Formats a time as RFC 3339 in UTC; undefined for the zero time. Throws `ProtobufError` if it is out of range. */
export function formatProtobufTime(
  precision: "seconds" | "micros",
  seconds: number,
  nanos: number,
): string | undefined {
  const isOutside = !(seconds >= SECONDS_ZERO && seconds <= SECONDS_MAX);
  if (isOutside || nanos < 0 || nanos >= NANOS_PER_SECOND) throw new ProtobufError("a time is out of range");
  const text = formatTimestamp(seconds * 1000);
  // metav1.Time has no fraction in JSON (k8s.io/apimachinery/pkg/apis/meta/v1/time.go, Kubernetes 1.36).
  if (precision === "seconds") return seconds === SECONDS_ZERO ? undefined : text;
  const micros = Math.trunc(nanos / NANOS_PER_MICRO);
  return seconds === SECONDS_ZERO && micros === 0
    ? undefined
    : `${text.slice(0, -1)}.${String(micros).padStart(6, "0")}Z`;
}
