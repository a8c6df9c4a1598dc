import { TransportError } from "@levelset/core";
import type { Clock, Fetch, Timer } from "@levelset/core";
import { wrapFetch } from "../client/index.ts";
import type { Passing } from "../client/index.ts";

/** Requests that change nothing. */
const READS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Lets writes pass only while we lead. A holder that was stopped for a while, or whose clock runs on while its network does not,
 * cannot write after its own lease ended, whatever it believes: the decision is made here, at the last moment, and requests under
 * way are aborted when the time comes.
 */
export class Fence {
  /** What passes through the fence. */
  readonly fetch: Fetch;
  readonly #clock: Clock;
  readonly #writes = new Set<AbortController>();
  #until = Number.NEGATIVE_INFINITY;
  #timer: Timer | undefined;

  constructor(inner: Fetch, clock: Clock) {
    this.#clock = clock;
    this.fetch = wrapFetch(inner, (passing, goOn) => this.#pass(passing, goOn));
  }

  /** Writes may pass until then. A time that is over closes the fence at once. */
  openUntil(until: number): void {
    this.#until = until;
    this.#timer?.cancel();
    const leftMs = until - this.#clock.now();
    if (leftMs <= 0) return this.#abort();
    this.#timer = this.#clock.after(leftMs, () => this.#abort());
  }

  /** No write passes any more. */
  close(): void {
    this.openUntil(Number.NEGATIVE_INFINITY);
  }

  async #pass<Answer>(passing: Passing, goOn: (signal?: AbortSignal) => Promise<Answer>): Promise<Answer> {
    const { method, signal } = passing;
    if (READS.has(method)) return goOn();
    if (this.#clock.now() >= this.#until) throw notLeading();
    const guard = new AbortController();
    const onAbort = (): void => guard.abort(signal?.reason);
    if (signal?.aborted === true) onAbort();
    signal?.addEventListener("abort", onAbort, { once: true });
    this.#writes.add(guard);
    try {
      return await goOn(guard.signal);
    } finally {
      signal?.removeEventListener("abort", onAbort);
      this.#writes.delete(guard);
    }
  }

  #abort(): void {
    for (const guard of this.#writes) guard.abort(notLeading());
    this.#writes.clear();
  }
}

function notLeading(): TransportError {
  return new TransportError("this process no longer leads, so it does not write");
}
