import type { Clock, LogFields, Logger } from "@levelset/core";

const EVERY_MS = 10_000;
const CAUSES_MAX = 100;

/** Logs what may happen to thousands of resources at once: once in a while for each cause, with how often it was left out. */
export class RareLog {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #seen = new Map<string, { time: number; left: number }>();

  constructor(world: { readonly clock: Clock; readonly logger: Logger }) {
    this.#clock = world.clock;
    this.#logger = world.logger;
  }

  warn(cause: string, message: string, fields: LogFields): void {
    const now = this.#clock.monotonic();
    const seen = this.#seen.get(cause);
    if (seen !== undefined && now - seen.time < EVERY_MS) {
      seen.left++;
      return;
    }
    if (this.#seen.size >= CAUSES_MAX) this.#seen.clear();
    this.#seen.set(cause, { time: now, left: 0 });
    this.#logger.warn(message, seen === undefined || seen.left === 0 ? fields : { ...fields, leftOut: seen.left });
  }
}
