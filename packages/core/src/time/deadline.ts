import type { Clock } from "./clock.ts";

/**
 * A moment as both clocks of a machine show it. Neither is enough by itself: the wall clock can be stepped in either direction, and monotonic
 * time stands still while the machine is suspended.
 */
export interface Instant {
  /** Milliseconds since the epoch. */
  readonly wallMs: number;
  /** Milliseconds of monotonic time. */
  readonly monotonicMs: number;
}

/** The present moment on both clocks. */
export function instantOf(clock: Pick<Clock, "now" | "monotonic">): Instant {
  return { wallMs: clock.now(), monotonicMs: clock.monotonic() };
}

/**
 * The longest time that may have passed between two moments, which is what the faster clock says. A permission ends by it: "may I still write?",
 * "is this token still valid?".
 */
export function elapsedAtMost(since: Instant, now: Instant): number {
  return Math.max(now.wallMs - since.wallMs, now.monotonicMs - since.monotonicMs);
}

/**
 * The time that has passed between two moments according to both clocks. A wait for others ends by it: "has their lease expired?". Negative while
 * the wall clock is stepped back beyond `since`.
 */
export function elapsedAtLeast(since: Instant, now: Instant): number {
  return Math.min(now.wallMs - since.wallMs, now.monotonicMs - since.monotonicMs);
}

/**
 * The end of a permission: it has passed as soon as either clock says so. Timers fire late after a suspension, so code that depends on a deadline asks
 * `hasPassed` at the moment of use and takes a timer only as a hint.
 */
export class Deadline {
  readonly #clock: Pick<Clock, "now" | "monotonic">;
  readonly #since: Instant;
  readonly #ms: number;

  /** `ms` after `since`, which is now unless given. */
  constructor(clock: Pick<Clock, "now" | "monotonic">, ms: number, since: Instant = instantOf(clock)) {
    this.#clock = clock;
    this.#since = since;
    this.#ms = ms;
  }

  /** What is left by the clock that says less; 0 or less when it has passed. */
  get leftMs(): number {
    return this.#ms - elapsedAtMost(this.#since, instantOf(this.#clock));
  }

  get hasPassed(): boolean {
    return this.leftMs <= 0;
  }
}
