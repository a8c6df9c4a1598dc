import { backoffBaseMs, BACKOFFS, toError } from "@levelset/core/internal";
import { isConflict } from "@levelset/core";
import type { Clock, Logger, Timer } from "@levelset/core";
import { yieldToEventLoop } from "./yield-to-event-loop.ts";

/** Options of {@link WorkQueue}. */
export interface WorkQueueOptions {
  /** Name for the log. */
  readonly name: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Processes one key. Returns the delay in milliseconds until the next run, or undefined. */
  readonly work: (key: string) => Promise<number | undefined>;
}

const CONCURRENCY = 8;
/** Number of runs before the queue yields to the event loop. */
const BURST = 100;

/**
 * A deduplicating work queue. A key is processed once however often it was added, and never concurrently with itself. A
 * failed key is retried with exponential backoff and does not delay other keys.
 */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #waiting = new Set<string>();
  readonly #running = new Set<string>();
  readonly #later = new Map<string, { readonly at: number; readonly timer: Timer }>();
  readonly #failures = new Map<string, number>();
  #workers = 0;
  #isClosed = false;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
  }

  /** Enqueues a key. It is processed after the current synchronous code. */
  add(key: string): void {
    if (this.#isClosed) return;
    this.#waiting.add(key);
    if (this.#workers >= CONCURRENCY) return;
    this.#workers++;
    queueMicrotask(() => void this.#drain());
  }

  /** Enqueues a key after a delay. The earliest of several delays wins. */
  addAfter(key: string, ms: number): void {
    if (this.#isClosed) return;
    const at = this.#options.clock.monotonic() + ms;
    const planned = this.#later.get(key);
    if (planned !== undefined && planned.at <= at) return;
    planned?.timer.cancel();
    const timer = this.#options.clock.after(ms, () => {
      this.#later.delete(key);
      this.add(key);
    });
    this.#later.set(key, { at, timer });
  }

  /** Stops starting new runs. */
  close(): void {
    this.#isClosed = true;
    this.#waiting.clear();
    for (const { timer } of this.#later.values()) timer.cancel();
    this.#later.clear();
  }

  async #drain(): Promise<void> {
    for (let runs = 1; ; runs++) {
      const key = this.#next();
      if (key === undefined) break;
      this.#waiting.delete(key);
      this.#running.add(key);
      await this.#run(key);
      this.#running.delete(key);
      if (runs % BURST === 0) await yieldToEventLoop();
    }
    this.#workers--;
  }

  #next(): string | undefined {
    for (const key of this.#waiting) if (!this.#running.has(key)) return key;
    return undefined;
  }

  async #run(key: string): Promise<void> {
    try {
      const again = await this.#options.work(key);
      this.#failures.delete(key);
      if (again !== undefined) this.addAfter(key, again);
    } catch (thrown) {
      this.#retry(key, toError(thrown));
    }
  }

  #retry(key: string, error: Error): void {
    if (this.#isClosed) return;
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    // A concurrent write won: the first conflict is retried at once.
    if (isConflict(error) && failures === 0) return this.add(key);
    const retryMs = backoffBaseMs(failures + 1, BACKOFFS.serverController);
    this.#options.logger.warn("controller failed", { controller: this.#options.name, key, err: error, retryMs });
    this.addAfter(key, retryMs);
  }
}
