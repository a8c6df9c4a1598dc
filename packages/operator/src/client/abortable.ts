import { isAbortError, toError } from "@levelset/core";

/**
 * Settles with `work`, or rejects with an abort error as soon as the signal aborts. Adds its own listener, because
 * dependent signals hold weak references and may be collected before they forward the abort.
 */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(abortError(signal));
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** Returns the reason of an aborted signal as an error that `isAbortError` recognizes. */
export function abortError(signal: AbortSignal): Error {
  return isAbortError(signal.reason)
    ? toError(signal.reason)
    : new DOMException("This operation was aborted", "AbortError");
}
