import { isAbort, toError } from "@levelset/core";
import type { Runnable, World } from "@levelset/core";
import { atRest } from "@levelset/core/testing";

/** Something that a test cluster runs. */
export interface Running {
  readonly name: string;
  /** Tells it to stop and resolves when it has; rejects if it failed or does not end. */
  stop(): Promise<void>;
}

const STOP_ROUNDS = 100;

/** A runnable with a signal of its own, whose failure is kept until somebody asks. */
export class RunningRunnable implements Running {
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
      // Ending with the abort it was told to is as good as returning.
      if (!(this.#abort.signal.aborted && isAbort(error))) throw error;
    } finally {
      this.#hasEnded = true;
    }
  }

  /** Throws what it failed with, once. */
  check(): void {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw new Error(`${this.name} failed: ${failure.message}`, { cause: failure });
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    for (let round = 0; round < STOP_ROUNDS && !this.#hasEnded; round++) await atRest();
    await atRest();
    this.check();
    if (!this.#hasEnded) throw new Error(`${this.name} did not end after its signal aborted`);
  }
}
