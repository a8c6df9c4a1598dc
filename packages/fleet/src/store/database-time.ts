import { Deadline } from "@levelset/core";
import type { Clock } from "@levelset/core";

/** A measurement that took longer is too inexact to replace one that is fresh. */
const EXACT_MS = 250;
/** How long a measurement counts as fresh: clocks drift apart by far less than a second meanwhile. */
const FRESH_MS = 60_000;

interface Measurement {
  /** What the database's clock is ahead of our monotonic time. */
  readonly offsetMs: number;
  readonly freshness: Deadline;
}

/**
 * The time of a database, estimated between statements: its clock as a statement showed it, plus the monotonic time since then. So processes whose
 * wall clocks differ, or are stepped, agree. Monotonic time stands still while a machine is suspended; the next measurement puts that right.
 */
export class DatabaseTime {
  readonly #clock: Clock;
  #measured: Measurement | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Now, in milliseconds since the epoch; undefined before the first measurement. */
  get now(): number | undefined {
    return this.#measured === undefined ? undefined : this.#clock.monotonic() + this.#measured.offsetMs;
  }

  /** A statement that was sent at `sentAt` of our monotonic time and has been answered now showed `time` on the database's clock. */
  observe(time: number, sentAt: number): void {
    const tookMs = this.#clock.monotonic() - sentAt;
    if (tookMs > EXACT_MS && this.#measured?.freshness.hasPassed === false) return;
    // The database looked at its clock at some moment in between.
    const offsetMs = Math.round(time - sentAt - tookMs / 2);
    this.#measured = { offsetMs, freshness: new Deadline(this.#clock, FRESH_MS) };
  }
}
