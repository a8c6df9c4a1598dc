import { BACKOFFS, mapConcurrent } from "@levelset/core/internal";
import { StatusError } from "@levelset/core";
import type { Kind } from "@levelset/core";
import { liveObject } from "../../apply/index.ts";
import type { WatchedObjects, Req } from "../../engine/index.ts";
import type { RefLocks } from "../inventory/ref-locks.ts";
import { formatPlace, removalGroups } from "../spec/install-order.ts";
import type { Place } from "../spec/install-order.ts";
import { orderOfPending } from "../inventory/inventory-order.ts";
import { keyOfRef, liveRefId } from "../spec/live-ref.ts";
import type { LiveRef } from "../spec/live-ref.ts";
import { LivePruneContext } from "./live-prune-context.ts";
import type { Operand } from "../spec/operand-kinds.ts";
import { partLabel } from "../spec/labels-and-annotations.ts";
import { isWaitSkipped } from "./prune-step.ts";
import { pruneObjects } from "./prune-objects.ts";
import type { PruneResult } from "./prune-objects.ts";
import { decideLeftover } from "./prune-decision.ts";
import type { LeftoverDecision } from "./prune-decision.ts";
import { resolveRefKind } from "../spec/kind-resolver.ts";
import { setClient } from "../spec/set-client.ts";
import { deletionWait, terminating } from "./deletion-wait.ts";
import type { Terminating } from "./deletion-wait.ts";
import { orForbidden, refusalOf } from "./disown.ts";
import type { DeleteRefusal } from "./disown.ts";
import type { RemovalReason } from "../inventory/removal-hold.ts";

/** Returns the cached objects of these kinds that carry an Operand's label. */
export function labelledRefs(operandUid: string, watched: WatchedObjects, kinds: readonly Kind[]): readonly LiveRef[] {
  // A kind that cannot be watched yields no objects here; objects listed by inventories and the status are read by
  // name.
  const listable = kinds.filter((kind) => watched.failure(kind) === undefined);
  return listable.flatMap((kind) =>
    watched
      .list(kind)
      .filter(({ metadata }) => metadata.labels?.[partLabel(operandUid)] !== undefined)
      .map(({ metadata }) => plainRef({ group: kind.group, kind: kind.kind, ...keyOfRef(metadata) })),
  );
}

/** Why an object that is no longer desired still exists. */
type PendingReason =
  /** It is deleted in the next run. */
  | "Pruning"
  /** It is deleted, and not gone yet. */
  | "BeingDeleted"
  | Extract<RemovalReason, "WaitingForDeletion" | "DeletionTimedOut">
  | Extract<LeftoverDecision, { readonly kind: "wait" }>["reason"]
  | DeleteRefusal["reason"];

/** An object that is no longer desired and still exists. */
interface Pending extends LiveRef {
  readonly reason: PendingReason;
  readonly message?: string;
  readonly due?: string;
}

/** Poll interval of a pending object that waits for the deletion of others, beside their watch. */
const WAITING_MS = 10_000;

/**
 * Prunes objects that an Operand no longer needs and still has: those whose time or confirmation has come, and
 * leftovers. Updates the pending objects and the count of pruned ones in the status.
 */
export async function pruneLeftovers(
  req: Req<Operand>,
  desiredRefs: readonly LiveRef[],
  unlistedRefs: readonly LiveRef[],
  claims: RefLocks,
): Promise<void> {
  const desired = new Set(desiredRefs.map(liveRefId));
  const before = (req.object.status?.pending ?? []).map((one) => ({ ...plainRef(one), place: one.place }));
  const recorded = new Map(before.map(plainRef).map((ref) => [liveRefId(ref), ref]));
  const places = orderOfPending(before);
  const candidates = new Map([...recorded, ...unlistedRefs.map((ref) => [liveRefId(ref), ref] as const)]);
  const dropped = [...candidates.values()].filter((ref) => !desired.has(liveRefId(ref)));
  const results = await pruneGroups(req, removalGroups(dropped, places), new Set(recorded.keys()), claims);
  const pending = results.flatMap(({ left }) => (left === undefined ? [] : withPlace(left, places)));
  req.status.pending = pending.length === 0 ? undefined : pending;
  // Counted once: when the status no longer lists the object.
  const pruned = results.filter(({ ref, isGone }) => isGone && recorded.has(liveRefId(ref)));
  const { counts } = req.status;
  if (counts !== undefined) req.status.counts = { ...counts, pruned: (counts.pruned ?? 0) + pruned.length };
  for (const one of results) if (one.requeueAfterMs !== undefined) req.requeueAfter(one.requeueAfterMs);
}

/** Returns a pending entry with its position in the install order. */
function withPlace(left: Pending, places: ReadonlyMap<string, Place>): Pending & { readonly place?: string } {
  const place = places.get(liveRefId(left));
  return place === undefined ? left : { ...left, place: formatPlace(place) };
}

/** Returns only the reference of an entry. */
function plainRef({ group = "", kind = "", namespace, name = "" }: Partial<LiveRef>): LiveRef {
  return { group, kind, ...(namespace === undefined ? {} : { namespace }), name };
}

/** Result for one object that is no longer desired. */
interface LeftoverResult {
  readonly ref: LiveRef;
  readonly isGone: boolean;
  /** True if it is being deleted and not gone. */
  readonly isTerminating?: boolean;
  /** Status entry if it still exists and is ours. */
  readonly left?: Pending;
  /** Delay until the next check. */
  readonly requeueAfterMs?: number;
}

