import type { KubeObject } from "@levelset/core";
import { ClusterActiveOperand, OPERAND_GROUP } from "./kinds.ts";

/** On everything that some Operand keeps: what is followed. */
export const MANAGED_LABEL: string = `${OPERAND_GROUP}/managed`;
/** On an object that is no longer asked for and goes later: when, or `confirm`. */
export const PRUNE_AFTER: string = `${OPERAND_GROUP}/prune-after`;
/**
 * On an object that is about to be deleted: the uid of the Operand whose prune does that. It is there before the Operand is read for
 * the last time, and the deletion names the version that has it. An install removes it from an object that it wants: then the object
 * has another version, and the deletion is refused.
 */
export const PRUNING: string = `${OPERAND_GROUP}/pruning`;
/** On an Operand with `prune: Confirm`: the inventory whose leftovers may go. */
export const PRUNE_CONFIRMED: string = `${OPERAND_GROUP}/prune-confirmed`;
/** On an object that stays when the set no longer has it: `disabled`. */
export const PRUNE_ANNOTATION: string = `${OPERAND_GROUP}/prune`;
/** On an inventory that is deleted without its objects: `orphan`. */
export const RELEASE_ANNOTATION: string = `${OPERAND_GROUP}/release`;
/** On an inventory: where each of its objects comes when the set is installed, which is the reverse of how they are deleted. */
export const INSTALL_ORDER: string = `${OPERAND_GROUP}/install-order`;
/** On an Operand or an inventory: `true` deletes stage after stage without waiting until the objects of one are gone. */
export const SKIP_DELETION_WAIT: string = `${OPERAND_GROUP}/skip-deletion-wait`;
/** What the server puts on an object that is deleted without its dependents. */
export const ORPHAN_FINALIZER = "orphan";

/**
 * The label that says an object is part of one Operand's set: every Operand has its own, so that two can share an object. Its value is
 * a hash of the fields that were applied.
 */
export function partLabel(operandUid: string): string {
  return `${OPERAND_GROUP}/${operandUid}`;
}

/** The value of that label on an object that an Operand was given, and has not come to apply yet. */
export const INHERITED = "inherited";

/** The uids of the Operands whose sets an object is part of. */
export function operandsOf(object: KubeObject): readonly string[] {
  const prefix = `${OPERAND_GROUP}/`;
  return Object.keys(object.metadata.labels ?? {})
    .filter((label) => label.startsWith(prefix) && label !== MANAGED_LABEL)
    .map((label) => label.slice(prefix.length));
}

/** How an Operand signs what it applies. */
export function fieldManagerOf(operandUid: string): string {
  return `${OPERAND_GROUP}/${operandUid}`;
}

/** Whether an object is marked to be deleted, now or later. */
export function isMarkedForPruning({ metadata: { annotations } }: KubeObject): boolean {
  return annotations?.[PRUNE_AFTER] !== undefined || annotations?.[PRUNING] !== undefined;
}

/** The names of the inventories that own an object. */
export function inventoriesOf(object: KubeObject): readonly string[] {
  return (object.metadata.ownerReferences ?? [])
    .filter(({ kind, apiVersion }) => kind === ClusterActiveOperand.kind && apiVersion.startsWith(`${OPERAND_GROUP}/`))
    .map(({ name }) => name);
}
