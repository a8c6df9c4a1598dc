// For projects whose compiler has no Disposable types: browser projects without the Node types.
/// <reference lib="esnext.disposable" preserve="true" />
import { TransportError } from "@levelset/core";
import type { Clock, Timer } from "@levelset/core";

/** A signal that aborts with the caller's signal or after a timeout. Disposing releases both. */
export class DeadlineSignal implements Disposable {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal | undefined;
  readonly #timer: Timer;
  readonly #onAbort = (): void => this.#controller.abort(abortReason(this.#outer));

  constructor(options: {
    readonly clock: Clock;
    readonly ms: number;
    readonly outer: AbortSignal | undefined;
    /** The error message of the timeout. */
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
   * Returns the result of `work`, or rejects with the abort reason. Platforms propagate an abort between signals
   * through weak references, and a collected one drops it; this listener is strongly referenced.
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
