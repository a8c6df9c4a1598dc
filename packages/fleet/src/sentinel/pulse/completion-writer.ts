import { backoffMs, BACKOFFS, Signal, toError } from "@levelset/core/internal";
import type { Clock, Logger, Random } from "@levelset/core";
import type { Completion, FleetStore } from "../../store/index.ts";
import type { SentinelMetrics } from "../sentinel-metrics.ts";

/** Maximum number of completions per write. */
const BATCH_MAX = 256;
/** How long the first completion waits for others. */
const BATCH_DELAY_MS = 10;

/** Dependencies of {@link CompletionWriter}. */
export interface CompletionWriterOptions {
  readonly store: Pick<FleetStore, "complete">;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: SentinelMetrics;
}

/**
 * Writes completions of claims to the store in batches. A failed batch is written again: a late completion is
 * harmless, because the store ignores it if another process holds the claim by then.
 */
export class CompletionWriter {
  readonly #options: CompletionWriterOptions;
  readonly #signal: Signal;
  #waiting: Completion[] = [];

  constructor(options: CompletionWriterOptions) {
    this.#options = options;
    this.#signal = new Signal(options.clock);
  }

  /** Number of completions not written yet. */
  get count(): number {
    return this.#waiting.length;
  }

  add(completion: Completion): void {
    this.#waiting.push(completion);
    if (this.#waiting.length === 1 || this.#waiting.length >= BATCH_MAX) this.#signal.notify();
  }

  /** Writes until `signal` aborts and calls `onRoom` after each batch; then writes what is left once more. */
  async run(signal: AbortSignal, onRoom: () => void): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      if (this.#waiting.length === 0) await this.#signal.wait(Number.MAX_SAFE_INTEGER, signal);
      if (this.#waiting.length < BATCH_MAX) await this.#signal.wait(BATCH_DELAY_MS, signal);
      failures = (await this.#writeBatch()) ? 0 : failures + 1;
      onRoom();
      if (failures > 0)
        await this.#signal.wait(backoffMs(failures, BACKOFFS.sentinelCompletion, this.#options.random), signal);
    }
    while (this.#waiting.length > 0 && (await this.#writeBatch()));
  }

  async #writeBatch(): Promise<boolean> {
    const batch = this.#waiting.slice(0, BATCH_MAX);
    if (batch.length === 0) return true;
    try {
      await this.#options.store.complete(batch);
    } catch (error) {
      this.#options.metrics.storeError();
      this.#options.logger.warn("claims not completed", { count: batch.length, err: toError(error).message });
      return false;
    }
    this.#waiting = this.#waiting.slice(batch.length);
    return true;
  }
}
