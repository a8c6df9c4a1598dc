import { deepFreeze, stringifyJson } from "@levelset/core";
import type {
  ApiObject,
  Compacted,
  Listing,
  Store,
  StoredRecord,
  StoreEvent,
  StoreKey,
  StoreScope,
  StoreWatch,
  WatchScope,
  WriteResult,
} from "./contract.ts";
import { History, isInScope } from "./history.ts";
import { Subscription } from "./subscription.ts";

/** Limits of a memory store. */
export interface MemoryStoreOptions {
  /** How many events of the past are kept for watches and snapshots. Default 10,000. */
  readonly historyMax?: number;
  /** How many events may wait for one watcher before it is ended as too slow. Default 10,000. */
  readonly backlogMax?: number;
}

const FIRST_REVISION = 1;

/** Keeps everything in memory. A write is decided, visible and announced in the same synchronous step. */
export class MemoryStore implements Store {
  readonly #backlogMax: number;
  readonly #history: History;
  /** resource → namespace → name → record. */
  readonly #resources = new Map<string, Map<string, Map<string, StoredRecord>>>();
  /** resource → its watchers; those of all resources are under the empty name. */
  readonly #watchers = new Map<string, Set<Subscription>>();
  #revision = FIRST_REVISION;
  #closed = false;

  constructor(options: MemoryStoreOptions = {}) {
    this.#backlogMax = options.backlogMax ?? 10_000;
    this.#history = new History({ max: options.historyMax ?? 10_000, revision: FIRST_REVISION });
  }

  get revision(): number {
    return this.#revision;
  }

  get(key: StoreKey): StoredRecord | undefined {
    return this.#resources.get(key.resource)?.get(key.namespace)?.get(key.name);
  }

  list(scope: StoreScope, at: number = this.#revision): Listing | Compacted {
    if (at < this.#history.oldest) return { kind: "compacted", oldest: this.#history.oldest };
    const objects = new Map<string, StoredRecord>();
    for (const [namespace, names] of this.#resources.get(scope.resource) ?? []) {
      if (scope.namespace !== undefined && scope.namespace !== namespace) continue;
      for (const [name, record] of names) objects.set(`${namespace}/${name}`, record);
    }
    if (at < this.#revision) this.#history.rewind(objects, scope, at);
    const records = [...objects].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, record]) => record);
    return { kind: "listing", revision: at, records };
  }

  async create(key: StoreKey, object: ApiObject): Promise<WriteResult> {
    const current = this.get(key);
    if (current !== undefined) return { kind: "conflict", current };
    const record = this.#next(key, object);
    this.#namesOf(key).set(key.name, record);
    this.#announce({ kind: "created", revision: record.revision, record });
    return { kind: "written", record };
  }

  async update(key: StoreKey, object: ApiObject, expected: number): Promise<WriteResult> {
    const previous = this.get(key);
    if (previous?.revision !== expected) return { kind: "conflict", current: previous };
    const record = this.#next(key, object);
    this.#namesOf(key).set(key.name, record);
    this.#announce({ kind: "updated", revision: record.revision, record, previous });
    return { kind: "written", record };
  }

  async delete(key: StoreKey, expected: number): Promise<WriteResult> {
    const previous = this.get(key);
    if (previous?.revision !== expected) return { kind: "conflict", current: previous };
    const record = this.#next(key, previous.object);
    this.#remove(key);
    this.#announce({ kind: "deleted", revision: record.revision, record, previous });
    return { kind: "written", record };
  }

  watch(scope: WatchScope, from: number, wake: () => void): StoreWatch | Compacted {
    if (from < this.#history.oldest) return { kind: "compacted", oldest: this.#history.oldest };
    const replay = this.#history.after(from).filter((event) => isInScope(event, scope));
    const watchers = this.#watchers.get(scope.resource ?? "") ?? new Set();
    this.#watchers.set(scope.resource ?? "", watchers);
    const onClose = (closed: Subscription): void => {
      watchers.delete(closed);
    };
    const subscription = new Subscription({ scope, replay, backlogMax: this.#backlogMax, wake, onClose });
    watchers.add(subscription);
    if (this.#closed) subscription.end("closed");
    return subscription;
  }

  history(key: StoreKey): readonly StoreEvent[] {
    return this.#history.after(this.#history.oldest).filter(({ record }) => {
      const { resource, namespace, name } = record.key;
      return name === key.name && namespace === key.namespace && resource === key.resource;
    });
  }

  close(): void {
    this.#closed = true;
    for (const watchers of this.#watchers.values()) {
      for (const subscription of watchers) subscription.end("closed");
    }
  }

  #next(key: StoreKey, object: ApiObject): StoredRecord {
    if (this.#closed) throw new TypeError("the store is closed");
    this.#revision++;
    const versioned: ApiObject = {
      ...object,
      metadata: { ...object.metadata, resourceVersion: String(this.#revision) },
    };
    return deepFreeze({ key, object: versioned, json: stringifyJson(versioned), revision: this.#revision });
  }

  #namesOf(key: StoreKey): Map<string, StoredRecord> {
    const namespaces = this.#resources.get(key.resource) ?? new Map<string, Map<string, StoredRecord>>();
    this.#resources.set(key.resource, namespaces);
    const names = namespaces.get(key.namespace) ?? new Map<string, StoredRecord>();
    namespaces.set(key.namespace, names);
    return names;
  }

  #remove(key: StoreKey): void {
    const namespaces = this.#resources.get(key.resource);
    const names = namespaces?.get(key.namespace);
    names?.delete(key.name);
    if (names?.size === 0) namespaces?.delete(key.namespace);
  }

  #announce(event: StoreEvent): void {
    this.#history.add(event);
    for (const resource of [event.record.key.resource, ""]) {
      for (const subscription of this.#watchers.get(resource) ?? []) subscription.offer(event);
    }
  }
}
