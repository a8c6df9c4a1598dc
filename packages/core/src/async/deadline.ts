import type { Clock } from "../time/index.ts";

/**
 * An instant on both clocks of a machine. Both are needed: the wall clock can be stepped in either direction, and
 * monotonic time stops while the machine is suspended.
 */
export interface Instant {
  /** Milliseconds since the epoch. */
  readonly wallMs: number;
  /** Milliseconds of monotonic time. */
  readonly monotonicMs: number;
}

/** Returns the current instant on both clocks. */
export function instantOf(clock: Pick<Clock, "now" | "monotonic">): Instant {
  return { wallMs: clock.now(), monotonicMs: clock.monotonic() };
}

/**
 * Returns the longest time that may have passed between two instants: that of the faster clock. Use it for permissions:
 * "may I still write?", "is this token still valid?".
 */
export function elapsedAtMost(since: Instant, now: Instant): number {
  return Math.max(now.wallMs - since.wallMs, now.monotonicMs - since.monotonicMs);
}

/**
 * Returns the time that has passed between two instants on both clocks. Use it to wait for others: "has their lease
 * expired?". Negative while the wall clock is stepped back beyond `since`.
 */
export function elapsedAtLeast(since: Instant, now: Instant): number {
  return Math.min(now.wallMs - since.wallMs, now.monotonicMs - since.monotonicMs);
}

/**
 * The end of a permission. It has passed as soon as it has passed on either clock. Timers fire late after a suspension,
 * so check `hasPassed` at the time of use and treat timers as hints.
 */
export class Deadline {
  readonly #clock: Pick<Clock, "now" | "monotonic">;
  readonly #since: Instant;
  readonly #ms: number;

  /** Ends `ms` after `since` (default: now). */
  constructor(clock: Pick<Clock, "now" | "monotonic">, ms: number, since: Instant = instantOf(clock)) {
    this.#clock = clock;
    this.#since = since;
    this.#ms = ms;
  }

  /** The remaining time on the clock with less of it; 0 or negative once the deadline has passed. */
  get leftMs(): number {
    return this.#ms - elapsedAtMost(this.#since, instantOf(this.#clock));
  }

  get hasPassed(): boolean {
    return this.leftMs <= 0;
  }
}
