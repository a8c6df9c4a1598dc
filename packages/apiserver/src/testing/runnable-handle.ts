import { isAbortError } from "@levelset/core";
import { toError } from "@levelset/core/internal";
import type { Runnable, World } from "@levelset/core";
import { untilIdle } from "@levelset/core/testing";

/** Handle of a runnable in a test cluster. */
export interface RunnableHandle {
  readonly name: string;
  /** Aborts the runnable and resolves when it has ended. Rejects if it failed or does not end. */
  stop(): Promise<void>;
}

const STOP_ROUNDS = 100;

/** A started runnable with its own abort signal. A failure is stored until `check` or `stop`. */
export class StartedRunnable implements RunnableHandle {
  readonly name: string;
  readonly #abort = new AbortController();
  #failure: Error | undefined;
  #hasEnded = false;

  constructor(runnable: Runnable, installed: Promise<void>, world: Omit<World, "signal">) {
    this.name = runnable.name;
    this.#run(runnable, installed, { ...world, signal: this.#abort.signal }).catch((thrown: unknown) => {
      this.#failure = toError(thrown);
    });
  }

  async #run(runnable: Runnable, installed: Promise<void>, world: World): Promise<void> {
    try {
      await installed;
      await runnable.start(world);
    } catch (error) {
      // Rejecting with the abort error counts as a normal end.
      if (!(this.#abort.signal.aborted && isAbortError(error))) throw error;
    } finally {
      this.#hasEnded = true;
    }
  }

  /** Throws the stored failure, once. */
  check(): void {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw new Error(`${this.name} failed: ${failure.message}`, { cause: failure });
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    for (let round = 0; round < STOP_ROUNDS && !this.#hasEnded; round++) await untilIdle();
    await untilIdle();
    this.check();
    if (!this.#hasEnded) throw new Error(`${this.name} did not end after its signal aborted`);
  }
}
