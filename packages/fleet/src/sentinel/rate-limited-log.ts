import { LruCache } from "@levelset/core/internal";
import type { Clock, LogFields, Logger } from "@levelset/core";

const EVERY_MS = 10_000;
const CAUSES_MAX = 100;

/**
 * Logs warnings that may occur for thousands of resources at once: at most once per interval and cause, with the
 * number of suppressed lines.
 */
export class RateLimitedLog {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #entries = new LruCache<string, { time: number; left: number }>(CAUSES_MAX);

  constructor(world: { readonly clock: Clock; readonly logger: Logger }) {
    this.#clock = world.clock;
    this.#logger = world.logger;
  }

  warn(cause: string, message: string, fields: LogFields): void {
    const now = this.#clock.monotonic();
    const entry = this.#entries.get(cause);
    if (entry !== undefined && now - entry.time < EVERY_MS) {
      entry.left++;
      return;
    }
    this.#entries.set(cause, { time: now, left: 0 });
    this.#logger.warn(message, entry === undefined || entry.left === 0 ? fields : { ...fields, leftOut: entry.left });
  }
}
