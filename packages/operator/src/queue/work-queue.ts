import { backoffMs } from "@levelset/core/internal";
import type { BackoffLimits } from "@levelset/core/internal";
import type { Clock, Random, Timer } from "@levelset/core";
import { FairQueue } from "./fair-queue.ts";
import { PendingTriggers } from "./pending-triggers.ts";
import type { Trigger, TriggerKind } from "./trigger.ts";

/** While keys of both priorities wait, one in this many turns serves low priority, which prevents starvation. */
const LOW_EVERY = 8;

/** `high` for live changes, `low` for the initial list and resyncs. */
export type Priority = "high" | "low";

/** A key to reconcile, and its triggers. */
export interface WorkItem {
  readonly key: string;
  /** Every kind of trigger since its last run. */
  readonly triggers: ReadonlySet<TriggerKind>;
  /** Descriptions of the triggers; bounded in number. */
  readonly reasons: readonly string[];
  /** Time of the first add since the last run. */
  readonly addedAt: number;
}

/** Options of {@link WorkQueue}. */
export interface WorkQueueOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly backoff: BackoffLimits;
  /** Maximum number of waiting keys, including delayed ones. Default 1,000,000. */
  readonly max?: number;
  /** Called when a full queue that rejected keys has capacity again. The producer must add all keys again. */
  readonly onCapacity?: () => void;
}

interface Waiting {
  readonly triggers: PendingTriggers;
  readonly addedAt: number;
  priority: Priority;
}

/** A key that runs now. */
interface Running {
  readonly triggers: PendingTriggers;
  /** The add during the run, if there was one. */
  again: Waiting | undefined;
}

interface Delay {
  /** In monotonic time. */
  readonly at: number;
  readonly timer: Timer;
  /** Triggers of a postponed run. They are added to the next run, however the delay ends. */
  readonly carried: PendingTriggers | undefined;
}

