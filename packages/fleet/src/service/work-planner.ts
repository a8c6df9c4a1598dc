import { Deadline } from "@levelset/core/internal";
import type { Clock } from "@levelset/core";
import { findResourceCondition, DEFAULT_TTL, dueTime, ROLL_UP_TYPES } from "../resource/index.ts";
import type { AdapterStatus, FleetKind, RefreshTtl, Resource } from "../resource/index.ts";
import type { FleetStore, PlannedWork, UrgentCause } from "../store/index.ts";
import { stableJitterTtl } from "./stable-jitter.ts";

/** A resource as it will be after a change. */
export interface PlannerInput {
  readonly kind: FleetKind;
  readonly resource: Resource;
  readonly statuses: readonly AdapterStatus[];
}

/** Plans when resources are due next, by the TTLs that the Sentinel published to the store. */
export class WorkPlanner {
  readonly #store: Pick<FleetStore, "ttls" | "now">;
  readonly #clock: Clock;
  readonly #cacheMs: number;
  #ttls: ReadonlyMap<string, RefreshTtl> = new Map();
  #freshness: Deadline | undefined;
  #reading: Promise<void> | undefined;

  constructor(options: {
    readonly store: Pick<FleetStore, "ttls" | "now">;
    readonly clock: Clock;
    /** How long TTLs are cached. */
    readonly cacheMs: number;
  }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#cacheMs = options.cacheMs;
  }

  /**
   * Reads the TTLs and the store's time if the cached ones are old. Called before the decision, so that planning is
   * synchronous.
   */
  async refresh(): Promise<void> {
    if (this.#freshness?.hasPassed === false) return;
    this.#reading ??= this.#read();
    await this.#reading;
  }

  async #read(): Promise<void> {
    try {
      this.#ttls = await this.#store.ttls();
      this.#freshness = new Deadline(this.#clock, this.#cacheMs);
    } finally {
      this.#reading = undefined;
    }
  }

  /** Returns the work of a resource after a change; with a cause it is due at once. */
  work({ kind, resource, statuses }: PlannerInput, cause?: UrgentCause): PlannedWork {
    const now = this.#store.now(this.#clock);
    const ttl = this.ttlOf(resource);
    const refreshTime = dueTime({ kind, resource, statuses, pulsedTime: undefined, now, ttl });
    const urgent = cause === undefined ? {} : { urgent: { time: now, cause } };
    return { resourceId: resource.id, kind: resource.kind, ...urgent, refreshTime };
  }

  /** Returns the TTL of a resource's reports. */
  ttlOf(resource: Resource): RefreshTtl {
    return stableJitterTtl(resource, this.#ttls.get(resource.kind) ?? DEFAULT_TTL);
  }

  /** Returns true if other adapters may have waited for the changed result of an adapter. */
  triggersPulse({ kind, resource }: PlannerInput, adapter: string): boolean {
    const isReady = findResourceCondition(resource.conditions, ROLL_UP_TYPES.ready.type)?.status === "True";
    return !isReady && kind.requiredAdapters.some((other) => other !== adapter);
  }
}
