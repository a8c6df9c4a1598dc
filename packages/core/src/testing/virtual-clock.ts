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
  #now: number;
  #order = 0;
  #pending: Pending[] = [];

  /** Starts at a fixed moment unless told otherwise, so that runs are alike. */
  constructor(startMs: number = Date.UTC(2026, 0, 1)) {
    this.#now = startMs;
  }

  /** Whole milliseconds, as clocks give them; timers keep their fractions. */
  now(): number {
    return Math.floor(this.#now);
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return sleepWith(this, ms, signal);
  }

  after(ms: number, run: () => void): Timer {
    const pending: Pending = { at: this.#now + Math.max(0, ms), order: this.#order++, run };
    this.#pending.push(pending);
    return { cancel: () => (this.#pending = this.#pending.filter((other) => other !== pending)) };
  }

  /** When the next timer fires; undefined when none is set. */
  get nextAt(): number | undefined {
    return this.#next()?.at;
  }

  /** Moves time forward by `ms`, firing what falls due, each after the last one's consequences have come to rest. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    await atRest();
    for (let next = this.#next(); next !== undefined && next.at <= until; next = this.#next()) {
      const due = next;
      this.#pending = this.#pending.filter((pending) => pending !== due);
      this.#now = due.at;
      due.run();
      await atRest();
    }
    this.#now = until;
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
