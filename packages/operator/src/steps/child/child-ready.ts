import { generationState, isDeleting, objectKeyOf } from "@levelset/core";
import { mirrorReady } from "@levelset/core/internal";
import type { ConditionUpdate, Kind, ObjectOf } from "@levelset/core";
import { liveObject } from "../../apply/index.ts";
import { describeRef, ok, refOf, requeueAfter, wait } from "../../engine/index.ts";
import type { ConditionOverride, Result } from "../../engine/index.ts";
import type { ChildReq } from "./child-req.ts";

/** Requeue delay if the cached object is stale; the watch usually delivers the new one earlier. */
const OLD_COPY_MS = 1_000;
/** Requeue delay for a status of a generation that never existed, which needs a fix by a person. */
const CONTRADICTION_MS = 30_000;

/**
 * Returns whether another CR has reached its latest spec, for a step that depends on it. Ok only if its status is of
 * its current generation and it is Ready; otherwise severity, reason and message come from its Ready condition. A
 * status ahead of the cached generation means that the cached object is stale: never ok. `child` is the response to our
 * own write, or an object that is at least as new.
 */
export async function childReady<C extends Kind>(
  req: ChildReq,
  kind: C,
  child: ObjectOf<C>,
): Promise<Result<ObjectOf<C>>> {
  const ref = refOf(child);
  const what = describeRef(ref);
  if (isDeleting(child)) return wait(`${what} is being deleted`, { on: [ref] });
  const update = mirrorReady("", child);
  if (update.status === "True") return ok(child);
  const remark = { ...overrideOf(update), on: [ref] };
  if (generationState(child) !== "ahead") return wait(`${what}: ${update.message}`, remark);
  const live = await liveObject(req, kind, objectKeyOf(child));
  if (live?.metadata.resourceVersion === child.metadata.resourceVersion) {
    return requeueAfter(`${what}: ${update.message}`, CONTRADICTION_MS, remark);
  }
  return requeueAfter(`${what}: ${update.message}, because the cached object is stale`, OLD_COPY_MS, remark);
}

function overrideOf({ type: _type, message: _message, ...override }: ConditionUpdate): ConditionOverride {
  // A False without severity counts as an error; as the result of a wait it would look harmless.
  return override.status === "False" ? { severity: "Error", ...override } : override;
}
