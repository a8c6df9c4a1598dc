import { controllerOf, isDeleting, managerUid } from "@levelset/core";
import { liveObject } from "../apply/index.ts";
import { fail, ok, requeueAfter, step, wait } from "../step/index.ts";
import type { Req, Result } from "../step/index.ts";
import { ClusterActiveOperand, Operand } from "./kinds.ts";
import { inLanes } from "./lanes.ts";
import { describeLiveRef } from "./live-ref.ts";
import type { LiveRef } from "./live-ref.ts";
import { RELEASE_ANNOTATION } from "./marks.ts";
import { pruneObject } from "./prune-object.ts";
import { surroundingsOf } from "./pruning.ts";
import type { Surroundings } from "./pruning.ts";
import { stageOf } from "./stage.ts";

/** A request about an inventory. */
export type InventoryReq = Req<ClusterActiveOperand, never>;

/**
 * The end of an inventory: it is taken off everything that it owned; what nobody wants any more is deleted, in the reverse of the
 * order in which it was applied. What cannot be deleted keeps the inventory, so that it is never forgotten.
 */
export const prune = step(ClusterActiveOperand, "Prune", {
  condition: "Pruned",
  do: () => ok(),
  cleanup: async (req) => {
    const around = await surroundings(req);
    if (around.operand?.spec.suspend === true && !isDeleting(around.operand)) return wait("the Operand is suspended");
    const blocked: (LiveRef & { readonly reason: string; readonly message: string })[] = [];
    let left = 0;
    for (const refs of stagesReversed(req.spec.live)) {
      const results = await inLanes(refs, (ref) => pruneObject(req, ref, around));
      for (const [index, result] of results.entries()) {
        const ref = refs[index];
        if (ref === undefined) continue;
        if (typeof result === "object") blocked.push({ ...ref, ...result });
        else if (result === "deleted") left++;
      }
      // What runs must be gone before what it needs is taken away.
      if (blocked.length > 0) return blockedResult(req, blocked);
    }
    if (left > 0 && around.operand?.spec.deletionPolicy === "WaitForTermination" && isDeleting(around.operand)) {
      return requeueAfter(`${left} objects are still being deleted`, 2_000);
    }
    return ok();
  },
});

function blockedResult(
  req: InventoryReq,
  blocked: readonly (LiveRef & { readonly reason: string; readonly message: string })[],
): Result<undefined> {
  req.status.blocked = blocked.slice(0, 10);
  const [first] = blocked;
  if (first === undefined) return ok();
  const more = blocked.length === 1 ? "" : ` (and ${blocked.length - 1} more)`;
  return fail(`${describeLiveRef(first)} cannot be deleted: ${first.message}${more}`, { reason: "PruneBlocked" });
}

/** Read past the cache: what is deleted by an old view is gone for good. */
async function surroundings(req: InventoryReq): Promise<Surroundings> {
  const { client, object, signal } = req;
  const owner = controllerOf(object);
  const found = owner === undefined ? undefined : await liveObject(req, Operand, { name: owner.name });
  const operand = found?.metadata.uid === owner?.uid ? found : undefined;
  const { items } = await client.list(ClusterActiveOperand, { signal });
  return surroundingsOf(items, {
    operand,
    operandUid: managerUid(object) ?? "",
    going: new Set([object.metadata.uid]),
    isOrphaning: object.metadata.annotations?.[RELEASE_ANNOTATION] === "orphan",
    now: req.clock.now(),
  });
}

function stagesReversed(refs: readonly LiveRef[]): readonly (readonly LiveRef[])[] {
  const stages = new Map<number, LiveRef[]>();
  for (const ref of refs) stages.set(stageOf(ref), [...(stages.get(stageOf(ref)) ?? []), ref]);
  return [...stages].toSorted(([a], [b]) => b - a).map(([, group]) => group);
}
