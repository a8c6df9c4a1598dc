import { isConflict, toError } from "@levelset/core";
import type { Clock, Logger, Timer } from "@levelset/core";
import { nextTurn } from "./turn.ts";

/** What a queue needs. */
export interface WorkQueueOptions {
  /** For the log. */
  readonly name: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Does the work of one key; answers after how many milliseconds to look again, if at all. */
  readonly work: (key: string) => Promise<number | undefined>;
}

const CONCURRENCY = 8;
const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 60_000;
/** Runs after which the event loop gets a turn. */
const BURST = 100;

/**
 * Keys to work on, each once however often it was added, never twice at the same time. A failed key comes again after a growing
 * delay and holds up no other.
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

  /** Asks for a key to be worked on as soon as the present code has ended. */
  add(key: string): void {
    if (this.#isClosed) return;
    this.#waiting.add(key);
    if (this.#workers >= CONCURRENCY) return;
    this.#workers++;
    queueMicrotask(() => void this.#drain());
  }

  /** Asks for a key to be worked on after a while; the earliest of several wishes counts. */
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

  /** Starts nothing any more. */
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
      if (runs % BURST === 0) await nextTurn();
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
    // Somebody else was faster: the first time it is enough to look again.
    if (isConflict(error) && failures === 0) return this.add(key);
    const retryMs = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures);
    this.#options.logger.warn("controller failed", { controller: this.#options.name, key, error, retryMs });
    this.addAfter(key, retryMs);
  }
}
