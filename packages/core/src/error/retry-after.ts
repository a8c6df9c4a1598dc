import { StatusError } from "./status-error.ts";

/** Maximum delay that a server can request, so that a wrong value does not stop an operator for days. */
const DELAY_MAX_MS = 300_000;
/** Maximum depth of causes that are searched. */
const DEPTH_MAX = 8;

/**
 * Returns the delay in milliseconds that a server requested with Retry-After, up to five minutes: that of the error, of
 * its cause, or the longest of combined errors. Undefined if there is none.
 */
export function retryAfterOf(error: unknown, depth = 0): number | undefined {
  if (!(error instanceof Error) || depth > DEPTH_MAX) return undefined;
  // The body of a response may contain any value.
  const seconds: unknown = error instanceof StatusError ? error.details?.retryAfterSeconds : undefined;
  if (typeof seconds === "number" && seconds >= 0) return Math.min(seconds * 1_000, DELAY_MAX_MS);
  const inner: readonly unknown[] = error instanceof AggregateError ? error.errors : [error.cause];
  const delays = inner.flatMap((each) => retryAfterOf(each, depth + 1) ?? []);
  return delays.length === 0 ? undefined : Math.max(...delays);
}
