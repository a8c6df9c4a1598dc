// For projects whose compiler has no Disposable types: browser projects without the Node types.
/// <reference lib="esnext.disposable" preserve="true" />
import { isAbortError, toError } from "../error/index.ts";
import type { Clock, Timer } from "../time/index.ts";

/**
 * Calls `listener` when the signal aborts, at once if it has aborted. Disposing removes the listener; a listener that is
 * not removed stays in memory as long as the signal.
 */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): Disposable {
  if (signal?.aborted === true) listener();
  else signal?.addEventListener("abort", listener, { once: true });
  return { [Symbol.dispose]: () => signal?.removeEventListener("abort", listener) };
}

/** Resolves when the signal aborts. */
export async function whenAborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  onAbort(signal, resolve);
  await promise;
}

/** Returns the reason of an aborted signal as an error that `isAbortError` recognizes. */
export function abortError(signal: AbortSignal): Error {
  return isAbortError(signal.reason) ? toError(signal.reason) : defaultReason();
}

function defaultReason(): Error {
  return new DOMException("This operation was aborted", "AbortError");
}

/**
 * Settles with `work`, or rejects with an abort error as soon as the signal aborts. Adds its own listener, because
 * dependent signals hold weak references and may be collected before they forward the abort.
 */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return signal === undefined ? work : raceAbort(work, signal, abortError);
}

async function raceAbort<T>(
  work: Promise<T>,
  signal: AbortSignal,
  errorOf: (signal: AbortSignal) => unknown,
): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  using _ = onAbort(signal, () => aborted.reject(errorOf(signal)));
  return await Promise.race([work, aborted.promise]);
}

/** Time limit of a {@link LinkedAbortController}. */
export interface AbortTimeout {
  readonly clock: Pick<Clock, "after">;
  readonly ms: number;
  /** Creates the reason of the abort. Default: an AbortError. */
  readonly error?: () => Error;
}

/**
 * An AbortController that also aborts with the first of other signals, and after a timeout. Passes on reasons that are
 * errors. Disposing removes its listeners and its timer, so an operation leaves no reference in a signal that outlives
 * it.
 */
export class LinkedAbortController implements Disposable {
  readonly #controller = new AbortController();
  readonly #links: readonly Disposable[];
  readonly #timer: Timer | undefined;

  constructor(signals: readonly (AbortSignal | undefined)[], timeout?: AbortTimeout) {
    this.#timer = timeout?.clock.after(timeout.ms, () => this.abort(timeout.error?.()));
    this.#links = signals.map((signal) => onAbort(signal, () => this.abort(signal?.reason)));
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Aborts the signal. Later calls do nothing. */
  abort(reason?: unknown): void {
    this.#controller.abort(reason instanceof Error ? reason : defaultReason());
  }

  /** Settles with `work`, or rejects with the reason as soon as the signal aborts. `work` continues. */
  race<T>(work: Promise<T>): Promise<T> {
    return raceAbort(work, this.signal, ({ reason }) => reason as unknown);
  }

  [Symbol.dispose](): void {
    this.#timer?.cancel();
    for (const link of this.#links) link[Symbol.dispose]();
  }
}

/** Settles with `work`, or rejects with the error of the timeout. `work` continues, and its result is ignored. */
export async function withTimeout<T>(timeout: AbortTimeout, work: Promise<T>): Promise<T> {
  using limit = new LinkedAbortController([], timeout);
  return await limit.race(work);
}
