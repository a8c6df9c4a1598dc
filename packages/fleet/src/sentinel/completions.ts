import { toError } from "@levelset/core";
import type { Clock, Logger, Random } from "@levelset/core";
import { backoffMs } from "@levelset/operator";
import type { Completion, FleetStore } from "../store/index.ts";
import { Bell } from "./bell.ts";
import type { SentinelMetrics } from "./sentinel-metrics.ts";

/** How many are told to the store at once. */
const BATCH_MAX = 256;
/** How long the first waits for others. */
const GATHER_MS = 10;
const BACKOFF = { firstMs: 100, maxMs: 5_000 };

/** What telling the store needs. */
export interface CompletionsOptions {
  readonly store: Pick<FleetStore, "complete">;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: SentinelMetrics;
}

/**
 * Tells the store what became of claims, many at a time. What the store does not take is told again: late is harmless, for a claim
 * that somebody else has by then is left alone.
 */
export class Completions {
  readonly #options: CompletionsOptions;
  readonly #bell: Bell;
  #waiting: Completion[] = [];

  constructor(options: CompletionsOptions) {
    this.#options = options;
    this.#bell = new Bell(options.clock);
  }

  /** How many the store has not been told of. */
  get count(): number {
    return this.#waiting.length;
  }

  add(completion: Completion): void {
    this.#waiting.push(completion);
    if (this.#waiting.length === 1 || this.#waiting.length >= BATCH_MAX) this.#bell.ring();
  }

  /** Tells until `signal` aborts, `onRoom` after each time; then what is left, once more. */
  async run(signal: AbortSignal, onRoom: () => void): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      if (this.#waiting.length === 0) await this.#bell.wait(Number.MAX_SAFE_INTEGER, signal);
      if (this.#waiting.length < BATCH_MAX) await this.#bell.wait(GATHER_MS, signal);
      failures = (await this.#tell()) ? 0 : failures + 1;
      onRoom();
      if (failures > 0) await this.#bell.wait(backoffMs(failures, BACKOFF, this.#options.random), signal);
    }
    while (this.#waiting.length > 0 && (await this.#tell()));
  }

  async #tell(): Promise<boolean> {
    const batch = this.#waiting.slice(0, BATCH_MAX);
    if (batch.length === 0) return true;
    try {
      await this.#options.store.complete(batch);
    } catch (error) {
      this.#options.metrics.storeError();
      this.#options.logger.warn("claims not completed", { count: batch.length, error: toError(error).message });
      return false;
    }
    this.#waiting = this.#waiting.slice(batch.length);
    return true;
  }
}
