import { formatKey, kindId } from "@levelset/core";
import { deepEqual } from "@levelset/core/internal";
import type { AnyCustomKind, Clock, Kind, ObjectKey } from "@levelset/core";
import { noAnswer } from "../cache/index.ts";
import type { Informer, WatchFailure, WatchFailureCause } from "../cache/index.ts";
import type { WatchedObjects, DynamicWatch } from "../engine/index.ts";

/** Options of {@link DynamicWatches}. */
export interface DynamicWatchesOptions<K extends AnyCustomKind> {
  readonly clock: Clock;
  /** Opens an optional informer whose changes are routed by the rule. */
  readonly open: (rule: DynamicWatch<K>, kind: Kind) => Informer<Kind>;
  readonly onWatchChange: (change: WatchChange) => void;
}

/** A kind that became watchable or unwatchable after objects requested it. */
export interface WatchChange {
  /** Keys of the objects. */
  readonly owners: readonly string[];
  readonly kind: Kind;
  /** Undefined if the kind can be read again. */
  readonly failure: WatchFailure | undefined;
  /** Whether a new list of a kind that could be read is complete. A write with an unknown outcome causes such a list. */
  readonly isRelist: boolean;
}

/** Time limit for the first list of a kind in a run. Later runs do not wait for a kind that exceeded it. */
const FIRST_LIST_MS = 5_000;

/** The state of a watch that was reported to runs. */
type ReportedState =
  /** No run has read it. */
  | { readonly kind: "unread" }
  | { readonly kind: "readable" }
  /** A kind that could be read is listed again. */
  | { readonly kind: "relist" }
  | WatchFailureCause;

/** One kind that is watched under a rule. */
interface WatchEntry {
  readonly informer: Informer<Kind>;
  /** Keys of the objects that requested the watch. */
  readonly wantedBy: Set<string>;
  /** Resolve functions of the runs that wait for its first list. */
  readonly waits: Set<() => void>;
  /** Whether its first list exceeded the time limit. */
  isSlow: boolean;
  reported: ReportedState;
}

/** kind → its watch under one rule. */
type WatchEntries = Map<string, WatchEntry>;

/** Watches that objects request at run time. Each kind is watched once, for as long as an object needs it. */
export class DynamicWatches<K extends AnyCustomKind> {
  readonly #options: DynamicWatchesOptions<K>;
  readonly #rules = new Map<DynamicWatch<K>, WatchEntries>();

  constructor(options: DynamicWatchesOptions<K>) {
    this.#options = options;
  }

  /**
   * Watches these kinds for an object, and stops the watches that only this object requested earlier. Resolves once
   * each kind is synced or has failed, or after a few seconds: a kind that cannot be listed does not block a worker for
   * longer.
   */
  async watch(owner: ObjectKey, rule: DynamicWatch<K>, kinds: readonly Kind[]): Promise<WatchedObjects> {
    const key = formatKey(owner);
    const entries = this.#rules.get(rule) ?? new Map<string, WatchEntry>();
    this.#rules.set(rule, entries);
    const mine = new Map(kinds.map((kind) => [kindId(kind), this.#want(entries, rule, kind, key)]));
    drop(entries, key, (id) => !mine.has(id));
    await Promise.all([...mine.values()].map((entry) => this.#settled(entry)));
    for (const entry of mine.values()) entry.reported = stateOf(failureOf(entry));
    return watchedObjects(entries, mine);
  }

  /** Drops the watches of a deleted object. */
  forget(owner: string): void {
    for (const entries of this.#rules.values()) drop(entries, owner, () => true);
  }

  /** Stops all watches. */
  close(): void {
    for (const entries of this.#rules.values()) {
      for (const entry of entries.values()) close(entry);
      entries.clear();
    }
  }

  #want(entries: WatchEntries, rule: DynamicWatch<K>, kind: Kind, owner: string): WatchEntry {
    const present = entries.get(kindId(kind));
    if (present !== undefined) {
      present.wantedBy.add(owner);
      return present;
    }
    const informer = this.#options.open(rule, kind);
    const entry = { informer, wantedBy: new Set([owner]), waits: new Set<() => void>() };
    const added: WatchEntry = { ...entry, isSlow: false, reported: { kind: "unread" } };
    entries.set(kindId(kind), added);
    informer.subscribeHealth(() => this.#healthChange(added));
    return added;
  }

  /** Resolves when a kind is synced or has failed, or when the time limit is exceeded. */
  async #settled(entry: WatchEntry): Promise<void> {
    const { informer, waits } = entry;
    if (entry.isSlow || informer.phase.kind !== "starting") return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = this.#options.clock.after(FIRST_LIST_MS, () => {
      entry.isSlow = informer.phase.kind === "starting";
      resolve();
    });
    waits.add(resolve);
    await promise;
    waits.delete(resolve);
    timer.cancel();
  }

  #healthChange(entry: WatchEntry): void {
    const { informer, wantedBy } = entry;
    if (informer.phase.kind === "starting") return;
    entry.isSlow = false;
    for (const resolve of entry.waits) resolve();
    const failure = failureOf(entry);
    const state = stateOf(failure);
    if (entry.reported.kind === "unread" || deepEqual(entry.reported, state)) return;
    const isRelist = entry.reported.kind === "relist" && failure === undefined;
    entry.reported = state;
    this.#options.onWatchChange({ owners: [...wantedBy], kind: informer.kind, failure, isRelist });
  }
}

/**
 * Returns the cached objects of the watches of a rule. A watch that was dropped during the run, because its owner was
 * deleted, is read as it was: its objects are not absent.
 */
function watchedObjects(entries: WatchEntries, mine: WatchEntries): WatchedObjects {
  const entryOf = (kind: Kind): WatchEntry | undefined => entries.get(kindId(kind)) ?? mine.get(kindId(kind));
  const failure = (kind: Kind): WatchFailure | undefined => {
    const entry = entryOf(kind);
    const found = entry && failureOf(entry);
    // A run has read the failure, so the object is enqueued when it ends, also if it began during the run.
    if (entry !== undefined && found !== undefined) entry.reported = stateToReport(entry, found);
    return found;
  };
  const readable = (kind: Kind): Informer<Kind> | undefined => {
    const found = failure(kind);
    if (found !== undefined) throw new Error(found.message);
    return entryOf(kind)?.informer;
  };
  return {
    failure,
    get: (kind, key) => readable(kind)?.get(key),
    list: (kind) => readable(kind)?.list() ?? [],
  };
}

function stateOf(failure: WatchFailure | undefined): ReportedState {
  return failure?.cause ?? { kind: "readable" };
}

function stateToReport({ informer, reported }: WatchEntry, { cause }: WatchFailure): ReportedState {
  const couldBeRead = reported.kind === "readable" || reported.kind === "relist";
  return couldBeRead && informer.phase.kind === "starting" ? { kind: "relist" } : cause;
}

/** Returns why the cache of a kind cannot be read now, or undefined if it can. */
function failureOf({ informer: { kind, phase } }: WatchEntry): WatchFailure | undefined {
  if (phase.kind === "watching") return undefined;
  return phase.kind === "failing" ? phase.failure : noAnswer(kind);
}

function drop(entries: WatchEntries, owner: string, isUnwanted: (id: string) => boolean): void {
  for (const [id, entry] of entries) {
    const { wantedBy } = entry;
    if (!isUnwanted(id) || !wantedBy.delete(owner) || wantedBy.size > 0) continue;
    close(entry);
    entries.delete(id);
  }
}

function close({ informer, waits }: WatchEntry): void {
  informer.close();
  for (const resolve of waits) resolve();
}
