import type { Clock, Timer } from "@levelset/core";
import type { RunTools } from "./run-tools.ts";

/**
 * The time that a part of a run may take. When it is over, the work hears of it by the signal, and is not waited for any longer: work
 * that does not listen costs its own object a failure and nobody else anything.
 */
export class Budget {
  readonly #over = Promise.withResolvers<never>();
  readonly #abort = new AbortController();
  readonly #timer: Timer;
  readonly #onStop = (): void => this.#end(new Error("the operator is stopping"));

  private constructor(clock: Clock, ms: number, stopping: AbortSignal) {
    this.#timer = clock.after(ms, () => this.#end(new Error(`it did not end within ${ms / 1_000} s`)));
    // Nobody may be waiting when it is over.
    this.#over.promise.catch(() => {});
    stopping.addEventListener("abort", this.#onStop, { once: true });
    if (stopping.aborted) this.#onStop();
  }

  /** Aborts when the time is over, and when the operator stops. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** The outcome of the work, or a failure as soon as the time is over. */
  within<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#over.promise]);
  }

  /** Gives work a budget, which ends with it. */
  static async give<T>(
    { clock, deadlineMs, signal }: Pick<RunTools, "clock" | "deadlineMs" | "signal">,
    work: (budget: Budget) => Promise<T>,
  ): Promise<T> {
    const budget = new Budget(clock, deadlineMs, signal);
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
