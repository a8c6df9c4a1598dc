import type { Clock, Random, Timer } from "@levelset/core";
import { backoffMs } from "./backoff.ts";
import type { BackoffLimits } from "./backoff.ts";
import { FairQueue } from "./fair-queue.ts";

/** How many reasons of one pending run are kept; later ones are dropped. */
const REASONS_MAX = 10;
/** While keys of both priorities wait, one of so many turns goes to the low one, so that nothing starves. */
const LOW_EVERY = 8;

/** `high` is for what just happened, `low` for what is looked at anyway: the first list, a resync. */
export type Priority = "high" | "low";

/** A key to work on, and why. */
export interface Job {
  readonly key: string;
  readonly reasons: readonly string[];
  /** When it was added first. */
  readonly addedAt: number;
}

/** What a queue needs. */
export interface WorkQueueOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly backoff: BackoffLimits;
  /** How many keys may wait, delayed ones included. Default 1,000,000. */
  readonly max?: number;
  /** Keys were turned away because the queue was full, and there is room again: whoever adds them has to look at all. */
  readonly onRoom?: () => void;
}

interface Waiting {
  readonly reasons: string[];
  readonly addedAt: number;
  priority: Priority;
}

interface Delay {
  readonly at: number;
  readonly timer: Timer;
}

/**
 * Keys that need a run. A key is worked on by one worker at a time, and waits at most once however often it is added: an add
 * during its run is remembered for after it. Of several delays the earlier wins, and an immediate add ends them all. Namespaces
 * take turns, and low priority gets its share.
 */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #max: number;
  readonly #lines: Readonly<Record<Priority, FairQueue>> = { high: new FairQueue(), low: new FairQueue() };
  /** How many keys wait at each priority. Lines may hold more: keys whose priority was raised leave a trace. */
  readonly #counts: Record<Priority, number> = { high: 0, low: 0 };
  readonly #waiting = new Map<string, Waiting>();
  /** Keys that run now, and what was added meanwhile. */
  readonly #running = new Map<string, Waiting | undefined>();
  readonly #delayed = new Map<string, Delay>();
  readonly #failures = new Map<string, number>();
  readonly #takers: ((job: Job | undefined) => void)[] = [];
  #turn = 0;
  #isOverflown = false;
  #isClosed = false;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
    this.#max = options.max ?? 1_000_000;
  }

  /** How many keys wait to be run now. */
  get depth(): number {
    return this.#waiting.size;
  }

  /** How many keys wait for a later time. */
  get delayed(): number {
    return this.#delayed.size;
  }

  /** How many keys are being worked on. */
  get running(): number {
    return this.#running.size;
  }

  /** Since when the key that waits longest does, of those that would run next. Undefined when none waits. */
  get oldestAt(): number | undefined {
    const [first] = this.#waiting.values();
    return first?.addedAt;
  }

  /** How often a key failed since it last did well. */
  failuresOf(key: string): number {
    return this.#failures.get(key) ?? 0;
  }

  /** Run this key as soon as possible. */
  add(key: string, reason: string, priority: Priority = "high"): void {
    if (this.#isClosed) return;
    this.#cancelDelay(key);
    if (this.#running.has(key)) {
      const again = this.#running.get(key) ?? { reasons: [], addedAt: this.#options.clock.now(), priority };
      join(again, reason, priority);
      this.#running.set(key, again);
      return;
    }
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) return this.#raise(key, waiting, reason, priority);
    if (this.#isFull()) return;
    this.#enqueue(key, { reasons: [reason], addedAt: this.#options.clock.now(), priority });
    this.#serve();
  }

  /** Run this key after `ms`, unless something runs it before. After none, at once. */
  addAfter(key: string, ms: number, reason: string): void {
    if (this.#isClosed) return;
    if (ms <= 0) return this.add(key, reason);
    const at = this.#options.clock.now() + ms;
    const present = this.#delayed.get(key);
    if ((present !== undefined && present.at <= at) || (present === undefined && this.#isFull())) return;
    this.#cancelDelay(key);
    const timer = this.#options.clock.after(ms, () => {
      this.#delayed.delete(key);
      this.add(key, reason);
    });
    this.#delayed.set(key, { at, timer });
  }

  /** Run this key after a delay that grows with each call since the last `forget`. Answers with the delay. */
  addAfterFailure(key: string, reason: string): number {
    const failures = this.failuresOf(key) + 1;
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
    if (this.#isClosed) return Promise.resolve(undefined);
    const job = this.#next();
    if (job !== undefined) return Promise.resolve(job);
    return new Promise((resolve) => {
      this.#takers.push(resolve);
    });
  }

  /** Ends a job; a key that was added meanwhile becomes ready. */
  done(key: string): void {
    const again = this.#running.get(key);
    this.#running.delete(key);
    if (this.#isClosed) return;
    if (again !== undefined) {
      this.#enqueue(key, again);
      this.#serve();
    }
    if (this.#isOverflown && this.#size() * 2 < this.#max) {
      this.#isOverflown = false;
      this.#options.onRoom?.();
    }
  }

  /** Drops all that waits and lets every taker go. */
  close(): void {
    this.#isClosed = true;
    for (const { timer } of this.#delayed.values()) timer.cancel();
    this.#delayed.clear();
    this.#waiting.clear();
    for (const taker of this.#takers.splice(0)) taker(undefined);
  }

  #enqueue(key: string, waiting: Waiting): void {
    this.#waiting.set(key, waiting);
    this.#lines[waiting.priority].push(key);
    this.#counts[waiting.priority]++;
  }

  #raise(key: string, waiting: Waiting, reason: string, priority: Priority): void {
    const before = waiting.priority;
    join(waiting, reason, priority);
    if (waiting.priority === before) return;
    this.#counts[before]--;
    this.#lines[waiting.priority].push(key);
    this.#counts[waiting.priority]++;
  }

  #next(): Job | undefined {
    const { high, low } = this.#counts;
    if (high + low === 0) return undefined;
    this.#turn++;
    const priority = high === 0 || (low > 0 && this.#turn % LOW_EVERY === 0) ? "low" : "high";
    for (;;) {
      const key = this.#lines[priority].shift();
      if (key === undefined) return undefined;
      const waiting = this.#waiting.get(key);
      // A trace of a key that was raised, or has run since.
      if (waiting?.priority !== priority) continue;
      this.#waiting.delete(key);
      this.#counts[priority]--;
      this.#running.set(key, undefined);
      return { key, reasons: waiting.reasons, addedAt: waiting.addedAt };
    }
  }

  #serve(): void {
    while (this.#takers.length > 0) {
      const job = this.#next();
      if (job === undefined) return;
      this.#takers.shift()?.(job);
    }
  }

  #size(): number {
    return this.#waiting.size + this.#delayed.size;
  }

  #isFull(): boolean {
    if (this.#size() < this.#max) return false;
    this.#isOverflown = true;
    return true;
  }

  #cancelDelay(key: string): void {
    const delay = this.#delayed.get(key);
    if (delay === undefined) return;
    delay.timer.cancel();
    this.#delayed.delete(key);
  }
}

function join(waiting: Waiting, reason: string, priority: Priority): void {
  if (waiting.reasons.length < REASONS_MAX && !waiting.reasons.includes(reason)) waiting.reasons.push(reason);
  if (priority === "high") waiting.priority = "high";
}
