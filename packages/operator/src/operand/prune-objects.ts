import { isDeleting } from "@levelset/core";
import type { Kind, KubeObject } from "@levelset/core";
import type { Reach } from "../apply/index.ts";
import { liveObject } from "../apply/index.ts";
import type { Discovery } from "../client/index.ts";
import type { Claims } from "./claims.ts";
import { inLanes, LANES } from "./lanes.ts";
import { keyOfRef } from "./live-ref.ts";
import type { LiveRef } from "./live-ref.ts";
import type { View } from "./live-surroundings.ts";
import { PRUNING } from "./marks.ts";
import { decidePruning } from "./pruning.ts";
import type { Pruning, Surroundings } from "./pruning.ts";
import { deleteObject, markObject, releaseObject, unmarkObject } from "./release.ts";
import type { DeleteRefusal, Parting } from "./release.ts";
import { kindOfRef } from "./set-kinds.ts";

/** What came of one object. `outdated`: nothing, because somebody may want it by now; whoever asks decides anew. */
export type Pruned = "released" | "marked" | "deleted" | "gone" | "outdated" | DeleteRefusal;

/** What pruning takes. */
export interface Pruner extends Reach {
  readonly discovery: Discovery;
  readonly claims: Claims;
}

/** How often an object may change between our look at it and what we do about it. */
const TRIES = 5;
const CHANGING: DeleteRefusal = { reason: "Changing", message: "it changes all the time" };

/**
 * Takes the inventories that go off objects, and does with each what is right then: see `decidePruning`. Deletions, and objects that
 * others get, are sent some at a time, and before each lot it is asked whether the view still holds: if not, no more of them are sent.
 */
export async function pruneObjects(
  pruner: Pruner,
  refs: readonly LiveRef[],
  view: View,
): Promise<ReadonlyMap<LiveRef, Pruned>> {
  const results = new Map<LiveRef, Pruned>(refs.map((ref) => [ref, CHANGING]));
  let left = refs;
  for (let attempt = 0; attempt < TRIES && left.length > 0; attempt++) {
    const outcomes = await pruneOnce(pruner, left, view);
    for (const [ref, outcome] of outcomes) if (outcome !== "changed") results.set(ref, outcome);
    left = left.filter((ref) => outcomes.get(ref) === "changed");
  }
  return results;
}

/** Whether one of these objects would be deleted by that view now. */
export async function wouldDelete(pruner: Pruner, refs: readonly LiveRef[], view: View): Promise<boolean> {
  for (let first = 0; first < refs.length; first += LANES) {
    const decided = await inLanes(refs.slice(first, first + LANES), (ref) => decide(pruner, ref, view.around));
    if (decided.some((one) => one !== "gone" && one.pruning.kind === "delete")) return true;
  }
  return false;
}

/** An object as it was seen, and what was decided about it. */
interface Decided {
  readonly ref: LiveRef;
  readonly kind: Kind;
  readonly object: KubeObject;
  readonly pruning: Pruning;
}

type Outcome = Pruned | "changed";

async function pruneOnce(pruner: Pruner, refs: readonly LiveRef[], view: View): Promise<ReadonlyMap<LiveRef, Outcome>> {
  const outcomes = new Map<LiveRef, Outcome>();
  const weighty: Decided[] = [];
  await inLanes(refs, async (ref) => {
    const decided = await decide(pruner, ref, view.around);
    if (decided === "gone") outcomes.set(ref, "gone");
    else if (isWeighty(decided.pruning)) weighty.push(decided);
    else outcomes.set(ref, await carryOut(pruner, decided, view.around));
  });
  for (let first = 0; first < weighty.length; first += LANES) {
    const batch = weighty.slice(first, first + LANES);
    const ended = await pruner.claims.during(
      "delete",
      batch.map(({ ref }) => ref),
      () => carryOutAll(pruner, batch, view),
    );
    for (const [index, { ref }] of batch.entries()) outcomes.set(ref, ended?.[index] ?? "outdated");
  }
  return outcomes;
}

async function decide(pruner: Pruner, ref: LiveRef, around: Surroundings): Promise<Decided | "gone"> {
  const kind = await kindOfRef(ref, pruner.discovery, pruner.signal);
  // A kind that is no longer served has no objects.
  const object = kind === undefined ? undefined : await liveObject(pruner, kind, keyOfRef(ref));
  if (kind === undefined || object === undefined) return "gone";
  return { ref, kind, object, pruning: decidePruning(ref, object, around) };
}

/** Whether it cannot be made good: what is deleted is gone, and what is given to somebody who is gone is forgotten. */
function isWeighty(pruning: Pruning): boolean {
  return pruning.kind === "delete" || heirsOf(pruning).length > 0;
}

function heirsOf(pruning: Pruning): readonly string[] {
  return pruning.kind === "stay" && pruning.heir !== undefined ? [pruning.heir.inventoryUid] : [];
}

/**
 * First marks what is to be deleted, then asks whether the view still holds, then deletes the versions that have the mark. An install
 * of a spec that is stored after the answer finds the mark and removes it; one that is stored before is in the answer.
 */
async function carryOutAll(pruner: Pruner, batch: readonly Decided[], view: View): Promise<readonly Outcome[]> {
  const marked = await inLanes(batch, (decided) => mark(pruner, decided, view.around));
  if (!(await view.isCurrent(batch.flatMap(({ pruning }) => heirsOf(pruning))))) {
    await inLanes(marked, (one) => withdraw(pruner, one));
    return [];
  }
  return inLanes(marked, async (one) => (typeof one === "string" ? one : carryOut(pruner, one, view.around)));
}

/** An object that has the mark; or it has changed, or is gone. */
type Marked = Decided | "changed" | "gone";

/** The version of an object that has the mark, where it is to be deleted. */
async function mark(pruner: Pruner, decided: Decided, { operandUid }: Surroundings): Promise<Marked> {
  const { kind, object, pruning } = decided;
  if (pruning.kind !== "delete" || isDeleting(object)) return decided;
  const marking = await markObject(kind, object, operandUid, pruner);
  switch (marking.kind) {
    case "marked":
      return { ...decided, object: marking.object };
    case "refused":
      // Deleted by its version alone: what cannot be changed would otherwise never be removed.
      return decided;
    case "changed":
    case "gone":
      return marking.kind;
  }
}

async function withdraw(pruner: Pruner, one: Marked): Promise<void> {
  if (typeof one === "string" || one.pruning.kind !== "delete") return;
  await unmarkObject(one.kind, one.object, pruner, [PRUNING]);
}

/** Does what was decided about this very version of an object, or says that it has changed. */
async function carryOut(pruner: Pruner, { kind, object, pruning }: Decided, around: Surroundings): Promise<Outcome> {
  if (pruning.kind === "delete") {
    const refusal = await deleteObject(kind, object, pruner);
    return refusal?.reason === "Conflict" ? "changed" : (refusal ?? "deleted");
  }
  const isDone = await releaseObject(kind, object, around.going, partingOf(pruning, around), pruner);
  if (!isDone) return "changed";
  return pruning.kind === "mark" ? "marked" : "released";
}

function partingOf(pruning: Exclude<Pruning, { readonly kind: "delete" }>, around: Surroundings): Parting {
  switch (pruning.kind) {
    case "pass":
      return {};
    case "stay":
      return { leaves: around.operandUid, inherits: pruning.heir?.operandUid };
    case "mark":
      return { pruneAfter: pruning.pruneAfter };
  }
}
