import { Deadline, LinkedAbortController } from "@levelset/core/internal";
import { TransportError } from "@levelset/core";
import type { Clock, Fetch, Timer } from "@levelset/core";
import type { Instant } from "@levelset/core/internal";
import { wrapFetch } from "../client/index.ts";
import type { RequestInfo } from "../client/index.ts";

/** Methods of read requests. */
const READS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Interval at which an open fence checks both clocks, because timers stop while the machine is suspended: a second, or a
 * small part of a long lease.
 */
const CHECK_MS = 1_000;
const CHECKS_MAX = 15;

/**
 * Allows writes only while this process is the leader. A process that was stopped or suspended, or whose wall clock was
 * set, cannot write after the end of its lease: the fence checks both clocks right before each request, and aborts
 * requests in progress when the lease ends.
 */
export class Fence {
  /** Sends requests through the fence. Writes reject while the fence is closed. */
  readonly fetch: Fetch;
  readonly #clock: Clock;
  readonly #writes = new Set<LinkedAbortController>();
  #deadline: Deadline | undefined;
  #checkMs = CHECK_MS;
  #timer: Timer | undefined;

  constructor(inner: Fetch, clock: Clock) {
    this.#clock = clock;
    this.fetch = wrapFetch(inner, (request, next) => this.#guard(request, next));
  }

  /**
   * Allows writes for `ms` from `since` (default: now), until either clock has reached the end. Replaces the previous
   * deadline.
   */
  openFor(ms: number, since?: Instant): void {
    this.#deadline = new Deadline(this.#clock, ms, since);
    this.#checkMs = Math.max(CHECK_MS, ms / CHECKS_MAX);
    this.#check();
  }

  /**
   * Throws if another process may lead by now. Must be called right before an effect that does not pass the fence, such
   * as a call of an external service.
   */
  readonly assertOpen = (): void => {
    if (!this.#isOpen) throw notLeading();
  };

  /** Rejects further writes and aborts those in progress. */
  close(): void {
    this.#deadline = undefined;
    this.#check();
  }

  get #isOpen(): boolean {
    return this.#deadline?.hasPassed === false;
  }

  /** Aborts requests in progress if the lease has ended; otherwise schedules the next check. */
  #check(): void {
    this.#timer?.cancel();
    if (this.#deadline === undefined || this.#deadline.hasPassed) return this.#abort();
    this.#timer = this.#clock.after(Math.min(this.#deadline.leftMs, this.#checkMs), () => this.#check());
  }

  async #guard<R>({ method, signal }: RequestInfo, next: (signal?: AbortSignal) => Promise<R>): Promise<R> {
    if (READS.has(method)) return next();
    this.assertOpen();
    using guard = new LinkedAbortController([signal]);
    this.#writes.add(guard);
    try {
      return await next(guard.signal);
    } finally {
      this.#writes.delete(guard);
    }
  }

  #abort(): void {
    for (const guard of this.#writes) guard.abort(notLeading());
    this.#writes.clear();
  }
}

function notLeading(): TransportError {
  return new TransportError("stopped before a write: this process no longer leads");
}
