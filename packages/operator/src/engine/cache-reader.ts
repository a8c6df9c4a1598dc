import type { AnyCustomKind, Kind, KubeObject, ObjectKey, ObjectOf } from "@levelset/core";
import type { WatchedObjects, DynamicWatch } from "./step/dynamic-watch.ts";
import type { LabelQuery } from "./step/label-query.ts";

/**
 * Reads from the informer caches of the kinds that the steps declare, without requests. Reads include the operator's
 * own writes. Throws an `UndeclaredKindError` for a kind that no step declares for such reads.
 */
export interface CacheReader<Own extends AnyCustomKind = AnyCustomKind> {
  /** Returns the frozen object, or undefined if the cache has none under the key. */
  get<K extends Kind>(kind: K, key: ObjectKey): ObjectOf<K> | undefined;
  /** Returns the objects of a kind whose controller reference has the UID of `owner`. */
  owned<K extends Kind>(kind: K, owner: KubeObject): readonly ObjectOf<K>[];
  /** Returns the objects of a kind that only the owner label connects with `owner`: another client removed the rest. */
  stripped<K extends Kind>(kind: K, owner: KubeObject): readonly ObjectOf<K>[];
  /** Reports whether the object was seen with the finalizer of `kubectl delete --cascade=orphan`. */
  isOrphaning(object: KubeObject): boolean;
  /**
   * Returns the objects that the labels select: in a namespace, or in the whole cluster if `namespace` is undefined.
   */
  select<K extends Kind>(kind: K, namespace: string | undefined, labels: LabelQuery): readonly ObjectOf<K>[];
  /**
   * Watches these kinds on behalf of one object, and stops watching the kinds that an earlier call named under the same
   * rule. Resolves once each kind is either synced or known to be unwatchable.
   */
  watch(owner: ObjectKey, rule: DynamicWatch<Own>, kinds: readonly Kind[]): Promise<WatchedObjects>;
}
