import type {
  CompactedRevision,
  StoreList,
  StoredRecord,
  StoreEvent,
  StoreKey,
  StoreScope,
  StoreWatch,
  WatchScope,
} from "./store.ts";
import { EventHistory, isInScope } from "./event-history.ts";
import { withDefaultLimits } from "./limits.ts";
import type { StoreLimits } from "./limits.ts";
import { SortedRecords } from "./sorted-records.ts";
import { StoreSubscription } from "./subscription.ts";

/** The revision of an empty store. */
const FIRST_REVISION = 1;

/** Maximum number of cached snapshots of past revisions; a paginated list reads one snapshot several times. */
const SNAPSHOTS_MAX = 8;

/**
 * The in-memory state shared by all stores: current objects, event history and watchers. Stores differ only in when
 * they `apply` an event.
 */
export class StoreState {
  readonly #limits: Required<StoreLimits>;
  #history: EventHistory;
  #objects = new Map<string, SortedRecords>();
  /** resource → its watchers. Watchers of all resources are under the empty string. */
  readonly #watchers = new Map<string, Set<StoreSubscription>>();
  /** LRU cache: `resource@revision` → the objects of the resource at that revision, most recently used last. */
  readonly #snapshots = new Map<string, SortedRecords>();
  #revision: number;
  #isClosed = false;

  /** Creates an empty state at `revision`, without history. */
  constructor(limits: StoreLimits, revision: number = FIRST_REVISION) {
    this.#limits = withDefaultLimits(limits);
    this.#revision = revision;
    this.#history = new EventHistory(this.#limits, revision);
  }

  get revision(): number {
    return this.#revision;
  }

  /** The oldest revision that can be listed or watched from. */
  get oldest(): number {
    return this.#history.oldest;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get(key: StoreKey): StoredRecord | undefined {
    return this.#objects.get(key.resource)?.get(key);
  }

  list(scope: StoreScope, at: number = this.#revision): StoreList | CompactedRevision {
    if (at < this.oldest) return { kind: "compacted", oldest: this.oldest };
    const objects = at < this.#revision ? this.#snapshot(scope.resource, at) : this.#objects.get(scope.resource);
    return { kind: "listing", revision: at, records: objects?.list(scope.namespace) ?? [] };
  }

  watch(scope: WatchScope, from: number, notify: () => void): StoreWatch | CompactedRevision {
    if (from < this.oldest) return { kind: "compacted", oldest: this.oldest };
    const past = this.#history.after(from, scope.resource);
    const replay = scope.namespace === undefined ? past : past.filter((event) => isInScope(event, scope));
    const watchers = this.#watchers.get(scope.resource ?? "") ?? new Set();
    this.#watchers.set(scope.resource ?? "", watchers);
    const onClose = (closed: StoreSubscription): void => {
      watchers.delete(closed);
    };
    const { backlogMax, backlogMaxBytes } = this.#limits;
    const subscription = new StoreSubscription({ scope, replay, backlogMax, backlogMaxBytes, notify, onClose });
    watchers.add(subscription);
    if (this.#isClosed) subscription.end("closed");
    return subscription;
  }

  history(key: StoreKey): readonly StoreEvent[] {
    return this.#history.after(this.oldest, key.resource).filter(({ record }) => {
      return record.key.name === key.name && record.key.namespace === key.namespace;
    });
  }

  /** Adds an object without an event. Used while a store is loaded from disk. */
  restore(record: StoredRecord): void {
    this.#objectsOf(record.key.resource).put(record);
  }

  /** Applies the next event synchronously: updates the objects, appends to the history and notifies the watchers. */
  apply(event: StoreEvent): void {
    const { key } = event.record;
    this.#revision = event.revision;
    change(this.#objectsOf(key.resource), event);
    if (this.#objects.get(key.resource)?.size === 0) this.#objects.delete(key.resource);
    this.#history.add(event);
    for (const resource of [key.resource, ""]) {
      for (const subscription of this.#watchers.get(resource) ?? []) subscription.push(event);
    }
  }

  /** Returns an independent copy of objects and history, without watchers. */
  fork(): StoreState {
    const fork = new StoreState(this.#limits, this.#revision);
    fork.#history = this.#history.copy();
    fork.#objects = new Map([...this.#objects].map(([resource, objects]) => [resource, objects.copy()]));
    return fork;
  }

  close(): void {
    this.#isClosed = true;
    for (const watchers of this.#watchers.values()) {
      for (const subscription of watchers) subscription.end("closed");
    }
  }

  #objectsOf(resource: string): SortedRecords {
    const objects = this.#objects.get(resource) ?? new SortedRecords();
    this.#objects.set(resource, objects);
    return objects;
  }

  /** Returns the objects of a resource at a past revision, from the cache or by undoing later events. */
  #snapshot(resource: string, at: number): SortedRecords {
    const id = `${resource}@${at}`;
    const found = this.#snapshots.get(id);
    this.#snapshots.delete(id);
    const snapshot = found ?? this.#rewound(resource, at);
    this.#snapshots.set(id, snapshot);
    const [first] = this.#snapshots.keys();
    if (this.#snapshots.size > SNAPSHOTS_MAX && first !== undefined) this.#snapshots.delete(first);
    return snapshot;
  }

  #rewound(resource: string, at: number): SortedRecords {
    const objects = this.#objects.get(resource)?.copy() ?? new SortedRecords();
    for (const event of this.#history.after(at, resource).toReversed()) {
      if (event.kind === "created") objects.remove(event.record.key);
      else objects.put(event.previous);
    }
    return objects;
  }
}

function change(objects: SortedRecords, event: StoreEvent): void {
  if (event.kind === "deleted") objects.remove(event.record.key);
  else objects.put(event.record);
}
