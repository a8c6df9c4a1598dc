import type { LiveRef } from "../spec/live-ref.ts";
import type { PruneView } from "./live-prune-context.ts";
import { pruneObjects, wouldDelete } from "./prune-objects.ts";
import type { PruneObjectsOptions } from "./prune-objects.ts";
import type { DeleteRefusal } from "./disown.ts";
import { stillThere } from "./deletion-wait.ts";
import type { TerminatingObject } from "./deletion-wait.ts";

/** Progress of the removal of a list of objects. */
export type RemovalState =
  /** Each object is gone, disowned or being deleted, and no wait is required. */
  | { readonly kind: "done" }
  /** The desired state has changed: decide again. */
  | { readonly kind: "outdated" }
  /** The server rejects these deletions. */
  | { readonly kind: "blocked"; readonly blocked: readonly (LiveRef & DeleteRefusal)[] }
  /** These objects were deleted and are not gone, and they block others. */
  | { readonly kind: "waiting"; readonly objects: readonly TerminatingObject[] };

/** Options of {@link pruneInOrder}. */
export interface RemovalOptions {
  /** Continues without waiting until objects are gone. */
  readonly skipWait: boolean;
  /** Waits for the last objects too, although no deletion follows. */
  readonly waitForLast: boolean;
}

/**
 * Removes objects group by group: see `removalGroups`. The next group starts once every deleted object of the one
 * before is gone, so that the controller that finalizes an object still runs. Idempotent: can be restarted at any
 * point.
 */
export async function pruneInOrder(
  pruner: PruneObjectsOptions,
  groups: readonly (readonly LiveRef[])[],
  view: PruneView,
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
    const { operandUid, now } = view.ctx;
    waited.push(...(await stillThere(pruner, deleted, { operandUid, now })));
    if (waited.length === 0) continue;
    // If no deletion follows, the rest is only disowned and need not wait.
    isLast = !(await wouldDelete(pruner, groups.slice(index + 1).flat(), view));
    if (!isLast) return { kind: "waiting", objects: waited };
  }
  return waited.length > 0 && waitForLast ? { kind: "waiting", objects: waited } : { kind: "done" };
}
