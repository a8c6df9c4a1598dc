import { sleepOnClock } from "@levelset/core/internal";
import type { Clock, Timer } from "@levelset/core";

/** The clock of one process. While the process is stalled, as by SIGSTOP, its timers wait. */
export class ProcessClock implements Clock {
  readonly #clock: Clock;
  #stalledUntilMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now();
  }

  monotonic(): number {
    return this.#clock.monotonic();
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return sleepOnClock(this, ms, signal);
  }

  after(ms: number, run: () => void): Timer {
    let timer = this.#clock.after(ms, () => fire());
    const fire = (): void => {
      if (this.stalledMs > 0) timer = this.#clock.after(this.stalledMs, fire);
      else run();
    };
    return { cancel: () => timer.cancel() };
  }

  /** Stalls the process for a time from now on. */
  stall(ms: number): void {
    this.#stalledUntilMs = this.#clock.monotonic() + ms;
  }

  /** How long the process is stalled from now on; 0 if it is not. */
  get stalledMs(): number {
    return Math.max(0, this.#stalledUntilMs - this.#clock.monotonic());
  }
}
