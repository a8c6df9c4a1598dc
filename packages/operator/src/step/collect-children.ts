import { isConflict, isDeleting, isNotFound, keyOf } from "@levelset/core";
import type { AnyCustomKind, ObjectOf } from "@levelset/core";
import { refOf } from "./object-ref.ts";
import type { ObjectRef } from "./object-ref.ts";
import type { Plan } from "./plan.ts";
import { ok, wait } from "./result.ts";
import type { AnyResult } from "./result.ts";
import type { RunTools } from "./run-tools.ts";

/**
 * Removes the children of an object that lives elsewhere and was cleaned up: what the garbage collector does for objects of the cluster. Not ok until the
 * last of them is gone.
 */
export async function collectChildren<K extends AnyCustomKind>(
  plan: Plan<K>,
  object: ObjectOf<K>,
  { client, reader }: Pick<RunTools, "client" | "reader">,
  signal: AbortSignal,
): Promise<AnyResult> {
  const left: ObjectRef[] = [];
  for (const kind of plan.owns) {
    for (const child of reader.owned(kind, object)) {
      left.push(refOf(child));
      if (isDeleting(child)) continue;
      try {
        const { uid, resourceVersion } = child.metadata;
        await client.delete(kind, keyOf(child), { uid, resourceVersion, propagation: "Background", signal });
      } catch (error) {
        // Gone, changed, or replaced by another child under the same name: the watch reports it.
        if (!isNotFound(error) && !isConflict(error)) throw error;
      }
    }
  }
  // Whether they are gone is told by the watch, which asks for the next run.
  return left.length === 0 ? ok() : wait(`${left.length} children are still being deleted`, { on: left });
}
