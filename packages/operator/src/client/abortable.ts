import { isAbort, toError } from "@levelset/core";

/**
 * The outcome of `work`, or a rejection as soon as the signal aborts. Platforms pass an abort on from signal to signal by weak
 * references, so one that is collected too early swallows it; here the listener is ours and cannot be.
 */
export function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(abortError(signal));
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(
      (value) => {
        signal.removeEventListener("abort", onAbort);
        resolve(value);
      },
      (error: unknown) => {
        signal.removeEventListener("abort", onAbort);
        reject(toError(error));
      },
    );
  });
}

/** The reason of an aborted signal, as an error that `isAbort` knows. */
export function abortError(signal: AbortSignal): Error {
  return isAbort(signal.reason) ? toError(signal.reason) : new DOMException("This operation was aborted", "AbortError");
}
