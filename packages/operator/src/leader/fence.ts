import { Deadline, TransportError } from "@levelset/core";
import type { Clock, Fetch, Instant, Timer } from "@levelset/core";
import { wrapFetch } from "../client/index.ts";
import type { Passing } from "../client/index.ts";

/** Requests that change nothing. */
const READS = new Set(["GET", "HEAD", "OPTIONS"]);

/** How often an open fence looks at both clocks: timers stand still while the machine is suspended. */
const CHECK_MS = 1_000;

/**
 * Lets writes pass only while we lead. A holder that was stopped or suspended for a while, or whose wall clock was stepped, cannot write after its own
 * lease ended, whatever it believes: the decision is made here, at the last moment, by both clocks, and requests under way are aborted when the
 * time comes.
 */
export class Fence {
  /** What passes through the fence. */
  readonly fetch: Fetch;
  readonly #clock: Clock;
  readonly #writes = new Set<AbortController>();
  #deadline: Deadline | undefined;
  #timer: Timer | undefined;

  constructor(inner: Fetch, clock: Clock) {
    this.#clock = clock;
    this.fetch = wrapFetch(inner, (passing, goOn) => this.#pass(passing, goOn));
  }

  /** Lets writes pass for `ms` from `since`, which is now unless given: until either clock says that the time is over. Replaces what held before. */
  openFor(ms: number, since?: Instant): void {
    this.#deadline = new Deadline(this.#clock, ms, since);
    this.#check();
  }

  /** No write passes any more. */
  close(): void {
    this.#deadline = undefined;
    this.#check();
  }

  get #isOpen(): boolean {
    return this.#deadline?.hasPassed === false;
  }

  /** Aborts what is under way if the fence is closed; else looks again before long. */
  #check(): void {
    this.#timer?.cancel();
    if (this.#deadline === undefined || this.#deadline.hasPassed) return this.#abort();
    this.#timer = this.#clock.after(Math.min(this.#deadline.leftMs, CHECK_MS), () => this.#check());
  }

  async #pass<Answer>(passing: Passing, goOn: (signal?: AbortSignal) => Promise<Answer>): Promise<Answer> {
    const { method, signal } = passing;
    if (READS.has(method)) return goOn();
    if (!this.#isOpen) throw notLeading();
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
