import type { KubeObject } from "@levelset/core";
import { ClusterActiveOperand, OPERAND_GROUP } from "./operand-kinds.ts";

/** Label on every managed object; informers select by it. */
export const MANAGED_LABEL: string = `${OPERAND_GROUP}/managed`;
/** Annotation on an object to be pruned later: the time, or `confirm`. */
export const PRUNE_AFTER_ANNOTATION: string = `${OPERAND_GROUP}/prune-after`;
/**
 * Annotation on an object that is about to be deleted: the uid of the pruning Operand. It is set before the last read
 * of the Operand, and the deletion has the annotated resourceVersion as precondition. An install removes it from a
 * desired object, which changes the resourceVersion and makes the deletion fail.
 */
export const PRUNING: string = `${OPERAND_GROUP}/pruning`;
/** Annotation on an Operand with `prune: Confirm`: the inventory whose leftovers may be pruned. */
export const PRUNE_CONFIRMED_ANNOTATION: string = `${OPERAND_GROUP}/prune-confirmed`;
/** Annotation on an object that stays when it is dropped from the set: `disabled`. */
export const PRUNE_ANNOTATION: string = `${OPERAND_GROUP}/prune`;
/** Annotation on an object of postInstall: a digest of the steadyState version that it replaces. */
export const STEADY_STATE_ANNOTATION: string = `${OPERAND_GROUP}/steady-state`;
/**
 * Annotation on an inventory that is being removed with its Operand: `orphan` if its objects stay, `foreground` if it
 * stays until its objects are gone.
 */
export const RELEASE_ANNOTATION: string = `${OPERAND_GROUP}/release`;
/** Annotation on an inventory: the install order of its objects. They are deleted in reverse. */
export const INSTALL_ORDER: string = `${OPERAND_GROUP}/install-order`;
/** Annotation on an inventory: the service account of its Operand as `NAMESPACE/NAME`. Used once the Operand is gone. */
export const SERVICE_ACCOUNT: string = `${OPERAND_GROUP}/service-account`;
/**
 * Annotation on an Operand or inventory: `true` deletes stage after stage without waiting until the objects of a stage
 * are gone.
 */
export const SKIP_DELETION_WAIT: string = `${OPERAND_GROUP}/skip-deletion-wait`;
/** Annotation on an Operand: `true` continues without running hooks. */
export const SKIP_HOOKS: string = `${OPERAND_GROUP}/skip-hooks`;
/** Finalizer that the server sets for orphan propagation (docs: Garbage Collection). */
export const ORPHAN_FINALIZER = "orphan";
/** Finalizer that the server sets for foreground propagation (docs: Garbage Collection). */
export const FOREGROUND_FINALIZER = "foregroundDeletion";

/**
 * Returns the label that marks an object as part of an Operand's set. Each Operand has its own label, so that Operands
 * can share an object. The value is a hash of the applied fields.
 */
export function partLabel(operandUid: string): string {
  return `${OPERAND_GROUP}/${operandUid}`;
}

/** Value of that label on an object that an Operand took over and has not applied yet. */
export const INHERITED = "inherited";

/** Reports whether an Operand took over an object and has not applied it yet. */
export function isInherited({ metadata }: KubeObject, operandUid: string): boolean {
  return metadata.labels?.[partLabel(operandUid)] === INHERITED;
}

/** Returns the uids of the Operands that manage an object. */
export function operandsOf(object: KubeObject): readonly string[] {
  const prefix = `${OPERAND_GROUP}/`;
  return Object.keys(object.metadata.labels ?? {})
    .filter((label) => label.startsWith(prefix) && label !== MANAGED_LABEL)
    .map((label) => label.slice(prefix.length));
}

/** Returns the field manager of an Operand. */
export function fieldManagerOf(operandUid: string): string {
  return `${OPERAND_GROUP}/${operandUid}`;
}

const JOB_FINALIZER_PREFIX = `${OPERAND_GROUP}/job-`;

/** Returns the finalizer that keeps a Job until the status of its Operand records how it ended. */
export function jobFinalizerOf(operandUid: string): string {
  return JOB_FINALIZER_PREFIX + operandUid;
}

/** Reports whether a finalizer keeps a Job for an Operand. */
export function isJobFinalizer(finalizer: string): boolean {
  return finalizer.startsWith(JOB_FINALIZER_PREFIX);
}

/** Reports whether an object is marked for deletion, now or later. */
export function isMarkedForPruning({ metadata: { annotations } }: KubeObject): boolean {
  return annotations?.[PRUNE_AFTER_ANNOTATION] !== undefined || annotations?.[PRUNING] !== undefined;
}

/** Returns the names of the inventories that own an object. */
export function inventoriesOf(object: KubeObject): readonly string[] {
  return (object.metadata.ownerReferences ?? [])
    .filter(({ kind, apiVersion }) => kind === ClusterActiveOperand.kind && apiVersion.startsWith(`${OPERAND_GROUP}/`))
    .map(({ name }) => name);
}
