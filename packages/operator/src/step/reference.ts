import type { AnyCustomKind, Kind, ObjectKey, ObjectOf } from "@levelset/core";

/** That objects of a kind name objects of another: an input in a Secret, a class, a parent. */
export interface Reference<K extends AnyCustomKind = AnyCustomKind> {
  readonly kind: Kind;
  /** The objects that one object names. */
  readonly keys: (object: ObjectOf<K>) => readonly ObjectKey[];
}

/**
 * Declares a reference by name: to an object in the same namespace, or to a cluster-scoped one. Whoever changes what is named wakes
 * the objects that name it; nothing polls.
 */
export function reference<K extends AnyCustomKind>(
  _kind: K,
  to: Kind,
  nameOf: (object: ObjectOf<K>) => string | undefined,
): Reference<K> {
  return {
    kind: to,
    keys: (object) => {
      const name = nameOf(object);
      if (name === undefined || name === "") return [];
      const { namespace } = object.metadata;
      return [to.scope === "Cluster" || namespace === undefined ? { name } : { namespace, name }];
    },
  };
}
