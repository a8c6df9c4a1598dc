import { sleepWith } from "../time/index.ts";
import type { Clock, Timer } from "../time/index.ts";

interface Pending {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

/**
 * Time that moves only when told to. `advance` fires timers in order and lets everything they started come to rest before the
 * next, so a test of a whole cluster is exact and takes milliseconds.
 */
export class VirtualClock implements Clock {
  /** Timers follow it. */
  #monotonic = 0;
  /** What the wall clock is ahead of monotonic time. */
  #offset: number;
  #order = 0;
  #pending: Pending[] = [];

  /** Starts at a fixed moment unless told otherwise, so that runs are alike. */
  constructor(startMs: number = Date.UTC(2026, 0, 1)) {
    this.#offset = startMs;
  }

  /** Whole milliseconds, as clocks give them; timers keep their fractions. */
  now(): number {
    return Math.floor(this.#monotonic + this.#offset);
  }

  monotonic(): number {
    return Math.floor(this.#monotonic);
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return sleepWith(this, ms, signal);
  }

  after(ms: number, run: () => void): Timer {
    const pending: Pending = { at: this.#monotonic + Math.max(0, ms), order: this.#order++, run };
    this.#pending.push(pending);
    return { cancel: () => (this.#pending = this.#pending.filter((other) => other !== pending)) };
  }

  /** When the next timer fires, by the wall clock as it is now; undefined when none is set. */
  get nextAt(): number | undefined {
    const at = this.#next()?.at;
    return at === undefined ? undefined : at + this.#offset;
  }

  /** Steps the wall clock by `ms`, back if negative, as a time server or a person does. Monotonic time and timers do not notice. */
  stepWall(ms: number): void {
    this.#offset += ms;
  }

  /** Suspends the machine for `ms`: the wall clock goes on, monotonic time stands still and no timer fires. */
  suspend(ms: number): void {
    this.stepWall(ms);
  }

  /** Stops the process for `ms`, as SIGSTOP does: both clocks go on, and timers that fall due meanwhile fire late, in the next `advance`. */
  stall(ms: number): void {
    this.#monotonic += ms;
  }

  /** Moves time forward by `ms`, firing what falls due, each after the last one's consequences have come to rest. */
  async advance(ms: number): Promise<void> {
    const until = this.#monotonic + ms;
    await atRest();
    for (let next = this.#next(); next !== undefined && next.at <= until; next = this.#next()) {
      const due = next;
      this.#pending = this.#pending.filter((pending) => pending !== due);
      this.#monotonic = Math.max(this.#monotonic, due.at);
      due.run();
      await atRest();
    }
    this.#monotonic = until;
  }

  #next(): Pending | undefined {
    return this.#pending.reduce<Pending | undefined>((first, pending) => {
      if (first === undefined || pending.at < first.at) return pending;
      return pending.at === first.at && pending.order < first.order ? pending : first;
    }, undefined);
  }
}

/** How many turns of the event loop a chain of promises and streams may need before it is taken to be at rest. */
const TURNS = 3;

/**
 * Resolves when everything that was started has come to rest, as far as it waits for neither timers nor the network: promises
 * and streams in one process run dry within a few turns of the event loop.
 */
export async function atRest(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}
