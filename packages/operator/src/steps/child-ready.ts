import { isDeleting, keyOf, mirror } from "@levelset/core";
import type { Finding, Kind, ObjectOf } from "@levelset/core";
import { liveObject } from "../apply/index.ts";
import { describeRef, ok, refOf, requeueAfter, wait } from "../step/index.ts";
import type { ConditionOverride, Result } from "../step/index.ts";
import type { ChildReq } from "./child-req.ts";

/** How soon to look again when our copy is old: the watch brings the new one. */
const OLD_COPY_MS = 1_000;
/** How soon to look again at a status that speaks of a spec that never was: somebody has to mend it. */
const CONTRADICTION_MS = 30_000;

/**
 * Whether another CR has reached its latest spec, for a step that depends on it. Ok only if its status speaks of its present generation
 * and says Ready; otherwise how bad it is, why and in which words come from its own Ready. A status that is ahead of the spec that we
 * know means that our copy is old, so the CR may not be what we asked for: never ok. `child` is the answer to our own write, or a
 * copy that is at least as new.
 */
export async function childReady<C extends Kind>(
  req: ChildReq,
  kind: C,
  child: ObjectOf<C>,
): Promise<Result<ObjectOf<C>>> {
  const ref = refOf(child);
  const what = describeRef(ref);
  if (isDeleting(child)) return wait(`${what} is being deleted`, { on: [ref] });
  const finding = mirror("", child);
  if (finding.status === "True") return ok(child);
  const remark = { ...overrideOf(finding), on: [ref] };
  if (finding.reason !== "Ahead") return wait(`${what}: ${finding.message}`, remark);
  const live = await liveObject(req, kind, keyOf(child));
  if (live?.metadata.resourceVersion === child.metadata.resourceVersion) {
    return requeueAfter(`${what}: ${finding.message}`, CONTRADICTION_MS, remark);
  }
  return requeueAfter(`${what}: ${finding.message}, because our copy is old`, OLD_COPY_MS, remark);
}

function overrideOf({ status, severity, reason }: Finding): ConditionOverride {
  // A False that does not say how bad it is counts as an error; as the result of a wait it would look harmless.
  return status === "False" ? { status, severity: severity ?? "Error", reason } : { status, reason };
}
