import type { AnyCustomKind, Kind, ObjectKey, ObjectOf } from "@levelset/core";
import type { LabelQuery } from "./label-query.ts";

/** A dependency of a kind on objects of another kind, by name or by labels: an input in a Secret, a class, a parent. */
export type Reference<K extends AnyCustomKind = AnyCustomKind> =
  | {
      readonly by: "name";
      readonly kind: Kind;
      /** Returns the keys of the objects that one object names. */
      readonly keys: (object: ObjectOf<K>) => readonly ObjectKey[];
    }
  | {
      readonly by: "labels";
      readonly kind: Kind;
      /** Returns the labels that one object selects by, or undefined if it selects no objects. */
      readonly labels: (object: ObjectOf<K>) => LabelQuery | undefined;
    };

/**
 * Declares a reference by name: to an object in the same namespace, or to a cluster-scoped one. A change of the named
 * object enqueues the objects that name it, without polling. `req.get` reads it.
 */
export function reference<K extends AnyCustomKind>(
  _kind: K,
  to: Kind,
  nameOf: (object: ObjectOf<K>) => string | undefined,
): Reference<K> {
  return {
    by: "name",
    kind: to,
    keys: (object) => {
      const name = nameOf(object);
      if (name === undefined || name === "") return [];
      const { namespace } = object.metadata;
      return [to.scope === "Cluster" || namespace === undefined ? { name } : { namespace, name }];
    },
  };
}

/**
 * Declares a reference by labels that are computed from an object: to all objects that they select in the same
 * namespace, or in the cluster for cluster-scoped kinds. An object that starts or stops matching, or changes while it
 * matches, enqueues the objects that select it. `req.select` reads the selected objects.
 */
export function referenceByLabels<K extends AnyCustomKind>(
  _kind: K,
  to: Kind,
  labelsOf: (object: ObjectOf<K>) => LabelQuery | undefined,
): Reference<K> {
  return { by: "labels", kind: to, labels: labelsOf };
}
