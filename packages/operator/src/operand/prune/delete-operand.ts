import { controllerOf, isNotFound } from "@levelset/core";
import { describeRef, fail, ok, refOf, wait } from "../../engine/index.ts";
import type { Result } from "../../engine/index.ts";
import type { RefLocks } from "../inventory/ref-locks.ts";
import { waitForDeletion } from "./deletion-wait.ts";
import { operandWatch } from "../inventory/operand-watches.ts";
import { summarizeFirst } from "../spec/summarize-first.ts";
import { removalGroups } from "../spec/install-order.ts";
import { requeueNow, deleteInventory, heldBy } from "../inventory/inventory.ts";
import type { Inventory, OperandReq } from "../inventory/inventory.ts";
import { orderOfPending } from "../inventory/inventory-order.ts";
import { ClusterActiveOperand } from "../spec/operand-kinds.ts";
import { describeLiveRef } from "../spec/live-ref.ts";
import { isDeletedInForeground, LivePruneContext } from "./live-prune-context.ts";
import { ORPHAN_FINALIZER, RELEASE_ANNOTATION } from "../spec/labels-and-annotations.ts";
import { isWaitSkipped } from "./prune-step.ts";
import { pruneInOrder } from "./prune-in-order.ts";
import { setClient } from "../spec/set-client.ts";
import { NOT_STALLED, stall } from "../inventory/stalled.ts";

/**
 * Deletes an Operand in reverse install order: leftovers of earlier sets, then the pending inventory, then the
 * baseline. Each step removes the objects that only it owns and starts when the one before is gone. If dependents
 * are orphaned, the objects stay. The Operand is gone once it has no inventory.
 */
export async function deleteOperand(req: OperandReq, claims: RefLocks): Promise<Result<undefined>> {
  req.status.phase = "Deleting";
  stall(req, NOT_STALLED);
  const inventories = latestFirst(req);
  // First: once the inventories are gone, no object records that the dependents are orphaned.
  const held = await removePending(req, inventories, claims);
  if (held !== undefined) return held;
  const [next] = inventories;
  if (next === undefined) return ok();
  for (const inventory of inventories) {
    if (isOrphaning(req, inventory)) await markReleased(req, inventory, "orphan");
    else if (isDeletedInForeground(req.object)) await markReleased(req, inventory, "foreground");
  }
  await deleteInventory(req, next);
  return holdOf(req, next);
}

/** Returns the inventories of an Operand, newest first, so that the baseline is complete until the end. */
function latestFirst(req: OperandReq): readonly Inventory[] {
  const rank = ({ metadata: { name } }: Inventory): number => (name === req.status.latestReadyActiveOperand ? 1 : 0);
  return req.owned(ClusterActiveOperand).toSorted((a, b) => rank(a) - rank(b));
}

/** Returns the wait for an inventory that is being removed. */
function holdOf(req: OperandReq, inventory: Inventory): Result<undefined> {
  const name = describeRef(refOf(inventory));
  const held = heldBy(inventory);
  const on = [refOf(inventory)];
  if (held === undefined) return wait(`${name} being removed`, { on });
  const { reason, severity, isStuck } = held;
  const message = `${name} being removed: ${held.message}`;
  if (isStuck) stall(req, { status: "True", reason, message });
  return wait(message, { severity, reason, on });
}

/** Removes pending objects: no inventory lists them, and their pruning was delayed. */
async function removePending(
  req: OperandReq,
  inventories: readonly Inventory[],
  claims: RefLocks,
): Promise<Result<undefined> | undefined> {
  const pending = req.object.status?.pending ?? [];
  if (pending.length === 0) return undefined;
  const { discovery, object, signal, spec } = req;
  const client = setClient(req.client, object);
  const view = await LivePruneContext.read(req, {
    operand: object.metadata.name,
    operandUid: object.metadata.uid,
    isOrphaning: isOrphaning(req) || inventories.some((inventory) => isOrphaning(req, inventory)),
  });
  const groups = removalGroups(pending, orderOfPending(pending));
  const state = await pruneInOrder({ client, discovery, signal, claims }, groups, view, {
    skipWait: isWaitSkipped(object),
    waitForLast:
      inventories.length > 0 || view.ctx.propagation === "Foreground" || spec.deletionPolicy === "WaitForTermination",
  });
  switch (state.kind) {
    case "done":
      return undefined;
    case "outdated":
      return requeueNow("the desired state has changed");
    case "blocked":
      return fail(
        summarizeFirst(state.blocked, (one) => `${describeLiveRef(one)} cannot be deleted: ${one.message}`),
        { reason: "PruneBlocked" },
      );
    case "waiting": {
      const { result, reason, message } = await waitForDeletion(state.objects, {
        watch: (kinds) => req.watch(operandWatch, kinds),
        clock: req.clock,
        timeout: spec.deletionTimeout,
        hintFor: `operand/${req.name}`,
      });
      if (reason === "DeletionTimedOut") stall(req, { status: "True", reason, message });
      return result;
    }
  }
}

function isOrphaning({ object, spec }: OperandReq, inventory?: Inventory): boolean {
  if (spec.deletionPolicy === "Orphan") return true;
  if (inventory !== undefined && controllerOf(inventory) === undefined) return true;
  return object.metadata.finalizers?.includes(ORPHAN_FINALIZER) === true;
}

/** Marks how the objects of an inventory are released before it is deleted: its own operator reads the mark. */
async function markReleased(req: OperandReq, { metadata }: Inventory, release: "orphan" | "foreground"): Promise<void> {
  if (metadata.annotations?.[RELEASE_ANNOTATION] !== undefined) return;
  const patch = { metadata: { uid: metadata.uid, annotations: { [RELEASE_ANNOTATION]: release } } };
  try {
    await req.client.mergePatch(ClusterActiveOperand, { name: metadata.name }, patch, { signal: req.signal });
  } catch (error) {
    // Removed meanwhile, for example after the garbage collector deleted it.
    if (!isNotFound(error)) throw error;
  }
}
