import type { Clock, Random, Timer } from "@levelset/core";
import { backoffMs } from "./backoff.ts";
import type { BackoffLimits } from "./backoff.ts";
import { FairQueue } from "./fair-queue.ts";
import { PendingTriggers } from "./pending-triggers.ts";
import type { Trigger, TriggerKind } from "./trigger.ts";

/** While keys of both priorities wait, one of so many turns goes to the low one, so that nothing starves. */
const LOW_EVERY = 8;

/** `high` is for what just happened, `low` for what is looked at anyway: the first list, a resync. */
export type Priority = "high" | "low";

/** A key to work on, and why. */
export interface Job {
  readonly key: string;
  /** Every kind of trigger since its last run. */
  readonly triggers: ReadonlySet<TriggerKind>;
  /** The triggers in words, for people; a bounded number of them. */
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
  readonly triggers: PendingTriggers;
  readonly addedAt: number;
  priority: Priority;
}

/** A key that runs now. */
interface Running {
  readonly triggers: PendingTriggers;
  /** What was added meanwhile. */
  again: Waiting | undefined;
}

interface Delay {
  /** In monotonic time. */
  readonly at: number;
  readonly timer: Timer;
  /** Triggers of a run that was postponed. They count from now on, whatever ends the delay. */
  readonly carried: PendingTriggers | undefined;
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
  readonly #running = new Map<string, Running>();
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
  add(key: string, trigger: Trigger, priority: Priority = "high"): void {
    this.addAll(key, [trigger], priority);
  }

  /** Run this key as soon as possible, once for all of these triggers. */
  addAll(key: string, triggers: readonly Trigger[], priority: Priority = "high"): void {
    const pending = new PendingTriggers();
    for (const trigger of triggers) pending.add(trigger);
    this.#add(key, pending, priority);
  }

  /** Run this key after `ms`, unless something runs it before. After none, at once. */
  addAfter(key: string, ms: number, trigger: Trigger): void {
    if (this.#isClosed) return;
    if (ms <= 0) return this.add(key, trigger);
    this.#delay(key, ms, trigger, undefined);
  }

  /** Run this key after `ms` instead of now. The next run is due for all that this one was due for, and for `trigger`. */
  postpone(job: Job, ms: number, trigger: Trigger): void {
    if (this.#isClosed) return;
    this.#delay(job.key, ms, trigger, this.#running.get(job.key)?.triggers);
  }

  /** Run this key after a delay that grows with each call since the last `forget`. Returns the delay. */
  addAfterFailure(key: string, trigger: Trigger): number {
    const failures = this.failuresOf(key) + 1;
    this.#failures.set(key, failures);
    const ms = backoffMs(failures, this.#options.backoff, this.#options.random);
    this.addAfter(key, ms, trigger);
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
    const again = this.#running.get(key)?.again;
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

  /** Ends a delay. Returns the triggers that it carried. */
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
