import { controllerOf, isDeleting, managerUid } from "@levelset/core";
import type { KubeObject, ObjectOf } from "@levelset/core";
import { fail, ok, requeueAfter, step, wait } from "../step/index.ts";
import type { Req, Result, Step } from "../step/index.ts";
import type { Claims } from "./claims.ts";
import { waitForDeletion } from "./deletion-result.ts";
import { firstOf } from "./first-of.ts";
import { followedByInventories } from "./follow.ts";
import { removalGroups } from "./install-order.ts";
import { orderOfInventory } from "./inventory-order.ts";
import { ClusterActiveOperand } from "./kinds.ts";
import type { Operand } from "./kinds.ts";
import { describeLiveRef } from "./live-ref.ts";
import type { LiveRef } from "./live-ref.ts";
import { LiveSurroundings } from "./live-surroundings.ts";
import { SKIP_DELETION_WAIT } from "./marks.ts";
import { pruneInOrder } from "./prune-in-order.ts";
import type { Surroundings } from "./pruning.ts";
import type { DeleteRefusal } from "./release.ts";
import type { TerminatingObject } from "./terminating.ts";

/** How many objects a status names. */
const NAMED_MAX = 10;

/** A request about an inventory. */
export type InventoryReq = Req<ClusterActiveOperand, never>;

/**
 * The end of an inventory: it is taken off everything that it owned; what nobody wants any more is deleted, in the reverse of the
 * order in which it was applied, each group when the one before is gone. What cannot be deleted keeps the inventory, so that it is
 * never forgotten.
 */
export function prune(claims: Claims): Step<ClusterActiveOperand, undefined> {
  return step(ClusterActiveOperand, "Prune", {
    condition: "Pruned",
    follows: [followedByInventories],
    do: () => ok(),
    cleanup: (req) => removeInventory(req, claims),
  });
}

async function removeInventory(req: InventoryReq, claims: Claims): Promise<Result<undefined>> {
  const { client, signal, discovery } = req;
  const view = await LiveSurroundings.read(req, {
    operand: controllerOf(req.object)?.name,
    operandUid: managerUid(req.object) ?? "",
    going: [req.object.metadata.uid],
  });
  const { operand } = view.around;
  if (operand?.spec.suspend === true && !isDeleting(operand)) return wait("the Operand is suspended");
  const groups = removalGroups(req.spec.live, orderOfInventory(req.object, operand));
  const state = await pruneInOrder({ client, signal, discovery, claims }, groups, view, {
    skipWait: isWaitSkipped(req.object) || isWaitSkipped(operand),
    waitForLast: operand !== undefined && isDeleting(operand) && isWaitedFor(operand, view.around),
  });
  switch (state.kind) {
    case "done":
      return ok();
    case "outdated":
      return requeueAfter("what is asked for has changed meanwhile", 0);
    case "blocked":
      return blockedResult(req, state.blocked);
    case "waiting":
      return waitingResult(req, state.objects, operand);
  }
}

/** Whether the last objects of an inventory must be gone before it is: another one goes after it, or the Operand says so. */
function isWaitedFor({ spec }: ObjectOf<Operand>, { siblings }: Surroundings): boolean {
  return spec.deletionPolicy === "WaitForTermination" || siblings.size > 0;
}

/** Whether an Operand or an inventory says that objects are deleted without waiting for those before. */
export function isWaitSkipped(object: KubeObject | undefined): boolean {
  return object?.metadata.annotations?.[SKIP_DELETION_WAIT] === "true";
}

function blockedResult(req: InventoryReq, blocked: readonly (LiveRef & DeleteRefusal)[]): Result<undefined> {
  req.status.blocked = blocked.slice(0, NAMED_MAX);
  const message = firstOf(blocked, (one) => `${describeLiveRef(one)} cannot be deleted: ${one.message}`);
  return fail(message, { reason: "PruneBlocked" });
}

function waitingResult(
  req: InventoryReq,
  objects: readonly TerminatingObject[],
  operand: ObjectOf<Operand> | undefined,
): Promise<Result<undefined>> {
  req.status.waiting = objects.slice(0, NAMED_MAX).map(({ object }) => ({
    ...object,
    finalizers: [...object.finalizers],
  }));
  return waitForDeletion(objects, {
    watch: (kinds) => req.follow(followedByInventories, kinds),
    clock: req.clock,
    timeout: operand?.spec.deletionTimeout,
    hintFor: operand === undefined ? `clusteractiveoperand/${req.name}` : `operand/${operand.metadata.name}`,
  });
}
