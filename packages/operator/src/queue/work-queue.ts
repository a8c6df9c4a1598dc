import type { Clock, Random, Timer } from "@levelset/core";
import { backoffMs } from "./backoff.ts";
import type { BackoffLimits } from "./backoff.ts";

/** How many reasons of one pending run are kept; later ones are dropped. */
const REASONS_MAX = 10;

/** A key to work on, and why. */
export interface Job {
  readonly key: string;
  readonly reasons: readonly string[];
}

/** What a queue needs. */
export interface WorkQueueOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly backoff: BackoffLimits;
}

/**
 * Keys that need a run. A key is worked on by one worker at a time, and waits at most once however often it is added: an add
 * during its run is remembered for after it. Of several delays the earlier wins, and an immediate add ends them all.
 */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  /** Keys to run now, oldest first, with their reasons. */
  readonly #ready = new Map<string, string[]>();
  /** Keys added while they run. */
  readonly #again = new Map<string, string[]>();
  readonly #running = new Set<string>();
  readonly #delayed = new Map<string, { readonly at: number; readonly timer: Timer }>();
  readonly #failures = new Map<string, number>();
  readonly #takers: ((job: Job | undefined) => void)[] = [];
  #closed = false;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
  }

  /** How many keys wait to be run now. */
  get depth(): number {
    return this.#ready.size;
  }

  /** Run this key as soon as possible. */
  add(key: string, reason: string): void {
    if (this.#closed) return;
    this.#cancelDelay(key);
    const waiting = this.#running.has(key) ? this.#again : this.#ready;
    const reasons = waiting.get(key) ?? [];
    if (reasons.length < REASONS_MAX && !reasons.includes(reason)) reasons.push(reason);
    waiting.set(key, reasons);
    this.#serve();
  }

  /** Run this key after `ms`, unless something runs it before. */
  addAfter(key: string, ms: number, reason: string): void {
    if (this.#closed) return;
    const at = this.#options.clock.now() + ms;
    const present = this.#delayed.get(key);
    if (present !== undefined && present.at <= at) return;
    this.#cancelDelay(key);
    const timer = this.#options.clock.after(ms, () => {
      this.#delayed.delete(key);
      this.add(key, reason);
    });
    this.#delayed.set(key, { at, timer });
  }

  /** Run this key after a delay that grows with each call since the last `forget`. Answers with the delay. */
  addAfterFailure(key: string, reason: string): number {
    const failures = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, failures);
    const ms = backoffMs(failures, this.#options.backoff, this.#options.random);
    this.addAfter(key, ms, reason);
    return ms;
  }

  /** The key did well: its next failure waits the shortest delay again. */
  forget(key: string): void {
    this.#failures.delete(key);
  }

  /** The next key to work on; undefined once the queue is closed. Every job must be ended with `done`. */
  take(): Promise<Job | undefined> {
    return new Promise((resolve) => {
      this.#takers.push(resolve);
      this.#serve();
    });
  }

  /** Ends a job; a key that was added meanwhile becomes ready. */
  done(key: string): void {
    this.#running.delete(key);
    const reasons = this.#again.get(key);
    this.#again.delete(key);
    if (reasons !== undefined && !this.#closed) this.#ready.set(key, reasons);
    this.#serve();
  }

  /** Drops all that waits and lets every taker go. */
  close(): void {
    this.#closed = true;
    for (const { timer } of this.#delayed.values()) timer.cancel();
    this.#delayed.clear();
    this.#ready.clear();
    this.#again.clear();
    for (const taker of this.#takers.splice(0)) taker(undefined);
  }

  #serve(): void {
    while (this.#takers.length > 0) {
      if (this.#closed) return this.#takers.shift()?.(undefined);
      const [first] = this.#ready;
      if (first === undefined) return;
      const [key, reasons] = first;
      this.#ready.delete(key);
      this.#running.add(key);
      this.#takers.shift()?.({ key, reasons });
    }
  }

  #cancelDelay(key: string): void {
    this.#delayed.get(key)?.timer.cancel();
    this.#delayed.delete(key);
  }
}
