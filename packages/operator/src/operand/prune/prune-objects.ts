import { isDeleting, StatusError } from "@levelset/core";
import { mapConcurrent, CONCURRENCY_MAX } from "@levelset/core/internal";
import type { Kind, KubeObject } from "@levelset/core";
import { liveObject } from "../../apply/index.ts";
import type { ClientContext } from "../../apply/index.ts";
import type { Discovery } from "../../client/index.ts";
import type { RefLocks } from "../inventory/ref-locks.ts";
import { keyOfRef } from "../spec/live-ref.ts";
import type { LiveRef } from "../spec/live-ref.ts";
import type { PruneView } from "./live-prune-context.ts";
import { PRUNING } from "../spec/labels-and-annotations.ts";
import { decidePrune } from "./prune-decision.ts";
import type { PruneDecision, PruneContext } from "./prune-decision.ts";
import { deleteUnchanged, markObject, disownObject, orForbidden, refusalOf, unmarkObject } from "./disown.ts";
import type { DeleteRefusal, OwnerChange } from "./disown.ts";
import { resolveRefKind } from "../spec/kind-resolver.ts";

/** Result for one object. `outdated`: not touched, because it may be needed by now; the caller decides again. */
export type PruneResult = "released" | "marked" | "deleted" | "gone" | "outdated" | DeleteRefusal;

/** Options of {@link pruneObjects}. */
export interface PruneObjectsOptions extends ClientContext {
  readonly discovery: Discovery;
  readonly claims: RefLocks;
}

/** Maximum number of attempts for an object that changes between read and write. */
const TRIES = 5;
const CHANGING: DeleteRefusal = { reason: "Changing", message: "it keeps changing" };

/**
 * Removes the inventories from objects, and deletes, disowns or marks each: see `decidePrune`. Deletions and handovers
 * are sent in batches. Before each batch the view is checked; once it is outdated, no more are sent.
 */
export async function pruneObjects(
  pruner: PruneObjectsOptions,
  refs: readonly LiveRef[],
  view: PruneView,
): Promise<ReadonlyMap<LiveRef, PruneResult>> {
  const results = new Map<LiveRef, PruneResult>(refs.map((ref) => [ref, CHANGING]));
  let left = refs;
  for (let attempt = 0; attempt < TRIES && left.length > 0; attempt++) {
    const outcomes = await pruneOnce(pruner, left, view);
    for (const [ref, outcome] of outcomes) if (outcome !== "changed") results.set(ref, outcome);
    left = left.filter((ref) => outcomes.get(ref) === "changed");
  }
  return results;
}

/** Reports whether one of these objects would be deleted under that view now. */
export async function wouldDelete(
  pruner: PruneObjectsOptions,
  refs: readonly LiveRef[],
  view: PruneView,
): Promise<boolean> {
  for (let first = 0; first < refs.length; first += CONCURRENCY_MAX) {
    const decided = await mapConcurrent(refs.slice(first, first + CONCURRENCY_MAX), (ref) =>
      decide(pruner, ref, view.ctx),
    );
    if (decided.some((one) => one !== "gone" && !(one instanceof StatusError) && one.pruning.kind === "delete"))
      return true;
  }
  return false;
}

/** An object as read, with the decision on it. */
interface Decided {
  readonly ref: LiveRef;
  readonly kind: Kind;
  readonly object: KubeObject;
  readonly pruning: PruneDecision;
}

type Outcome = PruneResult | "changed";

async function pruneOnce(
  pruner: PruneObjectsOptions,
  refs: readonly LiveRef[],
  view: PruneView,
): Promise<ReadonlyMap<LiveRef, Outcome>> {
  const outcomes = new Map<LiveRef, Outcome>();
  const irreversible: Decided[] = [];
  await mapConcurrent(refs, async (ref) => {
    const decided = await decide(pruner, ref, view.ctx);
    if (decided === "gone") outcomes.set(ref, decided);
    else if (decided instanceof StatusError) outcomes.set(ref, refusalOf(decided));
    else if (isIrreversible(decided.pruning)) irreversible.push(decided);
    else outcomes.set(ref, await execute(pruner, decided, view.ctx));
  });
  for (let first = 0; first < irreversible.length; first += CONCURRENCY_MAX) {
    const batch = irreversible.slice(first, first + CONCURRENCY_MAX);
    const ended = await pruner.claims.withLock(
      "delete",
      batch.map(({ ref }) => ref),
      () => executeBatch(pruner, batch, view),
    );
    for (const [index, { ref }] of batch.entries()) outcomes.set(ref, ended?.[index] ?? "outdated");
  }
  return outcomes;
}

