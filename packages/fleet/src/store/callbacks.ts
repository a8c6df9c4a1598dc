import { toError } from "@levelset/core";
import type { Logger } from "@levelset/core";

/** Those who want to know of commits. */
export class Callbacks {
  readonly #logger: Logger;
  readonly #callbacks = new Set<{ readonly callback: () => void }>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Returns what ends it. */
  add(callback: () => void): () => void {
    const entry = { callback };
    this.#callbacks.add(entry);
    return () => {
      this.#callbacks.delete(entry);
    };
  }

  /** Calls everybody. A failure is its own and stops no other. */
  call(): void {
    for (const { callback } of this.#callbacks) {
      try {
        callback();
      } catch (error) {
        this.#logger.error("callback after a commit failed", { error: toError(error) });
      }
    }
  }
}
