import {
  hasFinalizer,
  isAlreadyExists,
  isDeleting,
  isInvalid,
  isNotFound,
  Job,
  keyOf,
  managerUid,
  removeFinalizerPatch,
} from "@levelset/core";
import type { AnyCustomKind, JsonPatchOperation, NewOf, ObjectOf } from "@levelset/core";
import { contestResult, describeRef, ok, refOf, refTo, requeueAfter, terminal, wait } from "../step/index.ts";
import type { Req, Result } from "../step/index.ts";
import { isStale } from "../apply/index.ts";
import type { ObjectContention } from "../apply/index.ts";
import { notOurs } from "./apply-child.ts";
import { makerOf } from "./child-manifest.ts";
import type { ChildManifest } from "./child-manifest.ts";
import { holdName, isHeld, protectionName, recordOf } from "./job-child.ts";
import type { JobObject } from "./job-child.ts";
import type { ChildReq } from "./child-req.ts";

/** When to look again after the server showed that our copy is old. The watch most often brings the new one before. */
const STALE_MS = 1_000;
/** What the server puts on an object that waits for its dependents. */
const FOREGROUND = "foregroundDeletion";

/** What is used of a request to start Jobs. */
export type StartReq<K extends AnyCustomKind> = ChildReq & Pick<Req<K, never>, "kind">;

/**
 * Creates a Job where nothing stands in its place. `isSame` looks at the object as the server has it at this moment: a copy that is
 * behind may not know yet that the Job has run, and only the server can tell.
 */
export async function startJob<K extends AnyCustomKind>(
  req: StartReq<K>,
  { key, body }: ChildManifest,
  isSame: (live: ObjectOf<K>) => boolean,
  contention: ObjectContention,
): Promise<Result<never>> {
  const on = [refTo(Job, key)];
  const what = describeRef(refTo(Job, key));
  const there = req.get(Job, key);
  if (there !== undefined) {
    if (managerUid(there) !== req.object.metadata.uid) return notOurs(req.object, there);
    // Its step may be gone, and nobody else lets go of it then.
    if (isDeleting(there)) {
      const removed = await removeJob(req, there);
      return removed.kind === "ok" ? going(there) : removed;
    }
    const maker = makerOf(there);
    const by = maker === undefined ? "another hand" : `step ${maker}`;
    return terminal(`${what} was made by ${by}; it must be deleted before this one can use its name`, { on });
  }
  const live = await req.client.get(req.kind, keyOf(req.object), { signal: req.signal });
  const { uid, generation } = req.object.metadata;
  if (live.metadata.uid !== uid || live.metadata.generation !== generation || !isSame(live)) {
    return requeueAfter("the object has changed; it is looked at again", STALE_MS);
  }
  const contest = contention.hold();
  if (contest !== undefined) return contestResult(refTo(Job, key), contest);
  try {
    // The manifest was made from a Job.
    const made = await req.client.create(Job, body as unknown as NewOf<typeof Job>, { signal: req.signal });
    contention.wrote(undefined, made);
  } catch (error) {
    if (isAlreadyExists(error))
      return requeueAfter(`${what} is there already; it is looked at again`, STALE_MS, { on });
    if (isInvalid(error)) return terminal(error, { on });
    throw error;
  }
  return wait(`${what}: not started yet`, { on });
}

/** Removes finalizers of ours from a Job, in one write. Ok also if the Job is gone. */
export function releaseJob(req: ChildReq, job: JobObject, finalizers: readonly string[]): Promise<Result<undefined>> {
  return settle(job, async () => {
    const patch = releasePatch(job, finalizers);
    if (patch.length > 0) await req.client.jsonPatch(Job, keyOf(job), patch, { signal: req.signal });
  });
}

function releasePatch(job: JobObject, finalizers: readonly string[]): readonly JsonPatchOperation[] {
  const [first, ...others] = finalizers;
  if (first === undefined) return [];
  const left = job.metadata.finalizers?.filter((name) => name !== first) ?? [];
  // Each removal shifts the list for the next one.
  const rest = { ...job, metadata: { ...job.metadata, finalizers: left } };
  return [...removeFinalizerPatch(job, first), ...releasePatch(rest, others)];
}

/** Removes a Job, and is ok once it is gone: one that runs only after its pods are, so that nothing of it runs beside the next. */
export async function removeJob(req: ChildReq, job: JobObject): Promise<Result<undefined>> {
  const propagation = recordOf(job) === undefined ? "Foreground" : "Background";
  const isGoing = isDeleting(job) && (propagation === "Background" || hasFinalizer(job, FOREGROUND));
  const removed = await settle(job, async () => {
    const { uid, resourceVersion } = job.metadata;
    const options = { uid, resourceVersion, propagation, signal: req.signal } as const;
    if (!isGoing) await req.client.delete(Job, keyOf(job), options);
  });
  const held = [holdName(req.object), protectionName(req.object)];
  const result = removed.kind === "ok" && isHeld(job, req.object) ? await releaseJob(req, job, held) : removed;
  if (result.kind !== "ok") return result;
  return req.get(Job, keyOf(job))?.metadata.uid === job.metadata.uid ? going(job) : ok();
}

function going(job: JobObject): Result<never> {
  return wait(`${describeRef(refOf(job))} is being removed`, { on: [refOf(job)] });
}

/** A write that has nothing left to do where the Job is gone, and waits where our copy of it is old. */
async function settle(job: JobObject, write: () => Promise<void>): Promise<Result<undefined>> {
  try {
    await write();
  } catch (error) {
    if (isNotFound(error)) return ok();
    if (!isStale(error)) throw error;
    const on = [refOf(job)];
    return requeueAfter(`${describeRef(refOf(job))} has changed; it is looked at again`, STALE_MS, { on });
  }
  return ok();
}
