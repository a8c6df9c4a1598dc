import { controllerOf, findCondition, isDeleting, isReady } from "@levelset/core";
import type { KubeObject } from "@levelset/core";
import type { Monitor, ObservedWrite } from "@levelset/simulation";
import { describeObject, isRefTo, lists, operandsOf, SeenOperands, startsDeletion } from "./seen-operands.ts";
import type { SeenInventory, SeenOperand } from "./seen-operands.ts";

const INVENTORY = "ClusterActiveOperand";
/** Kinds of objects in sets. */
const SET_KINDS: ReadonlySet<string> = new Set(["ConfigMap", "Secret", "Service", "Deployment", "Widget"]);

/** Starts a monitor that checks each write against the state after it. */
function monitor(
  check: (write: ObservedWrite, before: KubeObject | undefined, seen: SeenOperands) => string | undefined,
): () => Monitor {
  return () => {
    const seen = new SeenOperands();
    return (write) => check(write, seen.take(write), seen);
  };
}

/**
 * The health gate: the baseline is removed only if its successor is installed and owns its objects, and no object is
 * deleted that an inventory lists which is not being removed. Users may delete everything, and a deleted Operand deletes
 * its objects.
 */
export const healthGate: () => Monitor = monitor((write, before, seen) => {
  const { object, isDeletedByUser } = write;
  if (isDeletedByUser || !startsDeletion(write, before)) return undefined;
  if (object.kind === INVENTORY) return removalProblem(object as SeenInventory, seen);
  // A Job may be deleted after it has run.
  if (object.kind === "Job") return undefined;
  for (const uid of operandsOf(object)) {
    const operand = seen.operands.get(uid);
    if (operand === undefined || isDeleting(operand)) continue;
    const keeper = seen.inventoriesOf(uid).find((one) => !isDeleting(one) && lists(one, object));
    if (keeper !== undefined) return `${describeObject(object)} is deleted, and ${keeper.metadata.name} lists it`;
  }
  return undefined;
});

function removalProblem(inventory: SeenInventory, seen: SeenOperands): string | undefined {
  const operand = seen.operands.get(controllerOf(inventory)?.uid ?? "");
  const { name } = inventory.metadata;
  if (operand === undefined || isDeleting(operand) || operand.status?.latestReadyActiveOperand !== name)
    return undefined;
  const { latestCreatedActiveOperand: created, conditions } = operand.status;
  const successor = seen.inventoryOf(operand, created);
  const isGated = created !== name && successor !== undefined && !isDeleting(successor) && isReady(successor);
  if (!isGated) return `the baseline ${name} is removed without a successor that is ready, ${created} is the latest`;
  const installed = findCondition(conditions, "OperandInstalled");
  return installed?.status === "True"
    ? undefined
    : `the baseline ${name} is removed before ${created} is installed: ${installed?.message}`;
}

/**
 * No object is lost: every object of an Operand is listed by one of its inventories, or by its status, also while one
 * version is replaced by the next. Between two inventories it may have no owner reference: the garbage collector does
 * not delete it then.
 */
export const nothingLost: () => Monitor = monitor(({ object, kind }, _before, seen) => {
  if (!seen.objects.has(object.metadata.uid) && !object.apiVersion.startsWith("operand.levelset.dev/"))
    return undefined;
  if (seen.objects.has(object.metadata.uid)) return lostProblem(object, seen);
  // An inventory that was created loses no object.
  if (kind === "created") return undefined;
  for (const each of seen.objects.values()) {
    const problem = lostProblem(each, seen);
    if (problem !== undefined) return problem;
  }
  return undefined;
});

function lostProblem(object: KubeObject, seen: SeenOperands): string | undefined {
  if (!SET_KINDS.has(object.kind) || isDeleting(object)) return undefined;
  for (const uid of operandsOf(object)) {
    const operand = seen.operands.get(uid);
    if (operand === undefined) return `${describeObject(object)} belongs to an Operand that does not exist`;
    const isListed = seen.inventoriesOf(uid).some((inventory) => lists(inventory, object));
    const isPending = (operand.status?.pending ?? []).some((ref) => isRefTo(ref, object));
    if (!isListed && !isPending) return `${describeObject(object)} is in no inventory of ${operand.metadata.name}`;
  }
  return undefined;
}

/** Objects of other clients are not deleted. */
export const nothingForeignDeleted: () => Monitor = monitor((write, before, _seen) => {
  const { object, isDeletedByUser } = write;
  if (isDeletedByUser || !SET_KINDS.has(object.kind) || !startsDeletion(write, before)) return undefined;
  return operandsOf(object).length > 0 ? undefined : `${describeObject(object)} is deleted, and no Operand has it`;
});

/** Conditions never run ahead of the spec, and Ready is never True without those that it is derived from. */
export const conditionsOfGeneration: () => Monitor = monitor(({ object, kind }) => {
  if (object.kind !== "Operand" || kind === "deleted") return undefined;
  const { metadata, status } = object as SeenOperand;
  for (const { type, observedGeneration = 0 } of status?.conditions ?? []) {
    if (observedGeneration > (metadata.generation ?? 0))
      return `${type} of ${metadata.name} is about generation ${observedGeneration}, which does not exist`;
  }
  const ready = findCondition(status?.conditions, "Ready");
  if (ready?.status !== "True") return undefined;
  for (const type of ["OperandInstalled", "LatestActiveOperandReady"]) {
    const part = findCondition(status?.conditions, type);
    if (part?.status !== "True" || part.observedGeneration !== ready.observedGeneration)
      return `${metadata.name} is Ready for generation ${ready.observedGeneration}, and ${type} is ${part?.status} for ${part?.observedGeneration}`;
  }
  return undefined;
});
