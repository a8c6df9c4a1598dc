import { isAbort, toError } from "@levelset/core";

/**
 * The outcome of `work`, or a rejection as soon as the signal aborts. Platforms pass an abort on from signal to signal by weak
 * references, so one that is collected too early swallows it; here the listener is ours and cannot be.
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

/** The reason of an aborted signal, as an error that `isAbort` knows. */
export function abortError(signal: AbortSignal): Error {
  return isAbort(signal.reason) ? toError(signal.reason) : new DOMException("This operation was aborted", "AbortError");
}
