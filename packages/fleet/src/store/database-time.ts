import { Deadline } from "@levelset/core/internal";
import type { Clock } from "@levelset/core";

/** A measurement with a longer round trip is too inexact to replace a fresh one. */
const EXACT_MS = 250;
/** How long a measurement counts as fresh. Clock drift over this time is far below one second. */
const FRESH_MS = 60_000;

interface Measurement {
  /** Database clock minus our monotonic clock. */
  readonly offsetMs: number;
  readonly freshness: Deadline;
}

/**
 * Estimates the database's clock between statements: the clock reading of the last measurement plus the monotonic time
 * since. Processes whose wall clocks differ or are stepped therefore agree. Monotonic time stops while a machine is
 * suspended; the next measurement corrects that.
 */
export class DatabaseTime {
  readonly #clock: Clock;
  #measured: Measurement | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The current time in milliseconds since the epoch; undefined before the first measurement. */
  get now(): number | undefined {
    return this.#measured === undefined ? undefined : this.#clock.monotonic() + this.#measured.offsetMs;
  }

  /**
   * Records that a statement sent at monotonic time `sentAt`, and answered now, read `time` from the database's clock.
   */
  observe(time: number, sentAt: number): void {
    const tookMs = this.#clock.monotonic() - sentAt;
    if (tookMs > EXACT_MS && this.#measured?.freshness.hasPassed === false) return;
    // The database read its clock at an unknown moment during the round trip.
    const offsetMs = Math.round(time - sentAt - tookMs / 2);
    this.#measured = { offsetMs, freshness: new Deadline(this.#clock, FRESH_MS) };
  }
}
