import { toError } from "@levelset/core/internal";
import type { Logger } from "@levelset/core";

/** Callbacks that run after commits. */
export class CommitListeners {
  readonly #logger: Logger;
  readonly #callbacks = new Set<{ readonly callback: () => void }>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Adds a callback and returns a function that removes it. */
  add(callback: () => void): () => void {
    const entry = { callback };
    this.#callbacks.add(entry);
    return () => {
      this.#callbacks.delete(entry);
    };
  }

  /** Calls all callbacks. An exception is logged and does not affect the other callbacks. */
  notify(): void {
    for (const { callback } of this.#callbacks) {
      try {
        callback();
      } catch (error) {
        this.#logger.error("commit callback failed", { err: toError(error) });
      }
    }
  }
}
