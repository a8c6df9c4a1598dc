import type { KubeObject } from "@levelset/core";

/** An object of any kind as the server keeps it: metadata is known, everything else is data. */
export interface ApiObject extends KubeObject {
  readonly [field: string]: unknown;
}

/** Where an object is kept. `namespace` is empty for cluster-scoped kinds. */
export interface StoreKey {
  /** `plural.group`, or `plural` for the core group. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

/** Which writes to watch: all, those of one resource, of one namespace, or of both. */
export interface WatchScope {
  /** Absent: all resources. */
  readonly resource?: string;
  /** Absent: all namespaces. */
  readonly namespace?: string;
}

/** Which objects to list: all of one resource, or those of one namespace. */
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
  /** `record` is the last state, but its resourceVersion is that of the deletion. */
  | {
      readonly kind: "deleted";
      readonly revision: number;
      readonly record: StoredRecord;
      readonly previous: StoredRecord;
    };

/** A version of an object that a store cannot read any more. */
export interface QuarantinedRow {
  readonly revision: number;
  /** The object; undefined when nothing says which one it is. */
  readonly key: StoreKey | undefined;
  /** `lost`: the object's latest version, so that the object is not served. `superseded`: an older one; the object is served. */
  readonly state: "lost" | "superseded";
  readonly reason: string;
}

/** The outcome of a compare-and-swap. */
export type WriteResult =
  | { readonly kind: "written"; readonly record: StoredRecord }
  /** The expectation did not hold; `current` is what is there instead, undefined when nothing is. */
  | { readonly kind: "conflict"; readonly current: StoredRecord | undefined };

/** The asked revision is older than the kept history. */
export interface Compacted {
  readonly kind: "compacted";
  /** The oldest revision that can still be asked for. */
  readonly oldest: number;
}

/** The objects of a scope at one revision, ordered by `namespace/name`. */
export interface Listing {
  readonly kind: "listing";
  readonly revision: number;
  readonly records: readonly StoredRecord[];
}

/** A subscription to the writes of one scope, in revision order, without gaps. */
export interface StoreWatch {
  readonly kind: "watch";
  /** Removes and returns up to `max` waiting events; empty when none waits. */
  take(max: number): readonly StoreEvent[];
  /** How many events wait. */
  readonly waiting: number;
  /** Why no more events will come: the watcher was too slow, or the store closed. Undefined while it lives. */
  readonly ended: "slow" | "closed" | undefined;
  /** Ends the subscription. Calling it twice does nothing. */
  close(): void;
}

/**
 * The storage contract. All objects of all kinds share one sequence of revisions: a 64-bit number that every write raises by
 * one. An empty store is at revision 1, so that no list ever has the revision 0, which means "any" in the protocol.
 *
 * Reads are synchronous: every implementation keeps the current objects in memory. Writes are promises: a durable
 * implementation decides the compare-and-swap, makes the write durable, and only then applies it to what reads and watchers see
 * and resolves, so nobody ever sees a write that a crash could undo. A caller must therefore never rely on a read still
 * holding when its write is decided, only on the expected revision it passes.
 */
export interface Store {
  /** The revision of the latest write. */
  readonly revision: number;

  get(key: StoreKey): StoredRecord | undefined;

  /** A consistent snapshot: now, or as of the revision `at` as long as history reaches back to it. */
  list(scope: StoreScope, at?: number): Listing | Compacted;

  /** Writes a new object; conflict when the key is taken. The store fills in `metadata.resourceVersion`. */
  create(key: StoreKey, object: ApiObject): Promise<WriteResult>;

  /** Replaces the object that has exactly the revision `expected`. */
  update(key: StoreKey, object: ApiObject, expected: number): Promise<WriteResult>;

  /** Removes the object that has exactly the revision `expected`; answers with the record that watchers see. */
  delete(key: StoreKey, expected: number): Promise<WriteResult>;

  /**
   * All events of the scope after revision `from`: first those of the history, then live ones. `wake` is called, synchronously
   * with the write, whenever events start to wait or the watch ends.
   */
  watch(scope: WatchScope, from: number, wake: () => void): StoreWatch | Compacted;

  /** The kept events of one object, oldest first. */
  history(key: StoreKey): readonly StoreEvent[];

  /** The versions that cannot be read. Their objects are neither served nor written. */
  readonly quarantine: readonly QuarantinedRow[];

  /** The quarantined latest version of an object. */
  quarantined(key: StoreKey): QuarantinedRow | undefined;

  /** Ends all watches. Later writes are refused. */
  close(): void;
}
