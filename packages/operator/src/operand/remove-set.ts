import { controllerOf } from "@levelset/core";
import { describeRef, describeResult, fail, ok, refOf, wait } from "../step/index.ts";
import type { Result } from "../step/index.ts";
import type { Claims } from "./claims.ts";
import { waitForDeletion } from "./deletion-result.ts";
import { followedByOperands } from "./follow.ts";
import { firstOf } from "./first-of.ts";
import { removalGroups } from "./install-order.ts";
import { again, deleteInventory, heldBy } from "./inventory.ts";
import type { Inventory, OperandReq } from "./inventory.ts";
import { orderOfPending } from "./inventory-order.ts";
import { ClusterActiveOperand } from "./kinds.ts";
import { describeLiveRef } from "./live-ref.ts";
import { LiveSurroundings } from "./live-surroundings.ts";
import { ORPHAN_FINALIZER, RELEASE_ANNOTATION } from "./marks.ts";
import { isWaitSkipped } from "./prune.ts";
import { pruneInOrder } from "./prune-in-order.ts";
import { FINE, stall } from "./stalled.ts";

/**
 * The end of an Operand, in the reverse of how it came: leftovers of earlier sets, then the pending inventory, then the baseline, each
 * with what only it owns and when the one before is gone; unless it is deleted without its dependents. It is gone only when no
 * inventory is left.
 */
export async function removeSet(req: OperandReq, claims: Claims): Promise<Result<undefined>> {
  req.status.phase = "Deleting";
  stall(req, FINE);
  const left = latestFirst(req);
  // First, for afterwards nothing may say any more that the dependents are to stay.
  const held = await removePending(req, left, claims);
  if (held !== undefined) return held;
  const [next] = left;
  if (next === undefined) return ok();
  for (const inventory of left) if (isOrphaning(req, inventory)) await markReleased(req, inventory);
  await deleteInventory(req, next);
  return holdOf(req, next);
}

/** The inventories of an Operand: what was made last goes first, and then the baseline has all that it needs. */
function latestFirst(req: OperandReq): readonly Inventory[] {
  const rank = ({ metadata: { name } }: Inventory): number => (name === req.status.latestReadyActiveOperand ? 1 : 0);
  return req.owned(ClusterActiveOperand).toSorted((a, b) => rank(a) - rank(b));
}

/** What an inventory that is being removed waits for. */
function holdOf(req: OperandReq, inventory: Inventory): Result<undefined> {
  const name = describeRef(refOf(inventory));
  const held = heldBy(inventory);
  const on = [refOf(inventory)];
  if (held === undefined) return wait(`${name} being removed`, { on });
  const { reason, isStuck } = held;
  const message = `${name} being removed: ${held.message}`;
  if (isStuck) stall(req, { status: "True", reason, message });
  const severity = isStuck ? "Error" : reason === "PruneBlocked" ? "Warning" : "Info";
  return wait(message, { severity, reason, on });
}

/** Removes what no inventory lists any more and is still there, because it was to go later. */
async function removePending(
  req: OperandReq,
  left: readonly Inventory[],
  claims: Claims,
): Promise<Result<undefined> | undefined> {
  const pending = req.object.status?.pending ?? [];
  if (pending.length === 0) return undefined;
  const { client, discovery, object, signal, spec } = req;
  const view = await LiveSurroundings.read(req, {
    operand: object.metadata.name,
    operandUid: object.metadata.uid,
    isOrphaning: isOrphaning(req) || left.some((inventory) => isOrphaning(req, inventory)),
  });
  const groups = removalGroups(pending, orderOfPending(pending));
  const state = await pruneInOrder({ client, discovery, signal, claims }, groups, view, {
    skipWait: isWaitSkipped(object),
    waitForLast: left.length > 0 || spec.deletionPolicy === "WaitForTermination",
  });
  switch (state.kind) {
    case "done":
      return undefined;
    case "outdated":
      return again("what is asked for has changed meanwhile");
    case "blocked":
      return fail(
        firstOf(state.blocked, (one) => `${describeLiveRef(one)} cannot be deleted: ${one.message}`),
        { reason: "PruneBlocked" },
      );
    case "waiting": {
      const result = await waitForDeletion(state.objects, {
        watch: (kinds) => req.follow(followedByOperands, kinds),
        clock: req.clock,
        timeout: spec.deletionTimeout,
        hintFor: `operand/${req.name}`,
      });
      const isStuck = "condition" in result && result.condition?.reason === "DeletionTimedOut";
      if (isStuck) stall(req, { status: "True", reason: "DeletionTimedOut", message: describeResult(result) });
      return result;
    }
  }
}

function isOrphaning({ object, spec }: OperandReq, inventory?: Inventory): boolean {
  if (spec.deletionPolicy === "Orphan") return true;
  if (inventory !== undefined && controllerOf(inventory) === undefined) return true;
  return object.metadata.finalizers?.includes(ORPHAN_FINALIZER) === true;
}

/** Says so on the inventory before it is deleted: whoever removes it then must know. */
async function markReleased(req: OperandReq, { metadata }: Inventory): Promise<void> {
  if (metadata.annotations?.[RELEASE_ANNOTATION] !== undefined) return;
  const patch = { metadata: { uid: metadata.uid, annotations: { [RELEASE_ANNOTATION]: "orphan" } } };
  await req.client.mergePatch(ClusterActiveOperand, { name: metadata.name }, patch, { signal: req.signal });
}
