import { compareCodeUnits, controllingOwnerUid } from "@levelset/core/internal";
import { controllerOf, isDeleting, objectKeyOf, kindId } from "@levelset/core";
import type { Kind, KubeObject, ObjectOf } from "@levelset/core";
import { fail, ok, requeueAfter, step, wait } from "../../engine/index.ts";
import type { Result, Step } from "../../engine/index.ts";
import type { RefLocks } from "../inventory/ref-locks.ts";
import { summarizeFirst } from "../spec/summarize-first.ts";
import { inventoryWatch } from "../inventory/operand-watches.ts";
import { removalGroups } from "../spec/install-order.ts";
import type { InventoryReq } from "../inventory/inventory.ts";
import { orderOfInventory } from "../inventory/inventory-order.ts";
import { ClusterActiveOperand, Operand } from "../spec/operand-kinds.ts";
import { describeLiveRef, liveRefId } from "../spec/live-ref.ts";
import type { LiveRef } from "../spec/live-ref.ts";
import { LivePruneContext } from "./live-prune-context.ts";
import { SKIP_DELETION_WAIT } from "../spec/labels-and-annotations.ts";
import { pruneInOrder } from "./prune-in-order.ts";
import type { PruneContext } from "./prune-decision.ts";
import type { DeleteRefusal } from "./disown.ts";
import { resolveRefKind } from "../spec/kind-resolver.ts";
import { setClientOfInventory } from "../spec/set-client.ts";
import { terminating, waitForDeletion } from "./deletion-wait.ts";
import type { TerminatingObject } from "./deletion-wait.ts";

/** Maximum number of objects that a status names. */
const NAMED_MAX = 10;

/**
 * Deletes an inventory: removes its owner references and deletes objects that are no longer needed, in reverse install
 * order, each group once the one before is gone. An object that cannot be deleted blocks the inventory, so that it is
 * not lost.
 */
export function pruneStep(claims: RefLocks): Step<ClusterActiveOperand, undefined> {
  return step(ClusterActiveOperand, "Prune", {
    condition: "Pruned",
    dynamicWatches: [inventoryWatch],
    do: () => ok(),
    cleanup: (req) => removeInventory(req, claims),
  });
}

async function removeInventory(req: InventoryReq, claims: RefLocks): Promise<Result<undefined>> {
  const { signal, discovery } = req;
  const waiting = await seenWaiting(req);
  if (waiting !== undefined) return waiting;
  const view = await LivePruneContext.read(req, {
    operand: controllerOf(req.object)?.name,
    operandUid: controllingOwnerUid(req.object) ?? "",
    removing: [req.object.metadata.uid],
  });
  const { operand } = view.ctx;
  if (operand?.spec.suspend === true && !isDeleting(operand)) return wait("the Operand is suspended");
  if (view.isUnrecorded(req.object)) return wait("the Operand records the objects first");
  const client = setClientOfInventory(req.client, req.object, operand);
  const groups = removalGroups(req.spec.live, orderOfInventory(req.object, operand));
  const state = await pruneInOrder({ client, signal, discovery, claims }, groups, view, {
    skipWait: isWaitSkipped(req.object) || isWaitSkipped(operand),
    waitForLast: operand !== undefined && isDeleting(operand) && isWaitedFor(operand, view.ctx),
  });
  switch (state.kind) {
    case "done":
      return ok();
    case "outdated":
      return requeueAfter("the desired state has changed", 0);
    case "blocked":
      return blockedResult(req, state.blocked);
    case "waiting":
      return waitingResult(req, state.objects, operand);
  }
}

/**
 * Returns the same wait as before if the watch shows that its objects still exist, so that the set is not read again
 * for each deleted object. Undefined if few or none of them are left, or if that is unknown.
 */
async function seenWaiting(req: InventoryReq): Promise<Result<undefined> | undefined> {
  const before = req.object.status?.waiting ?? [];
  const operand = req.get(Operand, { name: controllerOf(req.object)?.name ?? "" });
  if (before.length < NAMED_MAX || isWaitSkipped(req.object) || isWaitSkipped(operand)) return undefined;
  const kinds = new Map<string, Kind>();
  for (const ref of before) {
    const kind = await resolveRefKind(ref, req.discovery, req.signal);
    if (kind !== undefined) kinds.set(kindId(kind), kind);
  }
  const watched = await req.watch(inventoryWatch, [...kinds.values()]);
  const { uid } = req.object.metadata;
  const left = [...kinds.values()].flatMap((kind) =>
    watched.failure(kind) === undefined
      ? watched
          .list(kind)
          .filter(({ metadata }) => isDeletedWith(metadata, uid))
          .map((object) => ({
            kind,
            object: terminating({ group: kind.group, kind: kind.kind, ...objectKeyOf(object) }, object),
          }))
      : [],
  );
  return left.length < NAMED_MAX ? undefined : waitingResult(req, left, operand);
}

function isDeletedWith({ deletionTimestamp, ownerReferences = [] }: KubeObject["metadata"], uid: string): boolean {
  return deletionTimestamp !== undefined && ownerReferences.some((owner) => owner.uid === uid);
}

/**
 * Reports whether the last objects of an inventory must be gone before it is: another inventory follows, or the Operand
 * or its deletion requires it.
 */
function isWaitedFor({ spec }: ObjectOf<Operand>, { siblings, propagation }: PruneContext): boolean {
  return spec.deletionPolicy === "WaitForTermination" || propagation === "Foreground" || siblings.size > 0;
}

/** Reports whether an Operand or inventory skips the wait for deletions. */
export function isWaitSkipped(object: KubeObject | undefined): boolean {
  return object?.metadata.annotations?.[SKIP_DELETION_WAIT] === "true";
}

function blockedResult(req: InventoryReq, blocked: readonly (LiveRef & DeleteRefusal)[]): Result<undefined> {
  req.status.blocked = blocked.slice(0, NAMED_MAX);
  const message = summarizeFirst(blocked, (one) => `${describeLiveRef(one)} cannot be deleted: ${one.message}`);
  return fail(message, { reason: "PruneBlocked" });
}

async function waitingResult(
  req: InventoryReq,
  objects: readonly TerminatingObject[],
  operand: ObjectOf<Operand> | undefined,
): Promise<Result<undefined>> {
  // Sorted, so that the status changes only when one of the first objects is gone.
  const sorted = objects.toSorted((a, b) => compareCodeUnits(liveRefId(a.object), liveRefId(b.object)));
  req.status.waiting = sorted.slice(0, NAMED_MAX).map(({ object }) => ({
    ...object,
    finalizers: [...object.finalizers],
  }));
  const { result } = await waitForDeletion(sorted, {
    watch: (kinds) => req.watch(inventoryWatch, kinds),
    clock: req.clock,
    timeout: operand?.spec.deletionTimeout,
    hintFor: operand === undefined ? `clusteractiveoperand/${req.name}` : `operand/${operand.metadata.name}`,
  });
  return result;
}
