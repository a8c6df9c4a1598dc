import type { LiveRef } from "./live-ref.ts";
import type { View } from "./live-surroundings.ts";
import { pruneObjects, wouldDelete } from "./prune-objects.ts";
import type { Pruner } from "./prune-objects.ts";
import type { DeleteRefusal } from "./release.ts";
import { stillThere } from "./terminating.ts";
import type { TerminatingObject } from "./terminating.ts";

/** How far the removal of a list of objects has come. */
export type RemovalState =
  /** Each of them is gone, let go of or being deleted, and none is waited for. */
  | { readonly kind: "done" }
  /** What is asked for has changed meanwhile: decide anew. */
  | { readonly kind: "outdated" }
  /** The server refuses to delete these. */
  | { readonly kind: "blocked"; readonly blocked: readonly (LiveRef & DeleteRefusal)[] }
  /** These were deleted and are not gone, and others go only after them. */
  | { readonly kind: "waiting"; readonly objects: readonly TerminatingObject[] };

/** How objects are removed. */
export interface RemovalOptions {
  /** Goes on without waiting until objects are gone. */
  readonly skipWait: boolean;
  /** Waits also for the last objects, after which none is deleted. */
  readonly waitForLast: boolean;
}

/**
 * Removes objects group by group: see `removalGroups`. The next group begins when every object that was deleted of the one before is
 * gone, so that what finalizes an object is still there while it is being finalized. Can be begun anew at any point.
 */
export async function pruneInOrder(
  pruner: Pruner,
  groups: readonly (readonly LiveRef[])[],
  view: View,
  { skipWait, waitForLast }: RemovalOptions,
): Promise<RemovalState> {
  const waited: TerminatingObject[] = [];
  let isLast = false;
  for (const [index, refs] of groups.entries()) {
    const results = await pruneObjects(pruner, refs, view);
    if ([...results.values()].includes("outdated")) return { kind: "outdated" };
    const blocked = [...results].flatMap(([ref, one]) => (typeof one === "object" ? { ...ref, ...one } : []));
    if (blocked.length > 0) return { kind: "blocked", blocked };
    if (skipWait || isLast) continue;
    const deleted = [...results].flatMap(([ref, one]) => (one === "deleted" ? ref : []));
    const { operandUid, now } = view.around;
    waited.push(...(await stillThere(pruner, deleted, { operandUid, now })));
    if (waited.length === 0) continue;
    // Where nothing is deleted after them, the rest is only let go of, and need not wait.
    isLast = !(await wouldDelete(pruner, groups.slice(index + 1).flat(), view));
    if (!isLast) return { kind: "waiting", objects: waited };
  }
  return waited.length > 0 && waitForLast ? { kind: "waiting", objects: waited } : { kind: "done" };
}
