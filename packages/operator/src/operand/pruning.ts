import { isDeleting, managerUid, timestamp } from "@levelset/core";
import type { KubeObject, ObjectOf } from "@levelset/core";
import { desiredRefs } from "./desired-refs.ts";
import { durationMs } from "./duration-ms.ts";
import type { Inventory } from "./inventory.ts";
import type { Operand } from "./kinds.ts";
import { refId } from "./live-ref.ts";
import type { LiveRef } from "./live-ref.ts";
import {
  fieldManagerOf,
  INHERITED,
  operandsOf,
  partLabel,
  PRUNE_AFTER,
  PRUNE_ANNOTATION,
  PRUNE_CONFIRMED,
} from "./marks.ts";
import { isNeverOwned } from "./stage.ts";

/** Another Operand that lists an object, and its inventory that does. */
export interface Heir {
  readonly operandUid: string;
  readonly inventoryUid: string;
}

/** What is known of the world when an inventory goes. */
export interface Surroundings {
  /** The Operand that it belongs to, if that is still there. */
  readonly operand: ObjectOf<Operand> | undefined;
  readonly operandUid: string;
  /** The inventories that go. */
  readonly going: ReadonlySet<string>;
  /** What this Operand still wants: by its spec, or by another of its inventories. */
  readonly kept: ReadonlySet<string>;
  /** The other inventories of this Operand, those that are being removed too. */
  readonly siblings: ReadonlySet<string>;
  /** What other Operands list, and one that does. */
  readonly elsewhere: ReadonlyMap<string, Heir>;
  readonly isOrphaning: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Sorts what inventories ask for by what it means for those that go. */
export function surroundingsOf(
  inventories: readonly Inventory[],
  about: Pick<Surroundings, "operand" | "operandUid" | "going" | "isOrphaning" | "now">,
): Surroundings {
  const { operand, operandUid, going } = about;
  const isWanting = operand !== undefined && !isDeleting(operand);
  const kept = new Set(isWanting ? desiredRefs(operand).map(refId) : []);
  const siblings = new Set<string>();
  const elsewhere = new Map<string, Heir>();
  for (const other of inventories.filter(({ metadata }) => !going.has(metadata.uid))) {
    const uid = managerUid(other) ?? "";
    if (uid === operandUid) siblings.add(other.metadata.uid);
    if (isDeleting(other)) continue;
    for (const ref of other.spec.live) {
      if (uid === operandUid) kept.add(refId(ref));
      else elsewhere.set(refId(ref), { operandUid: uid, inventoryUid: other.metadata.uid });
    }
  }
  return { ...about, kept, siblings, elsewhere };
}

/** Why an object stays that its Operand no longer asks for. */
export type StayReason =
  /** It was there before, and never taken over. */
  | "NotOurs"
  /** Namespaces and CRDs hold more than we know of. */
  | "NeverPruned"
  /** Somebody else wants it too. */
  | "Shared"
  /** The Operand is deleted without its objects. */
  | "Orphaned"
  /** Its annotation, or the Operand, says so. */
  | "PruneDisabled";

/**
 * What becomes of an object when the inventory that lists it goes. Nobody gets a reference in its place here: the inventory that it
 * would be of may go at this very moment, and an object whose owners are all gone is garbage. Who wants an object puts its own.
 */
export type Pruning =
  /** It is still wanted. */
  | { readonly kind: "pass" }
  /** It is let go of. Another Operand that lists it gets it, if it does not have it yet. */
  | { readonly kind: "stay"; readonly reason: StayReason; readonly heir?: Heir | undefined }
  /** It goes later: at a time, or at a word (`confirm`). */
  | { readonly kind: "mark"; readonly pruneAfter: string }
  | { readonly kind: "delete" };

/** Decides about one object of an inventory that goes. */
export function decidePruning(ref: LiveRef, object: KubeObject, around: Surroundings): Pruning {
  if (around.kept.has(refId(ref))) return { kind: "pass" };
  // The last one of them decides: as long as the label is there, the object is not forgotten.
  if (object.metadata.ownerReferences?.some(({ uid }) => around.siblings.has(uid)) === true) return { kind: "pass" };
  const reason = stayReason(ref, object, around);
  if (reason !== undefined) return { kind: "stay", reason, heir: heirOf(ref, object, around) };
  const { operand, now } = around;
  if (operand === undefined || isDeleting(operand)) return { kind: "delete" };
  const { mode, after } = operand.spec.prune;
  switch (mode) {
    case "Immediate":
      return { kind: "delete" };
    case "Disabled":
      return { kind: "stay", reason: "PruneDisabled" };
    case "Deferred":
      return { kind: "mark", pruneAfter: timestamp(now + (durationMs(after) ?? 0)) };
    case "Confirm":
      return { kind: "mark", pruneAfter: "confirm" };
  }
}

function stayReason(ref: LiveRef, object: KubeObject, around: Surroundings): StayReason | undefined {
  const { annotations, ownerReferences = [] } = object.metadata;
  if (!isHeld(object, around)) return "NotOurs";
  if (isNeverOwned(ref)) return "NeverPruned";
  const isOwned = ownerReferences.some(({ uid }) => !around.going.has(uid));
  const isPart = operandsOf(object).some((uid) => uid !== around.operandUid);
  if (isOwned || isPart || around.elsewhere.has(refId(ref))) return "Shared";
  if (around.isOrphaning) return "Orphaned";
  return annotations?.[PRUNE_ANNOTATION] === "disabled" ? "PruneDisabled" : undefined;
}

/** Who is to get an object of ours that has not got it yet. */
function heirOf(ref: LiveRef, object: KubeObject, around: Surroundings): Heir | undefined {
  const heir = around.elsewhere.get(refId(ref));
  return heir === undefined || !isHeld(object, around) || isHeld(object, heir) ? undefined : heir;
}

/** Whether an Operand has applied an object, or was given it. */
function isHeld({ metadata }: KubeObject, { operandUid }: Pick<Surroundings, "operandUid">): boolean {
  return metadata.labels?.[partLabel(operandUid)] !== undefined;
}

/** What becomes of an object that an Operand may still have though no inventory of it lists it. */
export type Sweeping =
  /** It is none of ours. */
  | { readonly kind: "leave" }
  | { readonly kind: "wait"; readonly reason: "BeingDeleted" | "Confirm" }
  | { readonly kind: "wait"; readonly reason: "Deferred"; readonly due: string }
  /** It goes the way of `decidePruning`; if it was marked that way, the time for which it had to stay is over. */
  | { readonly kind: "go"; readonly isMarked: boolean };

/**
 * Decides about one object that an Operand no longer asks for and may still have. It is touched only if this Operand has it: by its
 * label, and by what it applied or inherited. A label alone may be a copy.
 */
export function decideSweeping(
  object: KubeObject,
  about: { readonly operand: KubeObject; readonly baseline: string | undefined; readonly now: number },
): Sweeping {
  const { operand, baseline, now } = about;
  if (!isProven(object, operand.metadata.uid)) return { kind: "leave" };
  if (isDeleting(object)) return { kind: "wait", reason: "BeingDeleted" };
  const after = object.metadata.annotations?.[PRUNE_AFTER];
  if (after === undefined) return { kind: "go", isMarked: false };
  if (after === "confirm") {
    const isConfirmed = baseline !== undefined && operand.metadata.annotations?.[PRUNE_CONFIRMED] === baseline;
    return isConfirmed ? { kind: "go", isMarked: true } : { kind: "wait", reason: "Confirm" };
  }
  return Date.parse(after) > now ? { kind: "wait", reason: "Deferred", due: after } : { kind: "go", isMarked: true };
}

function isProven({ metadata }: KubeObject, operandUid: string): boolean {
  const label = metadata.labels?.[partLabel(operandUid)];
  const isApplied = metadata.managedFields?.some(
    ({ manager, operation }) => manager === fieldManagerOf(operandUid) && operation === "Apply",
  );
  return label === INHERITED || (label !== undefined && isApplied === true);
}

/** What is known when an object that was marked is due: how long it had to stay no longer matters. */
export function whenDue(around: Surroundings, { isMarked }: { readonly isMarked: boolean }): Surroundings {
  return isMarked ? { ...around, operand: undefined } : around;
}
