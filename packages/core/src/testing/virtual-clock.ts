import { sleepOnClock } from "../time/index.ts";
import type { Clock, Timer } from "../time/index.ts";

interface Pending {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
  isCancelled: boolean;
}

/**
 * A clock that moves only on request. `advance` fires timers in order and waits until the process is idle after each,
 * so a test of a whole cluster is deterministic and takes milliseconds.
 */
export class VirtualClock implements Clock {
  /** Timers are based on it. */
  #monotonic = 0;
  /** The difference between the wall clock and monotonic time. */
  #offset: number;
  #order = 0;
  /** Binary heap of the timers, cancelled ones included: the first one is due next. */
  readonly #pending: Pending[] = [];

  /** Starts at a fixed time by default, so that runs are reproducible. */
  constructor(startMs: number = Date.UTC(2026, 0, 1)) {
    this.#offset = startMs;
  }

  /** Whole milliseconds, like the platform's clocks; timers keep fractions. */
  now(): number {
    return Math.floor(this.#monotonic + this.#offset);
  }

  monotonic(): number {
    return Math.floor(this.#monotonic);
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return sleepOnClock(this, ms, signal);
  }

  after(ms: number, run: () => void): Timer {
    const at = this.#monotonic + Math.max(0, ms);
    const pending: Pending = { at, order: this.#order++, run, isCancelled: false };
    push(this.#pending, pending);
    return { cancel: () => (pending.isCancelled = true) };
  }

  /** The wall-clock time of the next timer; undefined if there is none. */
  get nextTimerAt(): number | undefined {
    const at = this.#next()?.at;
    return at === undefined ? undefined : at + this.#offset;
  }

  /**
   * Steps the wall clock by `ms`, which may be negative, as NTP or a person does. Monotonic time and timers are not
   * affected.
   */
  stepWall(ms: number): void {
    this.#offset += ms;
  }

  /** Suspends the machine for `ms`: the wall clock advances, monotonic time stops and no timer fires. */
  suspend(ms: number): void {
    this.stepWall(ms);
  }

  /**
   * Stops the process for `ms`, as SIGSTOP does: both clocks advance, and timers due in the meantime fire late, in the
   * next `advance`.
   */
  stall(ms: number): void {
    this.#monotonic += ms;
  }

  /** Advances time by `ms` and fires the due timers. Waits until the process is idle after each timer. */
  async advance(ms: number): Promise<void> {
    const until = this.#monotonic + ms;
    await untilIdle();
    for (let next = this.#next(); next !== undefined && next.at <= until; next = this.#next()) {
      pop(this.#pending);
      this.#monotonic = Math.max(this.#monotonic, next.at);
      next.run();
      await untilIdle();
    }
    this.#monotonic = until;
  }

  #next(): Pending | undefined {
    while (this.#pending[0]?.isCancelled === true) pop(this.#pending);
    return this.#pending[0];
  }
}

/** Whether a timer fires before another: earlier ones first, then in the order in which they were set. */
function isBefore(a: Pending, b: Pending): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

function push(heap: Pending[], timer: Pending): void {
  let at = heap.push(timer) - 1;
  while (at > 0) {
    const parent = (at - 1) >>> 1;
    const above = heap[parent];
    if (above === undefined || isBefore(above, timer)) break;
    heap[at] = above;
    at = parent;
  }
  heap[at] = timer;
}

/** Removes the first timer. */
function pop(heap: Pending[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let at = 0;
  for (;;) {
    const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]];
    const isRight = left !== undefined && right !== undefined && isBefore(right, left);
    const below = isRight ? right : left;
    if (below === undefined || isBefore(last, below)) break;
    heap[at] = below;
    at = 2 * at + (isRight ? 2 : 1);
  }
  heap[at] = last;
}

/** Turns of the event loop after which a chain of promises and streams is assumed to be idle. */
const TURNS = 3;

/**
 * Resolves when all started work is idle, except for work that waits for timers or the network. Promises and streams in
 * one process settle within a few turns of the event loop.
 */
export async function untilIdle(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}
