// For those whose compiler does not know Disposable by itself: browsers' projects, without the types of Node.
/// <reference lib="esnext.disposable" preserve="true" />
import { TransportError } from "@levelset/core";
import type { Clock, Timer } from "@levelset/core";

/** A signal that aborts with the caller's own, or when the time is up. Disposing lets go of both. */
export class TimeLimit implements Disposable {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal | undefined;
  readonly #timer: Timer;
  readonly #onAbort = (): void => this.#controller.abort(abortReason(this.#outer));

  constructor(options: {
    readonly clock: Clock;
    readonly ms: number;
    readonly outer: AbortSignal | undefined;
    /** What to say when the time is up. */
    readonly message: string;
  }) {
    const { clock, ms, outer, message } = options;
    this.#outer = outer;
    this.#timer = clock.after(ms, () => this.#controller.abort(new TransportError(message)));
    outer?.addEventListener("abort", this.#onAbort, { once: true });
    if (outer?.aborted === true) this.#onAbort();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /**
   * The outcome of `work`, or the reason of the abort as soon as there is one. Platforms pass an abort on from signal to signal by weak
   * references, and one that was collected swallows it; this listener is held.
   */
  async race<Out>(work: Promise<Out>): Promise<Out> {
    const { signal } = this;
    const aborted = Promise.withResolvers<never>();
    const onAbort = (): void => aborted.reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    try {
      return await Promise.race([work, aborted.promise]);
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  [Symbol.dispose](): void {
    this.#timer.cancel();
    this.#outer?.removeEventListener("abort", this.#onAbort);
  }
}

function abortReason(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new DOMException("This operation was aborted", "AbortError");
}
