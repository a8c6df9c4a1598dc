import { controllerOf, kindId } from "@levelset/core";
import { controllingOwnerUid, annotatedOwnerOf, parseApiVersion, strippedOwnerUid } from "@levelset/core/internal";
import type { AnyCustomKind, Kind, KubeObject, ObjectKey, ObjectOf } from "@levelset/core";
import type { LabelQuery, StepPlan } from "../engine/index.ts";

/** Options of every watch rule. */
export interface WatchRuleOptions<W extends Kind> {
  /** A label selector: only matching objects are watched. */
  readonly labelSelector?: string;
  /** Returns the relevant part of an object. Changes of other parts are ignored. Default: the whole object. */
  readonly project?: (object: ObjectOf<W>) => unknown;
}

/** Maps a change of an object of another kind to the objects of our kind to enqueue. */
export type WatchRule<K extends AnyCustomKind> = WatchRuleOptions<Kind> &
  (
    | { readonly via: "owner"; readonly kind: Kind }
    | { readonly via: "reference"; readonly kind: Kind; readonly keys: (object: ObjectOf<K>) => readonly ObjectKey[] }
    | { readonly via: "labels"; readonly kind: Kind; readonly wanted: (object: ObjectOf<K>) => LabelQuery | undefined }
    | {
        readonly via: "mapping";
        readonly kind: Kind;
        /** Returns the keys of the objects to enqueue for a changed one. */
        readonly map: (changed: KubeObject, ours: Iterable<ObjectOf<K>>) => readonly ObjectKey[];
      }
  );

/**
 * Declares a custom watch: when an object of `kind` changes, the objects whose keys `map` returns are enqueued. `ours`
 * are all cached objects of the operator's kind.
 */
export function enqueueFromMap<K extends AnyCustomKind, W extends Kind>(
  _kind: K,
  kind: W,
  map: (changed: ObjectOf<W>, ours: Iterable<ObjectOf<K>>) => readonly ObjectKey[],
  options: WatchRuleOptions<W> = {},
): WatchRule<K> {
  // The watch of a kind delivers objects of that kind only.
  const rule = { via: "mapping", kind, map, ...options } as unknown;
  return rule as WatchRule<K>;
}

/** Returns the watch rules derived from the declarations of the steps, without duplicates. */
export function derivedRules<K extends AnyCustomKind>(plan: StepPlan<K>): readonly WatchRule<K>[] {
  const owned = new Map(plan.owns.map((kind) => [kindId(kind), kind]));
  return [
    ...[...owned.values()].map((kind): WatchRule<K> => ({ via: "owner", kind })),
    ...plan.reads.map((reference): WatchRule<K> =>
      reference.by === "name"
        ? { via: "reference", kind: reference.kind, keys: reference.keys }
        : { via: "labels", kind: reference.kind, wanted: reference.labels },
    ),
  ];
}

/** Returns the name of the index of our objects by their references under the n-th rule. */
export function referenceIndex(position: number): string {
  return `levelset.dev/reference-${position}`;
}

/** Name of the index of children by the UID of their managing owner. */
export const OWNER_INDEX = "levelset.dev/owner";

/**
 * Returns the index values for {@link OWNER_INDEX}: the UID of the managing owner, or the {@link strippedValue} of the
 * UID in the owner label if another client has removed the rest.
 */
export function ownerUid(object: KubeObject): readonly string[] {
  const uid = controllingOwnerUid(object);
  if (uid !== undefined) return [uid];
  const stripped = strippedOwnerUid(object);
  return stripped === undefined ? [] : [strippedValue(stripped)];
}

/** Returns the value in {@link OWNER_INDEX} of objects that only the owner label connects with an owner. */
export function strippedValue(uid: string): string {
  return `stripped ${uid}`;
}

/** Returns the key of the object of `kind` that manages a child, by controller reference or by owner annotation. */
export function ownerKey(kind: Kind, child: KubeObject): ObjectKey | undefined {
  const owner = controllerOf(child);
  if (owner === undefined) return markedOwnerKey(kind, child);
  if (owner.kind !== kind.kind || parseApiVersion(owner.apiVersion).group !== kind.group) return undefined;
  const { namespace } = child.metadata;
  return kind.scope === "Cluster" || namespace === undefined ? { name: owner.name } : { namespace, name: owner.name };
}

function markedOwnerKey(kind: Kind, child: KubeObject): ObjectKey | undefined {
  const owner = annotatedOwnerOf(child);
  if (owner?.kind !== kind.kind || owner.group !== kind.group) return undefined;
  return owner.namespace === undefined ? { name: owner.name } : { namespace: owner.namespace, name: owner.name };
}

/** Identifies one version of one object among all kinds, to distinguish our own writes from those of others. */
export function versionId(kind: Kind, object: KubeObject): string {
  return `${kindId(kind)}@${object.metadata.resourceVersion}`;
}

/** Identifies the deletion of the object with this UID. */
export function deletionId(kind: Kind, uid: string): string {
  return `${kindId(kind)}#${uid}`;
}