/** Prunes group by group, as an inventory does: while an object of one group is being deleted, the next group waits. */
async function pruneGroups(
  req: Req<Operand>,
  groups: readonly (readonly LiveRef[])[],
  recorded: ReadonlySet<string>,
  claims: RefLocks,
): Promise<readonly LeftoverResult[]> {
  const results: LeftoverResult[] = [];
  let isWaiting = false;
  for (const refs of groups) {
    const group = await pruneGroup(req, refs, { isWaiting, recorded }, claims);
    results.push(...group);
    isWaiting ||= !isWaitSkipped(req.object) && group.some(({ isTerminating = false }) => isTerminating);
  }
  return results;
}

async function pruneGroup(
  req: Req<Operand>,
  refs: readonly LiveRef[],
  { isWaiting, recorded }: { readonly isWaiting: boolean; readonly recorded: ReadonlySet<string> },
  claims: RefLocks,
): Promise<readonly LeftoverResult[]> {
  const checked = await mapConcurrent(refs, async (ref) => ({ ref, state: await readState(req, ref) }));
  if (isWaiting) return checked.map(({ ref, state }) => waitingResult(ref, state, req));
  // Objects that the status does not list yet are deleted in the next run: an install reads there which objects may be
  // about to be deleted.
  const named = checked.filter(({ ref }) => recorded.has(liveRefId(ref)));
  const isDue = (isMarked: boolean): readonly LiveRef[] =>
    named.flatMap(({ ref, state }) => (state.kind === "prune" && state.isMarked === isMarked ? ref : []));
  const pruned = await pruneDue(req, isDue(false), isDue(true), claims);
  return mapConcurrent(checked, async ({ ref, state }) => {
    const result = pruned.get(ref);
    if (typeof result === "object") {
      return refused(ref, result);
    }
    if (result === "released") return { ref, isGone: false };
    const now = result === undefined || result === "outdated" ? state : await readState(req, ref);
    return resultFor(ref, now, req);
  });
}

/** Returns the result for an object that waits for the deletion of others. */
function waitingResult(ref: LiveRef, state: LeftoverState, req: Req<Operand>): LeftoverResult {
  if (state.kind !== "prune") return resultFor(ref, state, req);
  return { ref, isGone: false, left: { ...ref, reason: "WaitingForDeletion" }, requeueAfterMs: WAITING_MS };
}

async function pruneDue(
  req: Req<Operand>,
  unmarked: readonly LiveRef[],
  marked: readonly LiveRef[],
  claims: RefLocks,
): Promise<ReadonlyMap<LiveRef, PruneResult>> {
  if (unmarked.length + marked.length === 0) return new Map();
  const { signal, discovery, object } = req;
  const client = setClient(req.client, object);
  const { name, uid } = object.metadata;
  const view = await LivePruneContext.read(req, { operand: name, operandUid: uid });
  const pruner = { client, signal, discovery, claims };
  const first = await pruneObjects(pruner, unmarked, view);
  return new Map([...first, ...(await pruneObjects(pruner, marked, view.due()))]);
}

function operandOf({ name }: Req<Operand>): string {
  return `operand/${name}`;
}

/** Returns the decision on an object in its current state. */
async function readState(req: Req<Operand>, ref: LiveRef): Promise<LeftoverState> {
  const kind = await resolveRefKind(ref, req.discovery, req.signal);
  const context = { client: setClient(req.client, req.object), signal: req.signal };
  const object = kind === undefined ? undefined : await orForbidden(liveObject(context, kind, keyOfRef(ref)));
  if (object === undefined) return { kind: "gone" };
  if (object instanceof StatusError) return { kind: "refused", refusal: refusalOf(object) };
  const { latestReadyActiveOperand: baseline } = req.status;
  const now = req.clock.now();
  const state = decideLeftover(object, { operand: req.object, baseline, now });
  const isTerminating = state.kind === "wait" && state.reason === "BeingDeleted";
  return isTerminating ? { kind: "terminating", object: terminating(ref, object, now) } : state;
}

type LeftoverState =
  | LeftoverDecision
  | { readonly kind: "gone" }
  | { readonly kind: "terminating"; readonly object: Terminating }
  | { readonly kind: "refused"; readonly refusal: DeleteRefusal };

/** Returns the result for an object that the server does not let us read or delete. */
function refused(ref: LiveRef, { reason, message }: DeleteRefusal): LeftoverResult {
  return { ref, isGone: false, left: { ...ref, reason, message }, requeueAfterMs: BACKOFFS.prune.firstMs };
}

function resultFor(ref: LiveRef, state: LeftoverState, req: Req<Operand>): LeftoverResult {
  switch (state.kind) {
    case "gone":
      return { ref, isGone: true };
    case "refused":
      return refused(ref, state.refusal);
    case "ignore":
      return { ref, isGone: false };
    case "prune":
      return { ref, isGone: false, left: { ...ref, reason: "Pruning" }, requeueAfterMs: 1 };
    case "terminating": {
      const { timeout, now, hintFor } = {
        timeout: req.spec.deletionTimeout,
        now: req.clock.now(),
        hintFor: operandOf(req),
      };
      const { reason, message, dueMs } = deletionWait([state.object], { timeout, now, hintFor });
      const left: Pending = { ...ref, reason: reason === "WaitingForDeletion" ? "BeingDeleted" : reason, message };
      return {
        ref,
        isGone: false,
        isTerminating: true,
        left,
        ...(dueMs === undefined ? {} : { requeueAfterMs: Math.max(1, dueMs) }),
      };
    }
    case "wait": {
      const { reason } = state;
      if (!("due" in state)) return { ref, isGone: false, left: { ...ref, reason } };
      const { due } = state;
      return {
        ref,
        isGone: false,
        left: { ...ref, reason, due },
        requeueAfterMs: Math.max(1_000, Date.parse(due) - req.clock.now()),
      };
    }
  }
}
