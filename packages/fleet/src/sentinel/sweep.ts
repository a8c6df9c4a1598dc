import { Signal, toError } from "@levelset/core/internal";
import type { Clock, Logger } from "@levelset/core";
import { dueTime } from "../resource/index.ts";
import type { FleetKind, RefreshTtl } from "../resource/index.ts";
import { stableJitterTtl } from "../service/index.ts";
import type { FleetStore, PlannedWork, StoredPlan } from "../store/index.ts";
import type { SentinelMetrics } from "./sentinel-metrics.ts";

/** Options of {@link Sweep}. */
export interface SweepOptions {
  readonly store: Pick<FleetStore, "listPlans" | "schedule" | "now">;
  /** Pulsed kinds by name, with TTLs. */
  readonly kinds: ReadonlyMap<string, { readonly kind: FleetKind; readonly ttl: RefreshTtl }>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: SentinelMetrics;
  readonly pageSize: number;
  /** Delay between pages. */
  readonly gapMs: number;
}

/**
 * Iterates slowly and continuously over all resources, and plans work where none is planned although adapters must
 * report. Every change plans its own work, so a repair means a foreign write to the database or a defect: it is
 * counted and logged as an error.
 */
export class Sweep {
  readonly #options: SweepOptions;
  #after: string | undefined;

  constructor(options: SweepOptions) {
    this.#options = options;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, logger, metrics, gapMs } = this.#options;
    const rest = new Signal(clock);
    for (await rest.wait(gapMs, signal); !signal.aborted; await rest.wait(gapMs, signal)) {
      try {
        await this.sweepPage();
      } catch (error) {
        metrics.storeError();
        logger.warn("sweep interrupted", { err: toError(error).message });
      }
    }
  }

  /** Checks the next page; starts over after the last one. */
  async sweepPage(): Promise<void> {
    const { store, kinds, pageSize, metrics } = this.#options;
    const page = await store.listPlans([...kinds.keys()], this.#after, pageSize);
    const missing = page.flatMap((plan) => this.#missing(plan));
    if (missing.length > 0) await this.#repair(missing);
    metrics.swept(page.length);
    this.#after = page.length < pageSize ? undefined : page.at(-1)?.stored.resource.id;
  }

  #missing({ stored, dueTime: planned }: StoredPlan): readonly PlannedWork[] {
    const { resource, statuses } = stored;
    const known = this.#options.kinds.get(resource.kind);
    if (planned !== undefined || known === undefined) return [];
    const now = this.#options.store.now(this.#options.clock);
    const ttl = stableJitterTtl(resource, known.ttl);
    const refreshTime = dueTime({ kind: known.kind, resource, statuses, pulsedTime: undefined, now, ttl });
    return refreshTime === undefined ? [] : [{ resourceId: resource.id, kind: resource.kind, refreshTime }];
  }

  async #repair(missing: readonly PlannedWork[]): Promise<void> {
    const { store, kinds, logger, metrics } = this.#options;
    await store.schedule(missing);
    for (const { resourceId, kind } of missing) {
      metrics.repaired(kinds.get(kind)?.kind.plural ?? kind);
      logger.error("resource had no planned work", { resource: resourceId, kind });
    }
  }
}
