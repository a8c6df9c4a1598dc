import type {
  Compacted,
  Listing,
  StoredRecord,
  StoreEvent,
  StoreKey,
  StoreScope,
  StoreWatch,
  WatchScope,
} from "./contract.ts";
import { History, isInScope } from "./history.ts";
import { withDefaults } from "./limits.ts";
import type { StoreLimits } from "./limits.ts";
import { SortedRecords } from "./sorted-records.ts";
import { Subscription } from "./subscription.ts";

/** The revision of an empty store. */
const FIRST_REVISION = 1;

/** How many lists of the past are kept for the pages that follow. */
const SNAPSHOTS_MAX = 8;

/**
 * What readers and watchers of a store see: the present objects, the recent past, and who waits for what comes. Stores differ in
 * when they `apply` an event, and agree in everything here.
 */
export class StoreState {
  readonly #limits: Required<StoreLimits>;
  #history: History;
  #objects = new Map<string, SortedRecords>();
  /** resource → its watchers; those of all resources are under the empty name. */
  readonly #watchers = new Map<string, Set<Subscription>>();
  /** `resource@revision` → the resource as it was then, the latest used last. */
  readonly #snapshots = new Map<string, SortedRecords>();
  #revision: number;
  #isClosed = false;

  /** A store that is empty at `revision`, and has no past before it. */
  constructor(limits: StoreLimits, revision: number = FIRST_REVISION) {
    this.#limits = withDefaults(limits);
    this.#revision = revision;
    this.#history = new History(this.#limits, revision);
  }

  get revision(): number {
    return this.#revision;
  }

  /** The oldest revision that can be asked for. */
  get oldest(): number {
    return this.#history.oldest;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get(key: StoreKey): StoredRecord | undefined {
    return this.#objects.get(key.resource)?.get(key);
  }

  list(scope: StoreScope, at: number = this.#revision): Listing | Compacted {
    if (at < this.oldest) return { kind: "compacted", oldest: this.oldest };
    const objects = at < this.#revision ? this.#snapshot(scope.resource, at) : this.#objects.get(scope.resource);
    return { kind: "listing", revision: at, records: objects?.list(scope.namespace) ?? [] };
  }

  watch(scope: WatchScope, from: number, wake: () => void): StoreWatch | Compacted {
    if (from < this.oldest) return { kind: "compacted", oldest: this.oldest };
    const past = this.#history.after(from, scope.resource);
    const replay = scope.namespace === undefined ? past : past.filter((event) => isInScope(event, scope));
    const watchers = this.#watchers.get(scope.resource ?? "") ?? new Set();
    this.#watchers.set(scope.resource ?? "", watchers);
    const onClose = (closed: Subscription): void => {
      watchers.delete(closed);
    };
    const { backlogMax, backlogMaxBytes } = this.#limits;
    const subscription = new Subscription({ scope, replay, backlogMax, backlogMaxBytes, wake, onClose });
    watchers.add(subscription);
    if (this.#isClosed) subscription.end("closed");
    return subscription;
  }

  history(key: StoreKey): readonly StoreEvent[] {
    return this.#history.after(this.oldest, key.resource).filter(({ record }) => {
      return record.key.name === key.name && record.key.namespace === key.namespace;
    });
  }

  /** Takes an object as there from the beginning, without a past: for a store that is being read from disk. */
  seed(record: StoredRecord): void {
    this.#objectsOf(record.key.resource).put(record);
  }

  /** Takes the next event: visible to readers, part of history, and told to every watcher, in one step. */
  apply(event: StoreEvent): void {
    const { key } = event.record;
    this.#revision = event.revision;
    change(this.#objectsOf(key.resource), event);
    if (this.#objects.get(key.resource)?.size === 0) this.#objects.delete(key.resource);
    this.#history.add(event);
    for (const resource of [key.resource, ""]) {
      for (const subscription of this.#watchers.get(resource) ?? []) subscription.offer(event);
    }
  }

  /** A copy of objects and history, without watchers. What either takes from now on does not show in the other. */
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

  /** A resource as it was: found among the lists of late, or undone from the present event by event. */
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