async function decide(
  pruner: PruneObjectsOptions,
  ref: LiveRef,
  ctx: PruneContext,
): Promise<Decided | StatusError | "gone"> {
  const kind = await resolveRefKind(ref, pruner.discovery, pruner.signal);
  // A kind that is no longer served has no objects.
  const object = kind === undefined ? undefined : await orForbidden(liveObject(pruner, kind, keyOfRef(ref)));
  if (kind === undefined || object === undefined) return "gone";
  if (object instanceof StatusError) return object;
  return { ref, kind, object, pruning: decidePrune(ref, object, ctx) };
}

/**
 * Reports whether a decision cannot be undone: a deleted object is gone, and an object passed to a removed owner is
 * lost.
 */
function isIrreversible(pruning: PruneDecision): boolean {
  return pruning.kind === "delete" || newOwnersOf(pruning).length > 0;
}

function newOwnersOf(pruning: PruneDecision): readonly string[] {
  return pruning.kind === "keep" && pruning.newOwner !== undefined ? [pruning.newOwner.inventoryUid] : [];
}

/**
 * Marks the objects to delete, checks that the view is current, then deletes the marked versions. An install of a spec
 * that is stored after the check finds the mark and removes it; a spec that is stored before is seen by the check.
 */
async function executeBatch(
  pruner: PruneObjectsOptions,
  batch: readonly Decided[],
  view: PruneView,
): Promise<readonly Outcome[]> {
  const marked = await mapConcurrent(batch, (decided) => mark(pruner, decided, view.ctx));
  if (!(await view.isCurrent(batch.flatMap(({ pruning }) => newOwnersOf(pruning))))) {
    await mapConcurrent(marked, (one) => withdraw(pruner, one));
    return [];
  }
  return mapConcurrent(marked, async (one) => (typeof one === "string" ? one : execute(pruner, one, view.ctx)));
}

/** An object with its mark; or it has changed or is gone. */
type Marked = Decided | "changed" | "gone";

/** Marks an object that is to be deleted and returns the marked version. */
async function mark(pruner: PruneObjectsOptions, decided: Decided, { operandUid }: PruneContext): Promise<Marked> {
  const { kind, object, pruning } = decided;
  if (pruning.kind !== "delete" || isDeleting(object)) return decided;
  const marking = await markObject(kind, object, operandUid, pruner);
  switch (marking.kind) {
    case "marked":
      return { ...decided, object: marking.object };
    case "refused":
      // Deleted by its resourceVersion alone: an object that cannot be updated would otherwise never be removed.
      return decided;
    case "changed":
    case "gone":
      return marking.kind;
  }
}

async function withdraw(pruner: PruneObjectsOptions, one: Marked): Promise<void> {
  if (typeof one === "string" || one.pruning.kind !== "delete") return;
  await unmarkObject(one.kind, one.object, pruner, [PRUNING]);
}

/** Executes the decision on this resourceVersion of an object, or returns `changed`. */
async function execute(
  pruner: PruneObjectsOptions,
  { kind, object, pruning }: Decided,
  ctx: PruneContext,
): Promise<Outcome> {
  if (pruning.kind === "delete") {
    const refusal = await deleteUnchanged(kind, object, { ...pruner, propagation: ctx.propagation });
    return refusal?.reason === "Conflict" ? "changed" : (refusal ?? "deleted");
  }
  const isDone = await orForbidden(disownObject(kind, object, ctx.removing, ownerChangeOf(pruning, ctx), pruner));
  if (isDone instanceof StatusError) return refusalOf(isDone);
  if (!isDone) return "changed";
  return pruning.kind === "mark" ? "marked" : "released";
}

function ownerChangeOf(pruning: Exclude<PruneDecision, { readonly kind: "delete" }>, ctx: PruneContext): OwnerChange {
  switch (pruning.kind) {
    case "skip":
      return {};
    case "keep":
      return { removeOperand: ctx.operandUid, addOperand: pruning.newOwner?.operandUid };
    case "mark":
      return { pruneAfter: pruning.pruneAfter };
  }
}
