import type { KubeObject } from "@levelset/core";

/** A stored object of any kind. Only its metadata is typed. */
export interface ApiObject extends KubeObject {
  readonly [field: string]: unknown;
}

/** Identifies a stored object. `namespace` is empty for cluster-scoped kinds. */
export interface StoreKey {
  /** `plural.group`, or `plural` for the core group. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

/** Objects to watch: all, those of one resource, of one namespace, or of one resource in one namespace. */
export interface WatchScope {
  /** Absent: all resources. */
  readonly resource?: string;
  /** Absent: all namespaces. */
  readonly namespace?: string;
}

/** Objects to list: those of one resource, optionally in one namespace. */
export interface StoreScope extends WatchScope {
  readonly resource: string;
}

/** One version of one object. Immutable. */
export interface StoredRecord {
  readonly key: StoreKey;
  /** Frozen; its `metadata.resourceVersion` is `revision`. */
  readonly object: ApiObject;
  /** `object` as JSON text, encoded once when it was written. */
  readonly json: string;
  readonly revision: number;
}

/** One write, as a watcher sees it. */
export type StoreEvent =
  | { readonly kind: "created"; readonly revision: number; readonly record: StoredRecord }
  | {
      readonly kind: "updated";
      readonly revision: number;
      readonly record: StoredRecord;
      readonly previous: StoredRecord;
    }
  /** `record` is the last state with the resourceVersion of the deletion. */
  | {
      readonly kind: "deleted";
      readonly revision: number;
      readonly record: StoredRecord;
      readonly previous: StoredRecord;
    };

/** A stored version of an object that is damaged. */
export interface QuarantinedRow {
  readonly revision: number;
  /** The object; undefined if it cannot be determined. */
  readonly key: StoreKey | undefined;
  /**
   * `lost`: the latest version is damaged, so the object is not served. `superseded`: an older one; the object is
   * served.
   */
  readonly state: "lost" | "superseded";
  readonly reason: string;
}

/** Result of a compare-and-swap. */
export type WriteResult =
  | { readonly kind: "written"; readonly record: StoredRecord }
  /** The expected revision did not match. `current` is the stored object, undefined if it does not exist. */
  | { readonly kind: "conflict"; readonly current: StoredRecord | undefined };

/** The requested revision is older than the available history. */
export interface CompactedRevision {
  readonly kind: "compacted";
  /** The oldest revision that is still available. */
  readonly oldest: number;
}

/** The objects of a scope at one revision, ordered by `namespace/name`. */
export interface StoreList {
  readonly kind: "listing";
  readonly revision: number;
  readonly records: readonly StoredRecord[];
}

/** A subscription to the writes of one scope, in revision order, without gaps. */
export interface StoreWatch {
  readonly kind: "watch";
  /** Removes and returns up to `max` pending events; empty if there are none. */
  take(max: number): readonly StoreEvent[];
  /** Number of pending events. */
  readonly pendingCount: number;
  /**
   * Why the watch ended: the watcher was too slow, or the watch or the store was closed. Undefined while it is active.
   */
  readonly endReason: "slow" | "closed" | undefined;
  /** Ends the watch and drops pending events. Idempotent; does not call `notify`. */
  close(): void;
}

/**
 * The storage contract. All objects of all kinds share one sequence of revisions; every write increments it by one. An
 * empty store is at revision 1, because resourceVersion 0 means "any version" in list and watch requests (docs:
 * Kubernetes API Concepts, Resource versions).
 *
 * Reads are synchronous and served from memory. Writes are asynchronous compare-and-swaps: a durable implementation
 * checks the expected revision, commits the write, applies it to readers and watchers, and then resolves. Readers and
 * watchers therefore never see a write that a crash could undo. A read may be outdated by the time a write is decided;
 * callers rely only on the expected revision that they pass.
 *
 * A write rejects with `StorageError` if it was not stored. A revision mismatch is a `conflict` result, not an error.
 */
export interface Store {
  /** The revision of the latest write. */
  readonly revision: number;

  /** Returns the current version of an object; undefined if it does not exist or is quarantined. */
  get(key: StoreKey): StoredRecord | undefined;

  /** Returns a consistent snapshot at the latest revision or at revision `at`; `compacted` if `at` is too old. */
  list(scope: StoreScope, at?: number): StoreList | CompactedRevision;

  /** Creates an object; `conflict` if the key exists. The store sets `metadata.resourceVersion`. */
  create(key: StoreKey, object: ApiObject): Promise<WriteResult>;

  /** Replaces an object; `conflict` unless its revision is `expected`. The store sets `metadata.resourceVersion`. */
  update(key: StoreKey, object: ApiObject, expected: number): Promise<WriteResult>;

  /** Deletes an object; `conflict` unless its revision is `expected`. Returns the record that watchers receive. */
  delete(key: StoreKey, expected: number): Promise<WriteResult>;

  /**
   * Watches the events of the scope after revision `from`, first those of the history, then live ones; `compacted` if
   * `from` is too old. `notify` is called synchronously for each live event and when the store ends the watch.
   */
  watch(scope: WatchScope, from: number, notify: () => void): StoreWatch | CompactedRevision;

  /** Returns the available events of one object, oldest first. */
  history(key: StoreKey): readonly StoreEvent[];

  /** Damaged versions found when the store was opened. Objects in state `lost` are neither served nor writable. */
  readonly quarantine: readonly QuarantinedRow[];

  /** Returns the quarantined latest version of an object; undefined if the object is not quarantined. */
  quarantined(key: StoreKey): QuarantinedRow | undefined;

  /** Ends all watches. Later writes reject with `StorageError`; reads still work. */
  close(): void;
}
