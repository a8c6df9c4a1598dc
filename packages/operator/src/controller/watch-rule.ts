import { controllerOf, kindId, managerUid, markedOwner, parseApiVersion } from "@levelset/core";
import type { AnyCustomKind, Kind, KubeObject, ObjectKey, ObjectOf } from "@levelset/core";
import type { LabelQuery, Plan } from "../step/index.ts";

/** What every rule may say besides. */
export interface WatchRuleOptions<W extends Kind> {
  /** A label selector: only these objects are followed. */
  readonly labels?: string;
  /** The part that matters. A change of anything else wakes nobody. Default: the whole object. */
  readonly project?: (object: ObjectOf<W>) => unknown;
}

/** Which objects of ours wake up when an object of another kind changes. */
export type WatchRule<K extends AnyCustomKind> = WatchRuleOptions<Kind> &
  (
    | { readonly via: "owner"; readonly kind: Kind }
    | { readonly via: "reference"; readonly kind: Kind; readonly keys: (object: ObjectOf<K>) => readonly ObjectKey[] }
    | { readonly via: "labels"; readonly kind: Kind; readonly wanted: (object: ObjectOf<K>) => LabelQuery | undefined }
    | {
        readonly via: "mapping";
        readonly kind: Kind;
        /** The keys of our objects that have to do with the changed one. */
        readonly map: (changed: KubeObject, ours: Iterable<ObjectOf<K>>) => readonly ObjectKey[];
      }
  );

/**
 * Declares a watch of one's own: when an object of `kind` changes, the objects that `map` names are reconciled. `ours` are all
 * objects of the operator's kind, for mappings that have to look.
 */
export function mapping<K extends AnyCustomKind, W extends Kind>(
  _kind: K,
  kind: W,
  map: (changed: ObjectOf<W>, ours: Iterable<ObjectOf<K>>) => readonly ObjectKey[],
  options: WatchRuleOptions<W> = {},
): WatchRule<K> {
  // The watch of a kind brings objects of that kind.
  const rule = { via: "mapping", kind, map, ...options } as unknown;
  return rule as WatchRule<K>;
}

/** The rules that follow from what steps declare, each once. */
export function derivedRules<K extends AnyCustomKind>(plan: Plan<K>): readonly WatchRule<K>[] {
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

/** The name of the index of our objects by what they refer to under the n-th rule. */
export function referenceIndex(position: number): string {
  return `levelset.dev/reference-${position}`;
}

/** The index of children by the uid of whoever manages them. */
export const OWNER_INDEX = "levelset.dev/owner";

/** The uid of whoever manages an object, as an index wants it. */
export function ownerUid(object: KubeObject): readonly string[] {
  const uid = managerUid(object);
  return uid === undefined ? [] : [uid];
}

/** The key of our object that manages a child, if one of our kind does: as its controller, or by a mark. */
export function ownerKey(kind: Kind, child: KubeObject): ObjectKey | undefined {
  const owner = controllerOf(child);
  if (owner === undefined) return markedOwnerKey(kind, child);
  if (owner.kind !== kind.kind || parseApiVersion(owner.apiVersion).group !== kind.group) return undefined;
  const { namespace } = child.metadata;
  return kind.scope === "Cluster" || namespace === undefined ? { name: owner.name } : { namespace, name: owner.name };
}

function markedOwnerKey(kind: Kind, child: KubeObject): ObjectKey | undefined {
  const owner = markedOwner(child);
  if (owner?.kind !== kind.kind || owner.group !== kind.group) return undefined;
  return owner.namespace === undefined ? { name: owner.name } : { namespace: owner.namespace, name: owner.name };
}

/** Names one version of one object among all kinds: what tells our own writes from those of others. */
export function versionId(kind: Kind, object: KubeObject): string {
  return `${kindId(kind)}@${object.metadata.resourceVersion}`;
}

/** Names the end of one incarnation of an object. */
export function endId(kind: Kind, uid: string): string {
  return `${kindId(kind)}#${uid}`;
}
