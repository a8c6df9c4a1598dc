import { decodeManagedFields, encodeManagedFields, FieldSet, ManagedFieldsError } from "@levelset/core/apply";
import type { FieldManagerEntry, FieldPath, ManagedFields } from "@levelset/core/apply";
import { fieldManagerId } from "@levelset/core/internal";
import type { KubeObject, ManagedFieldsEntry } from "@levelset/core";
import { fieldManagerOf, INHERITED, partLabel } from "../spec/labels-and-annotations.ts";

/**
 * Field managers of commands that people run, and of fields that have no known writer. They do not write on their own,
 * so that their fields can be taken over for good. `kubectl-rollout` is missing: removing the time of a restart would
 * restart the pods again. `kubectl-scale` is missing, because a number of replicas is not part of a manifest.
 */
const FORMER_MANAGERS: ReadonlySet<string> = new Set([
  "kubectl", // kubectl apply --server-side
  "kubectl-client-side-apply",
  "kubectl-last-applied",
  ...["create", "run", "expose", "autoscale", "replace", "edit", "patch", "set", "label", "annotate"].map(
    (command) => `kubectl-${command}`,
  ),
  "before-first-apply", // set by the server: k8s.io/apimachinery/pkg/util/managedfields
  "helm",
]);

/** Fields that are never taken over: owners and finalizers belong to other controllers, a status to its writer. */
const NEVER_TAKEN: readonly FieldPath[] = [
  ["f:metadata", "f:ownerReferences"],
  ["f:metadata", "f:finalizers"],
  ["f:status"],
];

/** Fields that the cluster sets for an object for good if a manifest omits them. They stay, too. */
const ALLOCATED: Readonly<Record<string, readonly FieldPath[]>> = {
  Service: [
    ["f:spec", "f:clusterIP"],
    ["f:spec", "f:clusterIPs"],
  ],
  PersistentVolumeClaim: [
    ["f:spec", "f:volumeName"],
    ["f:spec", "f:storageClassName"],
  ],
};

/** Fields of former managers that an Operand takes over. */
export interface FormerFields {
  readonly taken: FieldSet;
  /** The managedFields of the object after the takeover: the taken fields belong to the Operand's apply. */
  readonly managedFields: readonly ManagedFieldsEntry[];
}

/** The Operand that takes over an object. */
export interface NewManager {
  readonly operandUid: string;
  /** The API version of its manifest. */
  readonly apiVersion: string;
  /** Uids of Operands that do not exist, although the object has their label. */
  readonly gone: ReadonlySet<string>;
  /** Fields that stay with their managers. */
  readonly ignored: readonly FieldPath[];
}

/** Reports whether an Operand takes over an object with its next apply: it has not applied the object yet. */
export function isTakenOver({ metadata }: KubeObject, operandUid: string): boolean {
  const label = metadata.labels?.[partLabel(operandUid)];
  return label === undefined || label === INHERITED;
}

/**
 * Returns the fields of former managers of an object; undefined if there are none. Former are the managers above, and
 * Operands that no longer manage the object. Fields are moved within one API version: paths of another one may have
 * another meaning.
 */
export function formerFields(live: KubeObject, about: NewManager): FormerFields | undefined {
  const owners = ownersOf(live);
  const manager = fieldManagerOf(about.operandUid);
  const ours = [...owners.values()].find((one) => one.manager === manager && one.operation === "Apply");
  const kept = FieldSet.of(...NEVER_TAKEN, ...(ALLOCATED[live.kind] ?? []), ...about.ignored);
  const offers = [...owners].flatMap(([id, owner]) => {
    if (owner === ours || owner.subresource !== "") return [];
    const offered = isFormer(owner, live, about)
      ? owner.fields.recursiveDifference(kept)
      : owner.operation === "Update"
        ? owner.fields.intersection(labelOf(about.operandUid))
        : FieldSet.empty;
    return offered.isEmpty ? [] : [{ id, owner, offered }];
  });
  const versions = offers.map(({ owner }) => owner.apiVersion);
  const apiVersion = ours?.apiVersion ?? (versions.includes(about.apiVersion) ? about.apiVersion : versions[0]);
  if (apiVersion === undefined) return undefined;
  const after = new Map(owners);
  let taken = FieldSet.empty;
  for (const { id, owner, offered } of offers.filter((one) => one.owner.apiVersion === apiVersion)) {
    taken = taken.union(offered);
    const left = owner.fields.difference(offered);
    if (left.isEmpty) after.delete(id);
    else after.set(id, { ...owner, fields: left });
  }
  if (taken.isEmpty) return undefined;
  const identity = { manager, operation: "Apply", apiVersion, subresource: "" } as const;
  const fields = ours === undefined ? taken : ours.fields.union(taken);
  const entry = { ...identity, fields, time: ours?.time ?? offers[0]?.owner.time };
  after.set(fieldManagerId(identity), entry);
  return { taken, managedFields: encodeManagedFields(after) };
}

/**
 * Returns the fields that an apply removes after a takeover: taken ones that are neither in the body nor of another
 * manager. `applied` is the result of an apply without the takeover, with its managedFields.
 */
export function removedFields(
  live: KubeObject,
  applied: KubeObject,
  { taken }: FormerFields,
  about: NewManager,
): { readonly removed: FieldSet; readonly kept: FieldSet } {
  const others = [...ownersOf(applied).values()].map((owner) =>
    isFormer(owner, live, about) ? owner.fields.difference(taken) : owner.fields,
  );
  const kept = others.reduce((all, fields) => all.union(fields), FieldSet.empty);
  return { removed: taken.difference(kept), kept };
}

function isFormer({ manager, operation }: FieldManagerEntry, live: KubeObject, about: NewManager): boolean {
  if (FORMER_MANAGERS.has(manager)) return true;
  const prefix = fieldManagerOf("");
  if (operation !== "Apply" || !manager.startsWith(prefix)) return false;
  const uid = manager.slice(prefix.length);
  if (uid === about.operandUid) return false;
  return live.metadata.labels?.[partLabel(uid)] === undefined || about.gone.has(uid);
}

/** The label of an Operand: the operator sets its value at a handover, and the Operand's apply replaces it. */
function labelOf(operandUid: string): FieldSet {
  return FieldSet.of(["f:metadata", "f:labels", `f:${partLabel(operandUid)}`]);
}

/** Decodes the managedFields of an object; malformed ones count as none. */
export function ownersOf({ metadata }: KubeObject): ManagedFields {
  try {
    return decodeManagedFields(metadata.managedFields);
  } catch (error) {
    // Written by another client. The next apply replaces them.
    if (error instanceof ManagedFieldsError) return new Map();
    throw error;
  }
}
