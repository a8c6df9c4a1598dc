import { compareTexts, controllerOf, isDeleting, keyOf, kindId, managerUid } from "@levelset/core";
import type { Kind, KubeObject, ObjectOf } from "@levelset/core";
import { fail, ok, requeueAfter, step, wait } from "../step/index.ts";
import type { Req, Result, Step } from "../step/index.ts";
import type { Claims } from "./claims.ts";
import { waitForDeletion } from "./deletion-result.ts";
import { firstOf } from "./first-of.ts";
import { followedByInventories } from "./follow.ts";
import { removalGroups } from "./install-order.ts";
import { orderOfInventory } from "./inventory-order.ts";
import { ClusterActiveOperand, Operand } from "./kinds.ts";
import { describeLiveRef, refId } from "./live-ref.ts";
import type { LiveRef } from "./live-ref.ts";
import { LiveSurroundings } from "./live-surroundings.ts";
import { SKIP_DELETION_WAIT } from "./marks.ts";
import { pruneInOrder } from "./prune-in-order.ts";
import type { Surroundings } from "./pruning.ts";
import type { DeleteRefusal } from "./release.ts";
import { kindOfRef } from "./set-kinds.ts";
import { terminating } from "./terminating.ts";
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
  const waiting = await seenWaiting(req);
  if (waiting !== undefined) return waiting;
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

/**
 * The same wait as before, by what the watch knows: while one of many objects after the other goes, the set is not read anew each
 * time. Undefined when few or none of them are left, or when that is not known.
 */
async function seenWaiting(req: InventoryReq): Promise<Result<undefined> | undefined> {
  const before = req.object.status?.waiting ?? [];
  const operand = req.get(Operand, { name: controllerOf(req.object)?.name ?? "" });
  if (before.length < NAMED_MAX || isWaitSkipped(req.object) || isWaitSkipped(operand)) return undefined;
  const kinds = new Map<string, Kind>();
  for (const ref of before) {
    const kind = await kindOfRef(ref, req.discovery, req.signal);
    if (kind !== undefined) kinds.set(kindId(kind), kind);
  }
  const followed = await req.follow(followedByInventories, [...kinds.values()]);
  const { uid } = req.object.metadata;
  const left = [...kinds.values()].flatMap((kind) =>
    followed.failure(kind) === undefined
      ? followed
          .list(kind)
          .filter(({ metadata }) => isDeletedWith(metadata, uid))
          .map((object) => ({
            kind,
            object: terminating({ group: kind.group, kind: kind.kind, ...keyOf(object) }, object),
          }))
      : [],
  );
  return left.length < NAMED_MAX ? undefined : waitingResult(req, left, operand);
}

function isDeletedWith({ deletionTimestamp, ownerReferences = [] }: KubeObject["metadata"], uid: string): boolean {
  return deletionTimestamp !== undefined && ownerReferences.some((owner) => owner.uid === uid);
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
  // In one order, so that what is written changes only when one of the first is gone.
  const sorted = objects.toSorted((a, b) => compareTexts(refId(a.object), refId(b.object)));
  req.status.waiting = sorted.slice(0, NAMED_MAX).map(({ object }) => ({
    ...object,
    finalizers: [...object.finalizers],
  }));
  return waitForDeletion(sorted, {
    watch: (kinds) => req.follow(followedByInventories, kinds),
    clock: req.clock,
    timeout: operand?.spec.deletionTimeout,
    hintFor: operand === undefined ? `clusteractiveoperand/${req.name}` : `operand/${operand.metadata.name}`,
  });
}
