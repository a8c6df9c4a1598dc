import { controllerOf, controllerReference, kindId } from "@levelset/core";
import { labelSelectorFromObject, matchesLabelSelector, SelectorError } from "@levelset/core/schema";
import { parseApiVersion } from "@levelset/core/internal";
import type { Kind, KubeObject, ObjectOf } from "@levelset/core";
import type { LabelSelector, LabelSelectorObject } from "@levelset/core/schema";
import { objectOfRecord } from "../controller-client.ts";
import type { RecordChange } from "../change-feed.ts";
import { formatStoreKey } from "../owner-index.ts";
import type { WorkloadContext } from "./workload-context.ts";

/** Returns the keys of workloads affected by a change: the workload itself, and the controllers of its objects. */
export function* affectedOwnerKeys(kind: Kind, { key, current, previous }: RecordChange): Iterable<string> {
  const resource = kindId(kind);
  if (key.resource === resource) {
    if (current !== undefined) yield formatStoreKey(key);
    return;
  }
  for (const record of [current, previous]) {
    const owner = record === undefined ? undefined : controllerOf(record.object);
    if (owner?.kind !== kind.kind || parseApiVersion(owner.apiVersion).group !== kind.group) continue;
    yield formatStoreKey({ resource, namespace: key.namespace, name: owner.name });
  }
}

/** Parses a selector of a spec. An invalid selector matches no objects. */
export function parsedSelectorOf(selector: LabelSelectorObject | undefined): LabelSelector {
  try {
    return labelSelectorFromObject(selector);
  } catch (error) {
    if (error instanceof SelectorError) return { kind: "nothing" };
    throw error;
  }
}

/** Lists the objects of a kind owned by a workload, regardless of labels. */
export function listOwnedBy<K extends Kind>(
  context: WorkloadContext,
  owner: KubeObject,
  kind: K,
): readonly ObjectOf<K>[] {
  const resource = kindId(kind);
  return [...context.index.dependentsOf(owner.metadata.uid)]
    .filter(({ key, object }) => key.resource === resource && controllerOf(object)?.uid === owner.metadata.uid)
    .map((record) => objectOfRecord<K>(record));
}

/**
 * Returns the objects that a workload controls: owned objects that match its selector, plus matching orphans, which it
 * adopts. Releases owned objects that no longer match.
 */
export async function claimObjects<K extends Kind>(
  context: WorkloadContext,
  owner: KubeObject,
  kind: K,
  selector: LabelSelector,
): Promise<readonly ObjectOf<K>[]> {
  const { client } = context;
  const { namespace = "", uid, deletionTimestamp } = owner.metadata;
  const matches = (object: ObjectOf<K>): boolean => matchesLabelSelector(selector, object.metadata.labels);
  const mine: ObjectOf<K>[] = [];
  for (const object of listOwnedBy(context, owner, kind)) {
    if (matches(object)) mine.push(object);
    else if (deletionTimestamp === undefined) {
      await client.update(kind, object, (old) => withoutOwner(old, uid));
    }
  }
  if (deletionTimestamp !== undefined || isEverything(selector)) return mine;
  for (const object of client.list(kind, namespace)) {
    const isFree = controllerOf(object) === undefined && object.metadata.deletionTimestamp === undefined;
    if (!isFree || !matches(object)) continue;
    const adopted = await client.update(kind, object, (old) => withOwner(old, owner));
    if (adopted !== undefined && controllerOf(adopted)?.uid === uid) mine.push(adopted);
  }
  return mine;
}

function isEverything(selector: LabelSelector): boolean {
  return selector.kind === "all-of" && selector.requirements.length === 0;
}

function withOwner(object: KubeObject, owner: KubeObject): KubeObject {
  // Another controller may have adopted it.
  if (controllerOf(object) !== undefined) return object;
  const ownerReferences = [...(object.metadata.ownerReferences ?? []), controllerReference(owner)];
  return { ...object, metadata: { ...object.metadata, ownerReferences } };
}

function withoutOwner(object: KubeObject, uid: string): KubeObject {
  const { ownerReferences = [], ...metadata } = object.metadata;
  const left = ownerReferences.filter((reference) => reference.uid !== uid);
  return { ...object, metadata: { ...metadata, ...(left.length === 0 ? {} : { ownerReferences: left }) } };
}

/** Returns the keys of the workloads that would adopt an orphan. */
export function* adoptionCandidateKeys<K extends Kind>(
  context: WorkloadContext,
  kind: K,
  { key, current }: RecordChange,
  selector: (workload: ObjectOf<K>) => LabelSelector,
): Iterable<string> {
  if (current === undefined || controllerOf(current.object) !== undefined) return;
  for (const workload of context.client.list(kind, key.namespace)) {
    if (!matchesLabelSelector(selector(workload), current.object.metadata.labels)) continue;
    yield formatStoreKey({ resource: kindId(kind), namespace: key.namespace, name: workload.metadata.name });
  }
}
