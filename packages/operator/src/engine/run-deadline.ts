import type { Clock, Timer } from "@levelset/core";
import type { RunDependencies } from "./run-dependencies.ts";

/**
 * Deadline of a part of a run. When it expires, the signal aborts and `race` rejects, so work that ignores the signal
 * fails its own object and does not block others.
 */
export class RunDeadline {
  readonly #over = Promise.withResolvers<never>();
  readonly #abort = new AbortController();
  readonly #timer: Timer;
  readonly #onStop = (): void => this.#end(new Error("the operator is stopping"));

  private constructor(clock: Clock, ms: number, stopping: AbortSignal) {
    this.#timer = clock.after(ms, () => this.#end(new Error(`deadline exceeded: not finished within ${ms / 1_000} s`)));
    // Avoids an unhandled rejection if the deadline expires while no race is pending.
    this.#over.promise.catch(() => {});
    stopping.addEventListener("abort", this.#onStop, { once: true });
    if (stopping.aborted) this.#onStop();
  }

  /** Aborts when the deadline expires or the operator stops. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Settles with the work, or rejects as soon as the deadline expires or the operator stops. */
  race<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#over.promise]);
  }

  /** Runs work under a deadline and cancels the timer when the work settles. Rejects with the error of the work. */
  static async run<T>(
    { clock, deadlineMs, signal }: Pick<RunDependencies, "clock" | "deadlineMs" | "signal">,
    work: (budget: RunDeadline) => Promise<T>,
  ): Promise<T> {
    const budget = new RunDeadline(clock, deadlineMs, signal);
    try {
      return await work(budget);
    } finally {
      budget.#timer.cancel();
      signal.removeEventListener("abort", budget.#onStop);
    }
  }

  #end(error: Error): void {
    this.#over.reject(error);
    this.#abort.abort();
  }
}
