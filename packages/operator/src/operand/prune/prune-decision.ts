import { isDeleting } from "@levelset/core";
import { parseGoDurationMs } from "@levelset/core/internal";
import type { KubeObject, ObjectOf } from "@levelset/core";
import { controllingOwnerUid, formatTimestamp } from "@levelset/core/internal";
import { desiredRefs } from "../spec/desired-refs.ts";
import type { Inventory } from "../inventory/inventory.ts";
import type { Operand } from "../spec/operand-kinds.ts";
import { liveRefId } from "../spec/live-ref.ts";
import type { LiveRef } from "../spec/live-ref.ts";
import {
  fieldManagerOf,
  INHERITED,
  operandsOf,
  partLabel,
  PRUNE_AFTER_ANNOTATION,
  PRUNE_ANNOTATION,
  PRUNE_CONFIRMED_ANNOTATION,
} from "../spec/labels-and-annotations.ts";
import { isNeverOwned } from "../spec/stage.ts";

/** Another Operand that lists an object, with its inventory. */
export interface NewOwner {
  readonly operandUid: string;
  readonly inventoryUid: string;
}

/** State that prune decisions are based on. */
export interface PruneContext {
  /** Operand of the inventories, if it still exists. */
  readonly operand: ObjectOf<Operand> | undefined;
  readonly operandUid: string;
  /** Uids of the inventories that are being removed. */
  readonly removing: ReadonlySet<string>;
  /** Objects that this Operand still needs: in its spec, or in another of its inventories. */
  readonly needed: ReadonlySet<string>;
  /** Uids of the other inventories of this Operand, including those being removed. */
  readonly siblings: ReadonlySet<string>;
  /** Objects that other Operands list, each with one such Operand. */
  readonly otherOwners: ReadonlyMap<string, NewOwner>;
  readonly isOrphaning: boolean;
  /** Foreground if the Operand stays until its objects and their dependents are gone. */
  readonly propagation: "Background" | "Foreground";
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Builds the prune context from the Operand and all inventories. */
export function buildPruneContext(
  inventories: readonly Inventory[],
  about: Pick<PruneContext, "operand" | "operandUid" | "removing" | "isOrphaning" | "propagation" | "now">,
): PruneContext {
  const { operand, operandUid, removing } = about;
  const isKeeping = operand !== undefined && !isDeleting(operand);
  const needed = new Set(isKeeping ? desiredRefs(operand).map(liveRefId) : []);
  const siblings = new Set<string>();
  const elsewhere = new Map<string, NewOwner>();
  for (const other of inventories.filter(({ metadata }) => !removing.has(metadata.uid))) {
    const uid = controllingOwnerUid(other);
    // An inventory without an Operand, such as a copy, needs no objects. Those that it owns stay all the same.
    if (uid === undefined) continue;
    if (uid === operandUid) siblings.add(other.metadata.uid);
    if (isDeleting(other)) continue;
    for (const ref of other.spec.live) {
      if (uid === operandUid) needed.add(liveRefId(ref));
      else elsewhere.set(liveRefId(ref), { operandUid: uid, inventoryUid: other.metadata.uid });
    }
  }
  return { ...about, needed, siblings, otherOwners: elsewhere };
}

/** Why an object stays that its Operand no longer needs. */
export type KeepReason =
  /** It existed before and was never adopted. */
  | "NotOurs"
  /** Namespaces and CRDs hold objects that we do not know. */
  | "NeverPruned"
  /** Another owner needs it too. */
  | "Shared"
  /** The Operand is deleted without its objects. */
  | "Orphaned"
  /** Pruning is disabled by its annotation or by the Operand. */
  | "PruneDisabled";

/**
 * Decision on an object when an inventory that lists it is removed. It never adds an owner reference to another
 * inventory: that one may be removed at the same moment, and the garbage collector would delete an object whose owners
 * are all gone. An inventory adds its own references.
 */
export type PruneDecision =
  /** It is still needed. */
  | { readonly kind: "skip" }
  /** It is disowned. Another Operand that lists it takes it over, unless it has it already. */
  | { readonly kind: "keep"; readonly reason: KeepReason; readonly newOwner?: NewOwner | undefined }
  /** It is pruned later: see `pendingOf`. */
  | { readonly kind: "mark"; readonly pruneAfter: string }
  | { readonly kind: "delete" };

/** Decides on one object of an inventory that is being removed. */
export function decidePrune(ref: LiveRef, object: KubeObject, ctx: PruneContext): PruneDecision {
  if (ctx.needed.has(liveRefId(ref))) return { kind: "skip" };
  // The last of them decides: while the label is set, the object is not lost.
  if (object.metadata.ownerReferences?.some(({ uid }) => ctx.siblings.has(uid)) === true) return { kind: "skip" };
  const reason = stayReason(ref, object, ctx);
  if (reason !== undefined) return { kind: "keep", reason, newOwner: newOwnerOf(ref, object, ctx) };
  const { operand, now } = ctx;
  if (operand === undefined || isDeleting(operand)) return { kind: "delete" };
  const { mode, after } = operand.spec.prune;
  switch (mode) {
    case "Immediate":
      return { kind: "delete" };
    case "Disabled":
      return { kind: "keep", reason: "PruneDisabled" };
    case "Deferred":
      return { kind: "mark", pruneAfter: formatTimestamp(now + (parseGoDurationMs(after) ?? 0)) };
    case "Confirm":
      return { kind: "mark", pruneAfter: CONFIRM };
  }
}

function stayReason(ref: LiveRef, object: KubeObject, ctx: PruneContext): KeepReason | undefined {
  const { annotations, ownerReferences = [] } = object.metadata;
  if (!isHeld(object, ctx)) return "NotOurs";
  if (isNeverOwned(ref)) return "NeverPruned";
  const isOwned = ownerReferences.some(({ uid }) => !ctx.removing.has(uid));
  const isPart = operandsOf(object).some((uid) => uid !== ctx.operandUid);
  if (isOwned || isPart || ctx.otherOwners.has(liveRefId(ref))) return "Shared";
  if (ctx.isOrphaning) return "Orphaned";
  return annotations?.[PRUNE_ANNOTATION] === "disabled" ? "PruneDisabled" : undefined;
}

/** Returns the Operand that takes over an object, if it does not have it yet. */
function newOwnerOf(ref: LiveRef, object: KubeObject, ctx: PruneContext): NewOwner | undefined {
  const newOwner = ctx.otherOwners.get(liveRefId(ref));
  return newOwner === undefined || !isHeld(object, ctx) || isHeld(object, newOwner) ? undefined : newOwner;
}

/** Reports whether an Operand has applied or inherited an object. */
function isHeld({ metadata }: KubeObject, { operandUid }: Pick<PruneContext, "operandUid">): boolean {
  return metadata.labels?.[partLabel(operandUid)] !== undefined;
}

/** Reason in `status.pending` of an object that is pruned when a user confirms it. */
export const PENDING_CONFIRMATION = "Confirm";

/** Value of the prune-after annotation of such an object. */
const CONFIRM = "confirm";

/** What an object with a prune-after annotation waits for. */
export type PendingPrune =
  | { readonly reason: typeof PENDING_CONFIRMATION }
  | { readonly reason: "Deferred"; readonly due: string };

/** Returns what an object waits for, from the value of its prune-after annotation. */
export function pendingOf(pruneAfter: string): PendingPrune {
  return pruneAfter === CONFIRM ? { reason: PENDING_CONFIRMATION } : { reason: "Deferred", due: pruneAfter };
}

/** Decision on an object that an Operand may still have although none of its inventories lists it. */
export type LeftoverDecision =
  /** It does not belong to this Operand. */
  | { readonly kind: "ignore" }
  | { readonly kind: "wait"; readonly reason: "BeingDeleted" }
  | ({ readonly kind: "wait" } & PendingPrune)
  /** It is pruned as `decidePrune` decides. If it was marked, its delay is over. */
  | { readonly kind: "prune"; readonly isMarked: boolean };

/**
 * Decides on one object that an Operand no longer needs and may still have. It is touched only if this Operand's label
 * and its field manager or the inherited value prove ownership. A label alone may be a copy.
 */
export function decideLeftover(
  object: KubeObject,
  about: { readonly operand: KubeObject; readonly baseline: string | undefined; readonly now: number },
): LeftoverDecision {
  const { operand } = about;
  if (!isProven(object, operand.metadata.uid)) return { kind: "ignore" };
  if (isDeleting(object)) return { kind: "wait", reason: "BeingDeleted" };
  const after = object.metadata.annotations?.[PRUNE_AFTER_ANNOTATION];
  if (after === undefined) return { kind: "prune", isMarked: false };
  const pending = pendingOf(after);
  return isOver(pending, about) ? { kind: "prune", isMarked: true } : { kind: "wait", ...pending };
}

function isOver(pending: PendingPrune, { operand, baseline, now }: Parameters<typeof decideLeftover>[1]): boolean {
  switch (pending.reason) {
    case "Deferred":
      // A value that is not a time is over.
      return !(Date.parse(pending.due) > now);
    case PENDING_CONFIRMATION:
      return baseline !== undefined && operand.metadata.annotations?.[PRUNE_CONFIRMED_ANNOTATION] === baseline;
  }
}

function isProven({ metadata }: KubeObject, operandUid: string): boolean {
  const label = metadata.labels?.[partLabel(operandUid)];
  const isApplied = metadata.managedFields?.some(
    ({ manager, operation }) => manager === fieldManagerOf(operandUid) && operation === "Apply",
  );
  return label === INHERITED || (label !== undefined && isApplied === true);
}

/** Returns the context for a marked object that is due: its delay no longer applies. */
export function withoutDelay(ctx: PruneContext, { isMarked }: { readonly isMarked: boolean }): PruneContext {
  return isMarked ? { ...ctx, operand: undefined } : ctx;
}