/**
 * Deduplicating work queue. A key is processed by one worker at a time and is queued at most once; an add during its
 * run is queued until the run ends. The earliest of several delays wins, and an immediate add cancels them. Namespaces
 * are served round robin, and low priority is not starved.
 */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #max: number;
  readonly #lines: Readonly<Record<Priority, FairQueue>> = { high: new FairQueue(), low: new FairQueue() };
  /** Number of waiting keys per priority. The queues may hold more: raised keys leave a stale entry. */
  readonly #counts: Record<Priority, number> = { high: 0, low: 0 };
  readonly #waiting = new Map<string, Waiting>();
  readonly #running = new Map<string, Running>();
  readonly #delayed = new Map<string, Delay>();
  readonly #failures = new Map<string, number>();
  readonly #takers: ((job: WorkItem | undefined) => void)[] = [];
  #turn = 0;
  #isOverflown = false;
  #isClosed = false;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
    this.#max = options.max ?? 1_000_000;
  }

  /** Number of keys that are ready. */
  get depth(): number {
    return this.#waiting.size;
  }

  /** Number of delayed keys. */
  get delayed(): number {
    return this.#delayed.size;
  }

  /** Number of keys that are being processed. */
  get running(): number {
    return this.#running.size;
  }

  /** When the oldest of the next keys was added; undefined if no key is ready. */
  get oldestAt(): number | undefined {
    const [first] = this.#waiting.values();
    return first?.addedAt;
  }

  /** Returns the number of failures of a key since the last `forget`. */
  numRequeues(key: string): number {
    return this.#failures.get(key) ?? 0;
  }

  /** Adds a key to run as soon as possible. */
  add(key: string, trigger: Trigger, priority: Priority = "high"): void {
    this.addAll(key, [trigger], priority);
  }

  /** Adds a key to run as soon as possible, once for all of these triggers. */
  addAll(key: string, triggers: readonly Trigger[], priority: Priority = "high"): void {
    const pending = new PendingTriggers();
    for (const trigger of triggers) pending.add(trigger);
    this.#add(key, pending, priority);
  }

  /** Adds a key after `ms`, or at once if `ms` is not positive. An earlier add cancels the delay. */
  addAfter(key: string, ms: number, trigger: Trigger): void {
    if (this.#isClosed) return;
    if (ms <= 0) return this.add(key, trigger);
    this.#delay(key, ms, trigger, undefined);
  }

  /** Delays a key that was just taken by `ms`. Its next run has the triggers of this one, and `trigger`. */
  postpone(job: WorkItem, ms: number, trigger: Trigger): void {
    if (this.#isClosed) return;
    this.#delay(job.key, ms, trigger, this.#running.get(job.key)?.triggers);
  }

  /**
   * Adds a key after a backoff that grows with each call since the last `forget`, and after `minMs` at the earliest.
   * Returns the delay.
   */
  addRateLimited(key: string, trigger: Trigger, minMs = 0): number {
    const failures = this.numRequeues(key) + 1;
    this.#failures.set(key, failures);
    const ms = Math.max(minMs, backoffMs(failures, this.#options.backoff, this.#options.random));
    this.addAfter(key, ms, trigger);
    return ms;
  }

  /** Resets the backoff of a key. */
  forget(key: string): void {
    this.#failures.delete(key);
  }

  /** Resolves with the next key, or undefined once the queue is closed. The caller must call `done` for every key. */
  get(): Promise<WorkItem | undefined> {
    if (this.#isClosed) return Promise.resolve(undefined);
    const job = this.#next();
    if (job !== undefined) return Promise.resolve(job);
    return new Promise((resolve) => {
      this.#takers.push(resolve);
    });
  }

  /** Ends the run of a key; a key that was added meanwhile becomes ready. */
  done(key: string): void {
    const again = this.#running.get(key)?.again;
    this.#running.delete(key);
    if (this.#isClosed) return;
    if (again !== undefined) {
      this.#enqueue(key, again);
      this.#serve();
    }
    if (this.#isOverflown && this.#size() * 2 < this.#max) {
      this.#isOverflown = false;
      this.#options.onCapacity?.();
    }
  }

  /** Drops all waiting keys and resolves pending `get` calls with undefined. */
  close(): void {
    this.#isClosed = true;
    for (const { timer } of this.#delayed.values()) timer.cancel();
    this.#delayed.clear();
    this.#waiting.clear();
    for (const taker of this.#takers.splice(0)) taker(undefined);
  }

  #add(key: string, triggers: PendingTriggers, priority: Priority): void {
    if (this.#isClosed) return;
    const carried = this.#cancelDelay(key);
    if (carried !== undefined) triggers.join(carried);
    const running = this.#running.get(key);
    if (running !== undefined) {
      if (running.again === undefined) running.again = this.#waitingFor(triggers, priority);
      else join(running.again, triggers, priority);
      return;
    }
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) return this.#raise(key, waiting, triggers, priority);
    if (this.#isFull()) return;
    this.#enqueue(key, this.#waitingFor(triggers, priority));
    this.#serve();
  }

  #waitingFor(triggers: PendingTriggers, priority: Priority): Waiting {
    return { triggers, addedAt: this.#options.clock.now(), priority };
  }

  #delay(key: string, ms: number, trigger: Trigger, carried: PendingTriggers | undefined): void {
    const at = this.#options.clock.monotonic() + ms;
    const present = this.#delayed.get(key);
    if (present === undefined && carried === undefined && this.#isFull()) return;
    if (present !== undefined && present.at <= at) {
      if (carried !== undefined) this.#delayed.set(key, { ...present, carried: joined(carried, present.carried) });
      return;
    }
    const kept = joined(carried, this.#cancelDelay(key));
    const timer = this.#options.clock.after(ms, () => this.add(key, trigger));
    this.#delayed.set(key, { at, timer, carried: kept });
  }

  #enqueue(key: string, waiting: Waiting): void {
    this.#waiting.set(key, waiting);
    this.#lines[waiting.priority].push(key);
    this.#counts[waiting.priority]++;
  }

  #raise(key: string, waiting: Waiting, triggers: PendingTriggers, priority: Priority): void {
    const before = waiting.priority;
    join(waiting, triggers, priority);
    if (waiting.priority === before) return;
    this.#counts[before]--;
    this.#lines[waiting.priority].push(key);
    this.#counts[waiting.priority]++;
  }

  #next(): WorkItem | undefined {
    const { high, low } = this.#counts;
    if (high + low === 0) return undefined;
    this.#turn++;
    const priority = high === 0 || (low > 0 && this.#turn % LOW_EVERY === 0) ? "low" : "high";
    for (;;) {
      const key = this.#lines[priority].shift();
      if (key === undefined) return undefined;
      const waiting = this.#waiting.get(key);
      // A stale entry of a key that was raised or has run since.
      if (waiting?.priority !== priority) continue;
      this.#waiting.delete(key);
      this.#counts[priority]--;
      const { triggers, addedAt } = waiting;
      this.#running.set(key, { triggers, again: undefined });
      return { key, triggers: triggers.kinds, reasons: triggers.descriptions, addedAt };
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

  /** Cancels a delay. Returns the triggers that it carried. */
  #cancelDelay(key: string): PendingTriggers | undefined {
    const delay = this.#delayed.get(key);
    delay?.timer.cancel();
    this.#delayed.delete(key);
    return delay?.carried;
  }
}

function join(waiting: Waiting, triggers: PendingTriggers, priority: Priority): void {
  waiting.triggers.join(triggers);
  if (priority === "high") waiting.priority = "high";
}

function joined(one: PendingTriggers | undefined, other: PendingTriggers | undefined): PendingTriggers | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  one.join(other);
  return one;
}
