import { isConflict, isDeleting, isNotFound, objectKeyOf } from "@levelset/core";
import type { AnyCustomKind, ObjectOf } from "@levelset/core";
import { refOf } from "./step/object-ref.ts";
import type { ObjectRef } from "./step/object-ref.ts";
import type { StepPlan } from "./step/step-plan.ts";
import { ok, wait } from "./step/result.ts";
import type { AnyResult } from "./step/result.ts";
import type { RunDependencies } from "./run-dependencies.ts";

/**
 * Deletes the children of an object that is not stored in this cluster, after its cleanup. The garbage collector
 * handles only owners in the same cluster. Returns `wait` until the last child is gone.
 */
export async function collectChildren<K extends AnyCustomKind>(
  plan: StepPlan<K>,
  object: ObjectOf<K>,
  { client, reader }: Pick<RunDependencies, "client" | "reader">,
  signal: AbortSignal,
): Promise<AnyResult> {
  const left: ObjectRef[] = [];
  for (const kind of plan.owns) {
    for (const child of reader.owned(kind, object)) {
      left.push(refOf(child));
      if (isDeleting(child)) continue;
      try {
        const { uid, resourceVersion } = child.metadata;
        await client.delete(kind, objectKeyOf(child), {
          uid,
          resourceVersion,
          propagationPolicy: "Background",
          signal,
        });
      } catch (error) {
        // The child was deleted, changed or replaced under the same name; the watch reports it.
        if (!isNotFound(error) && !isConflict(error)) throw error;
      }
    }
  }
  // The watch enqueues the next run when a child is gone.
  return left.length === 0 ? ok() : wait(`${left.length} children are still being deleted`, { on: left });
}
