import {
  childFinalizerName,
  isDeleting,
  isNotFound,
  keyOf,
  managerUid,
  parseApiVersion,
  removeFinalizerPatch,
} from "@levelset/core";
import type { Kind, KubeObject, ObjectOf } from "@levelset/core";
import { isStale, liveObject } from "../apply/index.ts";
import { describeRef, ok, refOf, wait } from "../step/index.ts";
import type { Result } from "../step/index.ts";
import { ATTEMPTS_MAX } from "./child-req.ts";
import type { ChildReq } from "./child-req.ts";

/**
 * Removes one child, and is ok once it is gone. Deletes only the very version that was seen to be ours, so neither one that somebody
 * made meanwhile under the same name nor one that was taken from us. Lets go of it first if it is protected.
 */
export async function removeChild<C extends Kind>(
  req: ChildReq,
  kind: C,
  child: ObjectOf<C>,
): Promise<Result<undefined>> {
  req.contention(kind, keyOf(child), undefined).forget();
  let live: ObjectOf<C> | undefined = child;
  for (let attempt = 1; ; attempt++) {
    if (live === undefined || managerUid(live) !== req.object.metadata.uid) return ok();
    try {
      const held = await release(req, kind, live);
      if (!isDeleting(held)) await remove(req, kind, held);
      return remains(req.get(kind, keyOf(child)), child);
    } catch (error) {
      if (isNotFound(error)) return ok();
      if (!isStale(error) || attempt === ATTEMPTS_MAX) throw error;
    }
    live = await liveObject(req, kind, keyOf(child));
  }
}

async function release<C extends Kind>(req: ChildReq, kind: C, live: ObjectOf<C>): Promise<ObjectOf<C>> {
  const { apiVersion, kind: ownerKind } = req.object;
  const finalizer = childFinalizerName({ group: parseApiVersion(apiVersion).group, kind: ownerKind });
  const patch = removeFinalizerPatch(live, finalizer);
  if (patch.length === 0) return live;
  return req.client.jsonPatch(kind, keyOf(live), patch, { signal: req.signal });
}

async function remove(req: ChildReq, kind: Kind, live: KubeObject): Promise<void> {
  const { uid, resourceVersion } = live.metadata;
  // Left to itself, the server would leave the pods of a Job behind.
  const propagation = "Background";
  await req.client.delete(kind, keyOf(live), { uid, resourceVersion, propagation, signal: req.signal });
}

function remains(copy: KubeObject | undefined, child: KubeObject): Result<undefined> {
  if (copy?.metadata.uid !== child.metadata.uid) return ok();
  const { finalizers = [] } = copy.metadata;
  const by = finalizers.length === 0 ? "" : `; it is held by ${finalizers.join(", ")}`;
  return wait(`${describeRef(refOf(copy))} is being deleted${by}`, { on: [refOf(copy)] });
}
