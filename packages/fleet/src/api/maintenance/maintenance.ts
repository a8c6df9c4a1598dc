import { InputError, isAbortError } from "@levelset/core";
import { jitter, toError } from "@levelset/core/internal";
import type { Clock, Logger, Random } from "@levelset/core";
import type { FleetStore } from "../../store/index.ts";
import type { RetentionConfig } from "./retention-config.ts";

const DAY_MS = 86_400_000;
const DEFAULTS: Required<RetentionConfig> = {
  reportsPerResource: 100,
  auditMs: 90 * DAY_MS,
  answersMs: DAY_MS,
  removedMs: DAY_MS,
  everyMs: 600_000,
};

/** Options of {@link Maintenance}. */
export interface MaintenanceOptions {
  readonly store: Pick<FleetStore, "trim">;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly retention?: RetentionConfig;
}

/** Periodically deletes expired data. Several processes may run it on one store. */
export class Maintenance {
  readonly #options: MaintenanceOptions;
  readonly #retention: Required<RetentionConfig>;

  /** Throws an `InputError` that names the invalid field. */
  constructor(options: MaintenanceOptions) {
    this.#options = options;
    this.#retention = { ...DEFAULTS, ...options.retention };
    for (const [name, value] of Object.entries(this.#retention)) {
      if (!(value > 0)) throw new InputError(`retention: ${name} must be more than 0`);
    }
  }

  /** Runs until the signal aborts. Failures are retried in the next round. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, random, logger } = this.#options;
    while (!signal.aborted) {
      try {
        await this.trim();
      } catch (error) {
        logger.warn("expired data not deleted", { err: toError(error).message });
      }
      try {
        await clock.sleep(jitter(random, this.#retention.everyMs, 0.1), signal);
      } catch (error) {
        if (!isAbortError(error) && !signal.aborted) throw error;
      }
    }
  }

  /** Deletes expired data once. */
  async trim(): Promise<void> {
    const { store, clock } = this.#options;
    const { reportsPerResource, auditMs, answersMs, removedMs } = this.#retention;
    const now = clock.now();
    await store.trim({
      reportsPerResource,
      auditBefore: now - auditMs,
      answersBefore: now - answersMs,
      removedBefore: now - removedMs,
    });
  }
}
