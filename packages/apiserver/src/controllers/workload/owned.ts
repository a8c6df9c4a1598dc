import {
  controllerOf,
  controllerReference,
  kindId,
  labelSelectorFromObject,
  matchLabels,
  parseApiVersion,
  SelectorError,
} from "@levelset/core";
import type { Kind, KubeObject, LabelSelector, LabelSelectorObject, ObjectOf } from "@levelset/core";
import { objectOf } from "../actor.ts";
import type { Change } from "../feed.ts";
import { formatStoreKey } from "../owner-index.ts";
import type { WorkloadWorld } from "./world.ts";

/** The keys of workloads of a kind that a change concerns: the workload itself, and the controllers of what it owns. */
export function* affectedOwners(kind: Kind, { key, now, before }: Change): Iterable<string> {
  const resource = kindId(kind);
  if (key.resource === resource) {
    if (now !== undefined) yield formatStoreKey(key);
    return;
  }
  for (const record of [now, before]) {
    const owner = record === undefined ? undefined : controllerOf(record.object);
    if (owner?.kind !== kind.kind || parseApiVersion(owner.apiVersion).group !== kind.group) continue;
    yield formatStoreKey({ resource, namespace: key.namespace, name: owner.name });
  }
}

/** A selector as spec has it; one that cannot be read selects nothing. */
export function selectorOf(selector: LabelSelectorObject | undefined): LabelSelector {
  try {
    return labelSelectorFromObject(selector);
  } catch (error) {
    if (error instanceof SelectorError) return { kind: "nothing" };
    throw error;
  }
}

/** What a workload owns of a kind, whatever its labels. */
export function ownedBy<K extends Kind>(world: WorkloadWorld, owner: KubeObject, kind: K): readonly ObjectOf<K>[] {
  const resource = kindId(kind);
  return [...world.index.dependentsOf(owner.metadata.uid)]
    .filter(({ key, object }) => key.resource === resource && controllerOf(object)?.uid === owner.metadata.uid)
    .map((record) => objectOf<K>(record));
}

/**
 * The objects that a workload controls: those it owns and selects, and those without a controller that it selects, which it
 * adopts. It lets go of what it no longer selects.
 */
export async function claimed<K extends Kind>(
  world: WorkloadWorld,
  owner: KubeObject,
  kind: K,
  selector: LabelSelector,
): Promise<readonly ObjectOf<K>[]> {
  const { actor } = world;
  const { namespace = "", uid, deletionTimestamp } = owner.metadata;
  const matches = (object: ObjectOf<K>): boolean => matchLabels(selector, object.metadata.labels);
  const mine: ObjectOf<K>[] = [];
  for (const object of ownedBy(world, owner, kind)) {
    if (matches(object)) mine.push(object);
    else if (deletionTimestamp === undefined) {
      await actor.change(kind, object, (old) => withoutOwner(old, uid));
    }
  }
  if (deletionTimestamp !== undefined || isEverything(selector)) return mine;
  for (const object of actor.list(kind, namespace)) {
    const isFree = controllerOf(object) === undefined && object.metadata.deletionTimestamp === undefined;
    if (!isFree || !matches(object)) continue;
    const adopted = await actor.change(kind, object, (old) => withOwner(old, owner));
    if (adopted !== undefined && controllerOf(adopted)?.uid === uid) mine.push(adopted);
  }
  return mine;
}

function isEverything(selector: LabelSelector): boolean {
  return selector.kind === "all-of" && selector.requirements.length === 0;
}

function withOwner(object: KubeObject, owner: KubeObject): KubeObject {
  // Somebody else may have been faster.
  if (controllerOf(object) !== undefined) return object;
  const ownerReferences = [...(object.metadata.ownerReferences ?? []), controllerReference(owner)];
  return { ...object, metadata: { ...object.metadata, ownerReferences } };
}

function withoutOwner(object: KubeObject, uid: string): KubeObject {
  const { ownerReferences = [], ...metadata } = object.metadata;
  const left = ownerReferences.filter((reference) => reference.uid !== uid);
  return { ...object, metadata: { ...metadata, ...(left.length === 0 ? {} : { ownerReferences: left }) } };
}

/** The workloads that would adopt an object without a controller. */
export function* adopters<K extends Kind>(
  world: WorkloadWorld,
  kind: K,
  { key, now }: Change,
  selector: (workload: ObjectOf<K>) => LabelSelector,
): Iterable<string> {
  if (now === undefined || controllerOf(now.object) !== undefined) return;
  for (const workload of world.actor.list(kind, key.namespace)) {
    if (!matchLabels(selector(workload), now.object.metadata.labels)) continue;
    yield formatStoreKey({ resource: kindId(kind), namespace: key.namespace, name: workload.metadata.name });
  }
}
