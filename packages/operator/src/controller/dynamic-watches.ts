import { formatKey, kindId } from "@levelset/core";
import type { AnyCustomKind, Clock, Kind, KubeObject, ObjectKey } from "@levelset/core";
import { noAnswer } from "../cache/index.ts";
import type { MultiNamespaceInformer, ObjectChange, WatchFailure } from "../cache/index.ts";
import type { WatchedObjects, DynamicWatch } from "../engine/index.ts";

/** Options of {@link DynamicWatches}. */
export interface DynamicWatchesOptions<K extends AnyCustomKind> {
  readonly clock: Clock;
  readonly open: (kind: Kind, labels: string) => MultiNamespaceInformer<Kind>;
  readonly onChange: (rule: DynamicWatch<K>, kind: Kind, change: ObjectChange<KubeObject>, isLive: boolean) => void;
  /** Called when a kind becomes watchable or unwatchable after these objects requested it. */
  readonly onWatchChange: (owners: readonly string[], kind: Kind, failure: WatchFailure | undefined) => void;
}

/** Time limit for the first list of a kind in a run. Later runs do not wait for a kind that exceeded it. */
const FIRST_LIST_MS = 5_000;

/** One kind that is watched under a rule. */
interface WatchEntry {
  readonly kind: Kind;
  readonly collection: MultiNamespaceInformer<Kind>;
  /** Keys of the objects that requested the watch. */
  readonly wantedBy: Set<string>;
  /** Resolve functions of the runs that wait for its first list. */
  readonly waits: Set<() => void>;
  /** Whether its first list exceeded the time limit. */
  isSlow: boolean;
  /** The sort of failure that was last reported to runs, "" for none; undefined before the first run. */
  reportedSort: string | undefined;
}

/** Watches that objects request at run time. Each kind is watched once, for as long as an object needs it. */
export class DynamicWatches<K extends AnyCustomKind> {
  readonly #options: DynamicWatchesOptions<K>;
  readonly #rules = new Map<DynamicWatch<K>, Map<string, WatchEntry>>();

  constructor(options: DynamicWatchesOptions<K>) {
    this.#options = options;
  }

  /**
   * Watches these kinds for an object, and stops the watches that only this object requested earlier. Resolves once
   * each kind is synced or has failed, or after a few seconds: a kind that cannot be listed does not block a worker for
   * longer.
   */
  async watch(owner: ObjectKey, rule: DynamicWatch<K>, kinds: readonly Kind[]): Promise<WatchedObjects> {
    const desired = new Set(kinds.map(kindId));
    const dynamicWatches = this.#rules.get(rule) ?? new Map<string, WatchEntry>();
    this.#rules.set(rule, dynamicWatches);
    for (const kind of kinds) this.#want(dynamicWatches, rule, kind, formatKey(owner));
    drop(dynamicWatches, formatKey(owner), (id) => !desired.has(id));
    const mine = [...dynamicWatches].filter(([id]) => desired.has(id)).map(([, informer]) => informer);
    await Promise.all(mine.map((informer) => this.#settled(informer)));
    for (const informer of mine) informer.reportedSort = failureOf(informer)?.sort ?? "";
    const collectionOf = (kind: Kind): MultiNamespaceInformer<Kind> | undefined => {
      const informer = dynamicWatches.get(kindId(kind));
      const failure = informer === undefined ? undefined : failureOf(informer);
      if (failure !== undefined) throw new Error(failure.message);
      return informer?.collection;
    };
    return {
      failure: (kind) => {
        const informer = dynamicWatches.get(kindId(kind));
        return informer === undefined ? undefined : failureOf(informer);
      },
      get: (kind, key) => collectionOf(kind)?.get(key),
      list: (kind) => collectionOf(kind)?.list() ?? [],
    };
  }

  /** Drops the watches of a deleted object. */
  forget(owner: string): void {
    for (const dynamicWatches of this.#rules.values()) drop(dynamicWatches, owner, () => true);
  }

  /** Stops all watches. */
  close(): void {
    for (const dynamicWatches of this.#rules.values()) {
      for (const informer of dynamicWatches.values()) close(informer);
      dynamicWatches.clear();
    }
  }

  #want(dynamicWatches: Map<string, WatchEntry>, rule: DynamicWatch<K>, kind: Kind, owner: string): void {
    const present = dynamicWatches.get(kindId(kind));
    if (present !== undefined) {
      present.wantedBy.add(owner);
      return;
    }
    const collection = this.#options.open(kind, rule.labelSelector);
    const wantedBy = new Set([owner]);
    const informer: WatchEntry = {
      kind,
      collection,
      wantedBy,
      waits: new Set(),
      isSlow: false,
      reportedSort: undefined,
    };
    dynamicWatches.set(kindId(kind), informer);
    collection.subscribe((change, { origin }) => this.#options.onChange(rule, kind, change, origin === "live"));
    collection.subscribeHealth(() => this.#healthChange(informer));
  }

  /** Resolves when a kind is synced or has failed, or when the time limit is exceeded. */
  async #settled(informer: WatchEntry): Promise<void> {
    const { collection } = informer;
    if (informer.isSlow || collection.phase.kind !== "starting") return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = this.#options.clock.after(FIRST_LIST_MS, () => {
      informer.isSlow = collection.phase.kind === "starting";
      resolve();
    });
    informer.waits.add(resolve);
    await promise;
    informer.waits.delete(resolve);
    timer.cancel();
  }

  #healthChange(informer: WatchEntry): void {
    const { kind, collection, wantedBy } = informer;
    if (collection.phase.kind === "starting") return;
    informer.isSlow = false;
    for (const resolve of informer.waits) resolve();
    const failure = failureOf(informer);
    const sort = failure?.sort ?? "";
    if (informer.reportedSort === undefined || informer.reportedSort === sort) return;
    informer.reportedSort = sort;
    this.#options.onWatchChange([...wantedBy], kind, failure);
  }
}

/** Returns why the cache of a kind cannot be read now, or undefined if it can. */
function failureOf({ kind, collection }: WatchEntry): WatchFailure | undefined {
  const { phase } = collection;
  if (phase.kind === "watching") return undefined;
  return phase.kind === "failing" ? phase.failure : noAnswer(kind);
}

function drop(dynamicWatches: Map<string, WatchEntry>, owner: string, isUnwanted: (id: string) => boolean): void {
  for (const [id, informer] of dynamicWatches) {
    const { wantedBy } = informer;
    if (!isUnwanted(id) || !wantedBy.delete(owner) || wantedBy.size > 0) continue;
    close(informer);
    dynamicWatches.delete(id);
  }
}

function close({ collection, waits }: WatchEntry): void {
  collection.close();
  for (const resolve of waits) resolve();
}
