import {
  childFinalizerName,
  controllingOwnerUid,
  parseApiVersion,
  removeFinalizerPatch,
} from "@levelset/core/internal";
import { isDeleting, isNotFound, objectKeyOf } from "@levelset/core";
import type { Kind, KubeObject, ObjectOf } from "@levelset/core";
import { isWriteConflict, liveObject } from "../../apply/index.ts";
import { describeRef, ok, refOf, requeueAfter, wait } from "../../engine/index.ts";
import type { Result } from "../../engine/index.ts";
import { creatingStepOf } from "./child-manifest.ts";
import { provenChild } from "./proves-ours.ts";
import { ATTEMPTS_MAX } from "./child-req.ts";
import type { ChildReq } from "./child-req.ts";

/** Interval between checks of a stripped child that is being deleted. */
const STRIPPED_MS = 5_000;

/**
 * Deletes one child; ok once it is gone. Deletes only the version that was checked to be ours, and neither a new object
 * of the same name nor one that another owner has adopted. Removes the protection finalizer first.
 */
export async function deleteChild<C extends Kind>(
  req: ChildReq,
  kind: C,
  child: ObjectOf<C>,
): Promise<Result<undefined>> {
  req.contention(kind, objectKeyOf(child), undefined).forget();
  let live: ObjectOf<C> | undefined = child;
  for (let attempt = 1; ; attempt++) {
    live = await ownChild(req, kind, live);
    if (live === undefined) return ok();
    try {
      const held = await release(req, kind, live);
      if (!isDeleting(held)) await remove(req, kind, held);
      return remains(req.get(kind, objectKeyOf(child)), child);
    } catch (error) {
      if (isNotFound(error)) return ok();
      if (!isWriteConflict(error) || attempt === ATTEMPTS_MAX) throw error;
    }
    live = await liveObject(req, kind, objectKeyOf(child));
  }
}

/** Returns the child if it is ours: by its owner, or by the proof of `provesOurs` if that was removed. */
async function ownChild<C extends Kind>(
  req: ChildReq,
  kind: C,
  live: ObjectOf<C> | undefined,
): Promise<ObjectOf<C> | undefined> {
  const uid = live === undefined ? undefined : controllingOwnerUid(live);
  if (live === undefined || uid !== undefined) return uid === req.object.metadata.uid ? live : undefined;
  const step = creatingStepOf(live);
  if (step === undefined) return undefined;
  return provenChild(req, kind, live, { step, applied: undefined });
}

async function release<C extends Kind>(req: ChildReq, kind: C, live: ObjectOf<C>): Promise<ObjectOf<C>> {
  const { apiVersion, kind: ownerKind } = req.object;
  const finalizer = childFinalizerName({ group: parseApiVersion(apiVersion).group, kind: ownerKind });
  const patch = removeFinalizerPatch(live, finalizer);
  if (patch.length === 0) return live;
  return req.client.jsonPatch(kind, objectKeyOf(live), patch, { signal: req.signal });
}

async function remove(req: ChildReq, kind: Kind, live: KubeObject): Promise<void> {
  const { uid, resourceVersion } = live.metadata;
  // The server's default for Jobs would orphan their pods (docs: Garbage Collection).
  const propagationPolicy = "Background";
  await req.client.delete(kind, objectKeyOf(live), {
    uid,
    resourceVersion,
    propagationPolicy,
    signal: req.signal,
  });
}

function remains(copy: KubeObject | undefined, child: KubeObject): Result<undefined> {
  if (copy?.metadata.uid !== child.metadata.uid) return ok();
  const { finalizers = [] } = copy.metadata;
  const by = finalizers.length === 0 ? "" : `; it is held by ${finalizers.join(", ")}`;
  const reason = `${describeRef(refOf(copy))} is being deleted${by}`;
  const on = [refOf(copy)];
  // The watch does not know the owner of a stripped child.
  return controllingOwnerUid(copy) === undefined ? requeueAfter(reason, STRIPPED_MS, { on }) : wait(reason, { on });
}
