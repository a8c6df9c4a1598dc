import { Deadline } from "@levelset/core";
import type { Clock } from "@levelset/core";
import { conditionOf, DEFAULT_TTL, dueTime, ROLL_UP_TYPES } from "../resource/index.ts";
import type { AdapterStatus, FleetKind, RefreshTtl, Resource } from "../resource/index.ts";
import type { FleetStore, PlannedWork, UrgentCause } from "../store/index.ts";
import { spreadTtl } from "./spread.ts";

/** A resource as it will be after a change. */
export interface Planned {
  readonly kind: FleetKind;
  readonly resource: Resource;
  readonly statuses: readonly AdapterStatus[];
}

/** Says when resources are to be looked at next, by the TTLs that the Sentinel told the store. */
export class Planner {
  readonly #store: Pick<FleetStore, "ttls" | "now">;
  readonly #clock: Clock;
  readonly #cacheMs: number;
  #ttls: ReadonlyMap<string, RefreshTtl> = new Map();
  #freshness: Deadline | undefined;
  #reading: Promise<void> | undefined;

  constructor(options: {
    readonly store: Pick<FleetStore, "ttls" | "now">;
    readonly clock: Clock;
    /** How long TTLs that were read are used. */
    readonly cacheMs: number;
  }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#cacheMs = options.cacheMs;
  }

  /** Reads the TTLs, and with them the store's time, if those that are known are old. Comes before the decision, so that planning itself does not wait. */
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

  /** The work of a resource after a change; with a cause it is due at once. */
  work({ kind, resource, statuses }: Planned, cause?: UrgentCause): PlannedWork {
    const now = this.#store.now(this.#clock);
    const ttl = this.ttlOf(resource);
    const refreshTime = dueTime({ kind, resource, statuses, pulsedTime: undefined, now, ttl });
    const urgent = cause === undefined ? {} : { urgent: { time: now, cause } };
    return { resourceId: resource.id, kind: resource.kind, ...urgent, refreshTime };
  }

  /** How old the reports on a resource may get, as far as is known. */
  ttlOf(resource: Resource): RefreshTtl {
    return spreadTtl(resource, this.#ttls.get(resource.kind) ?? DEFAULT_TTL);
  }

  /** Whether others may have waited for an adapter whose verdict is another one now. */
  wakes({ kind, resource }: Planned, adapter: string): boolean {
    const isReady = conditionOf(resource.conditions, ROLL_UP_TYPES.ready.type)?.status === "True";
    return !isReady && kind.requiredAdapters.some((other) => other !== adapter);
  }
}
