import type { AnyCustomKind, Kind, KubeObject, ObjectKey, ObjectOf } from "@levelset/core";
import type { WatchFailure } from "../../cache/index.ts";

/**
 * A watch on kinds that are known only at run time, from the spec of an object. It selects objects by label and maps
 * each change to the objects to enqueue. A step declares it under `dynamicWatches` and names the kinds with
 * `req.watch`.
 */
export interface DynamicWatch<K extends AnyCustomKind = AnyCustomKind> {
  /** A label selector. */
  readonly labelSelector: string;
  /** Returns the keys of the objects to enqueue for a change. `ours` are all objects of the operator's kind. */
  map(this: void, changed: KubeObject, ours: Iterable<ObjectOf<K>>): readonly ObjectKey[];
}

/**
 * Cached objects of a dynamic watch. `get` and `list` throw for a kind that cannot be watched, because its cache is not
 * current.
 */
export interface WatchedObjects {
  /** Returns why a kind cannot be watched now, or undefined if it can be read. A change of this enqueues the object. */
  failure(kind: Kind): WatchFailure | undefined;
  /** Returns the latest cached version, frozen, or undefined if no object with the label has this key. */
  get(kind: Kind, key: ObjectKey): KubeObject | undefined;
  /** Returns all cached objects of a kind with the label, frozen. */
  list(kind: Kind): readonly KubeObject[];
}
