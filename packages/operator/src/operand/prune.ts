import { controllerOf, isDeleting, managerUid } from "@levelset/core";
import { fail, ok, requeueAfter, step, wait } from "../step/index.ts";
import type { Req, Result, Step } from "../step/index.ts";
import type { Claims } from "./claims.ts";
import { firstOf } from "./first-of.ts";
import { ClusterActiveOperand } from "./kinds.ts";
import { describeLiveRef } from "./live-ref.ts";
import type { LiveRef } from "./live-ref.ts";
import { LiveSurroundings } from "./live-surroundings.ts";
import { pruneObjects } from "./prune-objects.ts";
import type { DeleteRefusal } from "./release.ts";
import { stageOf } from "./stage.ts";

/** How many objects a status names. */
const NAMED_MAX = 10;

/** A request about an inventory. */
export type InventoryReq = Req<ClusterActiveOperand, never>;

/**
 * The end of an inventory: it is taken off everything that it owned; what nobody wants any more is deleted, in the reverse of the
 * order in which it was applied. What cannot be deleted keeps the inventory, so that it is never forgotten.
 */
export function prune(claims: Claims): Step<ClusterActiveOperand, undefined> {
  return step(ClusterActiveOperand, "Prune", {
    condition: "Pruned",
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
  let left = 0;
  for (const refs of stagesReversed(req.spec.live)) {
    const results = await pruneObjects({ client, signal, discovery, claims }, refs, view);
    const values = [...results.values()];
    if (values.includes("outdated")) return requeueAfter("what is asked for has changed meanwhile", 0);
    left += values.filter((one) => one === "deleted").length;
    const blocked = [...results].flatMap(([ref, one]) => (typeof one === "object" ? { ...ref, ...one } : []));
    // What runs must be gone before what it needs is taken away.
    if (blocked.length > 0) return blockedResult(req, blocked);
  }
  if (left > 0 && operand?.spec.deletionPolicy === "WaitForTermination" && isDeleting(operand)) {
    return requeueAfter(`${left} objects are still being deleted`, 2_000);
  }
  return ok();
}

function blockedResult(req: InventoryReq, blocked: readonly (LiveRef & DeleteRefusal)[]): Result<undefined> {
  req.status.blocked = blocked.slice(0, NAMED_MAX);
  const message = firstOf(blocked, (one) => `${describeLiveRef(one)} cannot be deleted: ${one.message}`);
  return fail(message, { reason: "PruneBlocked" });
}

function stagesReversed(refs: readonly LiveRef[]): readonly (readonly LiveRef[])[] {
  return [...Map.groupBy(refs, stageOf)].toSorted(([a], [b]) => b - a).map(([, group]) => group);
}
