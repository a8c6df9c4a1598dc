import type { AnyCustomKind, Kind, ObjectKey, ObjectOf } from "@levelset/core";

/** Labels that an object must have, all of them. */
export type MatchLabels = Readonly<Record<string, string>>;

/** That objects of a kind depend on objects of another, which they name or find by labels: an input in a Secret, a class, a parent. */
export type Reference<K extends AnyCustomKind = AnyCustomKind> =
  | {
      readonly by: "name";
      readonly kind: Kind;
      /** The objects that one object names. */
      readonly keys: (object: ObjectOf<K>) => readonly ObjectKey[];
    }
  | {
      readonly by: "labels";
      readonly kind: Kind;
      /** What the objects carry that one object looks for; undefined when it looks for none. */
      readonly labels: (object: ObjectOf<K>) => MatchLabels | undefined;
    };

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
 * Declares a reference by labels that follow from an object: to whatever carries all of them in the same namespace, or in the
 * cluster for cluster-scoped kinds. Whoever comes, goes or changes among them wakes the object. `req.select` finds them.
 */
export function selection<K extends AnyCustomKind>(
  _kind: K,
  to: Kind,
  labelsOf: (object: ObjectOf<K>) => MatchLabels | undefined,
): Reference<K> {
  return { by: "labels", kind: to, labels: labelsOf };
}
