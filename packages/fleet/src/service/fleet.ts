/**
 * The operations of a fleet: declare resources, report on them, query them. Every change is read, decided and committed
 * (see `store/fleet-store.ts`): the decisions are pure functions in `resource/`, and this folder provides the data they
 * rely on. Effects on other resources, such as a parent whose last child is removed, are part of the same commit.
 */
import { silentLogger } from "@levelset/core";
import type { Clock, Logger, Random } from "@levelset/core";
import { BASE_PATH } from "../resource/index.ts";
import type { AdapterStatus, FleetKinds } from "../resource/index.ts";
import type { FleetStore, JournalEntry, JournalQuery, ListResult, ListQuery } from "../store/index.ts";
import type { Caller } from "./caller.ts";
import { loadVisible } from "./fleet-context.ts";
import type { FleetContext, MutationOptions, VersionedResource, ResourceTarget } from "./fleet-context.ts";
import { createResource, patchResource } from "./declare-resource.ts";
import type { Declaration, RequestedPatch } from "./declare-resource.ts";
import { intakeReport } from "./intake-report.ts";
import type { IntakeResult } from "./intake-report.ts";
import { Mutations } from "./mutation.ts";
import type { MutationResult } from "./mutation.ts";
import { WorkPlanner } from "./work-planner.ts";
import { pulseStatusOf } from "./pulse-status.ts";
import type { PulseStatus } from "./pulse-status.ts";
import { ResourceCache } from "./resource-cache.ts";
import { forceDeleteResource, deleteResource } from "./delete-resource.ts";
import { storeClock } from "./store-clock.ts";
import { UuidSource } from "./uuid.ts";

/** Limits of a fleet. */
export interface FleetLimits {
  /** How often a change is retried after conflicts before it is refused. */
  readonly attemptsMax: number;
  /** How long the TTLs of the kinds are cached. */
  readonly ttlCacheMs: number;
  /** The maximum number of cached resources, which saves a read per report. */
  readonly recentMax: number;
}

/** Default limits of a {@link Fleet}, for attempts of a change and for its caches. */
export const FLEET_LIMITS: FleetLimits = { attemptsMax: 20, ttlCacheMs: 5_000, recentMax: 2_000 };

/** Options of {@link Fleet}. */
export interface FleetOptions {
  readonly store: FleetStore;
  readonly kinds: FleetKinds;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger?: Logger;
  /** The prefix of resource paths. */
  readonly basePath?: string;
  readonly limits?: Partial<FleetLimits>;
}

/** Selects a part of a resource's history, newest first. */
export type HistoryQuery = Pick<JournalQuery, "adapter" | "before" | "limit">;

/**
 * Creates, reads, changes and deletes the resources of a fleet, and accepts the reports of adapters. Methods reject
 * with a `FleetError` if the request is refused, with a `RuleError` if a kind's rule fails, and with a
 * `StoreUnavailableError` if the store is unreachable. Every change is atomic.
 */
export class Fleet {
  readonly kinds: FleetKinds;
  readonly basePath: string;
  readonly #context: FleetContext;

  constructor(options: FleetOptions) {
    const { store, kinds, clock, random, logger = silentLogger, basePath = BASE_PATH, limits = {} } = options;
    const { attemptsMax, ttlCacheMs, recentMax } = { ...FLEET_LIMITS, ...limits };
    const planner = new WorkPlanner({ store, clock, cacheMs: ttlCacheMs });
    // Written times use the clock that all processes on the store agree on.
    const time = storeClock(store, clock);
    const prepare = (): Promise<void> => planner.refresh();
    this.kinds = kinds;
    this.basePath = basePath;
    this.#context = {
      store,
      kinds,
      clock: time,
      basePath,
      ids: new UuidSource({ clock: time, random }),
      planner,
      mutations: new Mutations({ store, clock, random, logger, attemptsMax, prepare }),
      resourceCache: new ResourceCache(recentMax),
    };
  }

  /** Creates a resource at generation 1. */
  create(
    caller: Caller,
    declaration: Declaration,
    options: MutationOptions = {},
  ): Promise<MutationResult<VersionedResource>> {
    return createResource(this.#context, caller, declaration, options);
  }

  /** Changes a declaration. The generation is incremented if anything changed. */
  patch(
    caller: Caller,
    target: ResourceTarget,
    requested: RequestedPatch,
    options: MutationOptions = {},
  ): Promise<MutationResult<VersionedResource>> {
    return patchResource(this.#context, caller, target, requested, options);
  }

  /** Requests a deletion. Idempotent. */
  delete(
    caller: Caller,
    target: ResourceTarget,
    options: MutationOptions = {},
  ): Promise<MutationResult<VersionedResource>> {
    return deleteResource(this.#context, caller, target, options);
  }

  /** Removes the records of a resource that is being deleted and returns its last state. */
  forceDelete(
    caller: Caller,
    target: ResourceTarget,
    reason: unknown,
    options: MutationOptions = {},
  ): Promise<MutationResult<VersionedResource>> {
    return forceDeleteResource(this.#context, caller, target, reason, options);
  }

  /** Processes an adapter's report. `body` is the unvalidated request body. */
  report(caller: Caller, target: ResourceTarget, body: unknown): Promise<IntakeResult> {
    return intakeReport(this.#context, caller, target, body);
  }

  /** Returns one resource. */
  get(caller: Caller, target: ResourceTarget): Promise<VersionedResource> {
    return loadVisible(this.#context, caller, target);
  }

  /** Returns a page of resources. */
  list(caller: Caller, query: Omit<ListQuery, "scope">): Promise<ListResult> {
    return this.#context.store.list({ ...query, scope: caller.scope });
  }

  /** Returns the statuses of a resource's adapters, sorted by name. */
  async statuses(caller: Caller, target: ResourceTarget): Promise<readonly AdapterStatus[]> {
    const { statuses } = await loadVisible(this.#context, caller, target);
    return statuses.toSorted((a, b) => (a.adapter < b.adapter ? -1 : 1));
  }

  /** Returns when a resource was last pulsed and when it is due next. */
  pulse(caller: Caller, target: ResourceTarget): Promise<PulseStatus> {
    return pulseStatusOf(this.#context, caller, target);
  }

  /** Returns the reports on a resource, including discarded ones. */
  async history(caller: Caller, target: ResourceTarget, query: HistoryQuery): Promise<readonly JournalEntry[]> {
    const { resource } = await loadVisible(this.#context, caller, target);
    return this.#context.store.journal({ ...query, resourceId: resource.id, actions: ["report"], scope: caller.scope });
  }

  /** Returns audit entries of one resource, even after its removal, or of all. */
  audit(
    caller: Caller,
    query: Pick<JournalQuery, "resourceId" | "before" | "limit">,
  ): Promise<readonly JournalEntry[]> {
    const actions = ["create", "patch", "delete", "force-delete"] as const;
    return this.#context.store.journal({ ...query, actions, scope: caller.scope });
  }
}
