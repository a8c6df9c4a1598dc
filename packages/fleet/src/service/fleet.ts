/**
 * What can be done with a fleet: declare resources, report on them, ask what is known. Every change is read, decided, committed
 * (`store/store.ts` says why): the decisions are the pure functions of `resource/`, and this folder brings them together with
 * what they rely on. Whatever concerns other resources too, such as a parent whose last child is gone, is in the same commit.
 */
import { silentLogger } from "@levelset/core";
import type { Clock, Logger, Random } from "@levelset/core";
import { BASE_PATH } from "../resource/index.ts";
import type { AdapterStatus, FleetKinds } from "../resource/index.ts";
import type { FleetStore, JournalEntry, JournalQuery, ListedPart, ListQuery } from "../store/index.ts";
import type { Caller } from "./caller.ts";
import { loadFor } from "./context.ts";
import type { FleetContext, MutationOptions, Seen, Target } from "./context.ts";
import { create, patch } from "./declare.ts";
import type { Declaration, WantedPatch } from "./declare.ts";
import { report } from "./intake.ts";
import type { Reported } from "./intake.ts";
import { Mutations } from "./mutation.ts";
import type { Done } from "./mutation.ts";
import { Planner } from "./plan.ts";
import { pulseOf } from "./pulse.ts";
import type { PulseNote } from "./pulse.ts";
import { RecentResources } from "./recent-resources.ts";
import { forceRemove, remove } from "./remove.ts";
import { storeClock } from "./store-clock.ts";
import { UuidSource } from "./uuid.ts";

/** What bounds a fleet's work. */
export interface FleetLimits {
  /** How often a change is decided anew because others were faster, before the caller hears of it. */
  readonly attemptsMax: number;
  /** How long the TTLs of the kinds are used before they are read again. */
  readonly ttlCacheMs: number;
  /** How many resources are remembered as they were last reported on, so that they need not be read for the next report. */
  readonly recentMax: number;
}

/** The limits of a fleet that is told none. */
export const FLEET_LIMITS: FleetLimits = { attemptsMax: 20, ttlCacheMs: 5_000, recentMax: 2_000 };

/** What a fleet is made of. */
export interface FleetOptions {
  readonly store: FleetStore;
  readonly kinds: FleetKinds;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger?: Logger;
  /** Where the paths of resources begin. */
  readonly basePath?: string;
  readonly limits?: Partial<FleetLimits>;
}

/** Which part of a resource's history, the newest first. */
export type HistoryQuery = Pick<JournalQuery, "adapter" | "before" | "limit">;

/** A fleet. What it refuses it says with a `FleetError`; a kind's rule that fails is a `RuleError`; nothing is half done. */
export class Fleet {
  readonly kinds: FleetKinds;
  readonly basePath: string;
  readonly #context: FleetContext;

  constructor(options: FleetOptions) {
    const { store, kinds, clock, random, logger = silentLogger, basePath = BASE_PATH, limits = {} } = options;
    const { attemptsMax, ttlCacheMs, recentMax } = { ...FLEET_LIMITS, ...limits };
    const planner = new Planner({ store, clock, cacheMs: ttlCacheMs });
    // What is written bears the time that all processes on the store agree on.
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
      recent: new RecentResources(recentMax),
    };
  }

  /** Creates a resource at generation 1. */
  create(caller: Caller, declaration: Declaration, options: MutationOptions = {}): Promise<Done<Seen>> {
    return create(this.#context, caller, declaration, options);
  }

  /** Changes a declaration. The generation rises if anything is different. */
  patch(caller: Caller, target: Target, wanted: WantedPatch, options: MutationOptions = {}): Promise<Done<Seen>> {
    return patch(this.#context, caller, target, wanted, options);
  }

  /** Asks for a deletion. Asking again changes nothing. */
  remove(caller: Caller, target: Target, options: MutationOptions = {}): Promise<Done<Seen>> {
    return remove(this.#context, caller, target, options);
  }

  /** Removes the records of what is being deleted. The result is what it was. */
  forceRemove(caller: Caller, target: Target, reason: unknown, options: MutationOptions = {}): Promise<Done<Seen>> {
    return forceRemove(this.#context, caller, target, reason, options);
  }

  /** Takes an adapter's report in. `body` is what it sent. */
  report(caller: Caller, target: Target, body: unknown): Promise<Reported> {
    return report(this.#context, caller, target, body);
  }

  /** One resource. */
  get(caller: Caller, target: Target): Promise<Seen> {
    return loadFor(this.#context, caller, target);
  }

  /** Some resources. */
  list(caller: Caller, query: Omit<ListQuery, "scope">): Promise<ListedPart> {
    return this.#context.store.list({ ...query, scope: caller.scope });
  }

  /** What the adapters of a resource have reported, by their names. */
  async statuses(caller: Caller, target: Target): Promise<readonly AdapterStatus[]> {
    const { statuses } = await loadFor(this.#context, caller, target);
    return statuses.toSorted((a, b) => (a.adapter < b.adapter ? -1 : 1));
  }

  /** When a resource was last announced to its adapters, and when it is next. */
  pulse(caller: Caller, target: Target): Promise<PulseNote> {
    return pulseOf(this.#context, caller, target);
  }

  /** The reports on a resource, those that were discarded among them. */
  async history(caller: Caller, target: Target, query: HistoryQuery): Promise<readonly JournalEntry[]> {
    const { resource } = await loadFor(this.#context, caller, target);
    return this.#context.store.journal({ ...query, resourceId: resource.id, actions: ["report"], scope: caller.scope });
  }

  /** Who changed what; of one resource, also after it is gone, or of all. */
  audit(
    caller: Caller,
    query: Pick<JournalQuery, "resourceId" | "before" | "limit">,
  ): Promise<readonly JournalEntry[]> {
    const actions = ["create", "patch", "delete", "force-delete"] as const;
    return this.#context.store.journal({ ...query, actions, scope: caller.scope });
  }
}
