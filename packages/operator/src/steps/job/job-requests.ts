import { hasFinalizer, isAlreadyExists, isDeleting, isInvalid, isNotFound, Job, objectKeyOf } from "@levelset/core";
import { controllingOwnerUid, removeFinalizerPatch } from "@levelset/core/internal";
import type { AnyCustomKind, NewOf, ObjectOf } from "@levelset/core";
import type { JsonPatchOperation } from "@levelset/core/apply";
import { contestResult, describeRef, ok, refOf, refTo, requeueAfter, terminal, wait } from "../../engine/index.ts";
import type { Req, Result } from "../../engine/index.ts";
import { isWriteConflict } from "../../apply/index.ts";
import type { ObjectContention } from "../../apply/index.ts";
import { notOwnedResult } from "../child/apply-child.ts";
import { creatingStepOf } from "../child/child-manifest.ts";
import type { ChildManifest } from "../child/child-manifest.ts";
import { jobFinalizerOf, hasJobFinalizer, protectionName, jobRecordOf } from "./job-child.ts";
import type { JobObject } from "./job-child.ts";
import type { ChildReq } from "../child/child-req.ts";

/**
 * Requeue delay after the server showed that the cached object is stale. The watch usually delivers the new one
 * earlier.
 */
const STALE_MS = 1_000;
/** Finalizer that the server sets for foreground deletion (docs: Garbage Collection). */
const FOREGROUND = "foregroundDeletion";

/** Parts of a request that starting Jobs needs. */
export type StartJobReq<K extends AnyCustomKind> = ChildReq & Pick<Req<K, never>, "kind">;

/**
 * Creates a Job if its name is free. `isSame` checks the object as read from the server: a stale cache may not show
 * that the Job has already run.
 */
export async function startJob<K extends AnyCustomKind>(
  req: StartJobReq<K>,
  { key, body }: ChildManifest,
  isSame: (live: ObjectOf<K>) => boolean,
  contention: ObjectContention,
): Promise<Result<never>> {
  const on = [refTo(Job, key)];
  const what = describeRef(refTo(Job, key));
  const there = req.get(Job, key);
  if (there !== undefined) {
    if (controllingOwnerUid(there) !== req.object.metadata.uid) return notOwnedResult(req.object, there);
    // Its step may no longer exist, and then no other step releases it.
    if (isDeleting(there)) {
      const removed = await deleteJob(req, there);
      return removed.kind === "ok" ? beingRemoved(there) : removed;
    }
    const maker = creatingStepOf(there);
    const by = maker === undefined ? "another client" : `step ${maker}`;
    return terminal(`${what} was created by ${by}; it must be deleted before this one can use its name`, { on });
  }
  const live = await req.client.get(req.kind, objectKeyOf(req.object), { signal: req.signal });
  const { uid, generation } = req.object.metadata;
  if (live.metadata.uid !== uid || live.metadata.generation !== generation || !isSame(live)) {
    return requeueAfter("the object has changed; retrying", STALE_MS);
  }
  const contest = contention.hold();
  if (contest !== undefined) return contestResult(refTo(Job, key), contest);
  try {
    // The manifest was built from a Job.
    const made = await req.client.create(Job, body as unknown as NewOf<typeof Job>, { signal: req.signal });
    contention.wrote(undefined, made);
  } catch (error) {
    if (isAlreadyExists(error)) return requeueAfter(`${what} already exists; retrying`, STALE_MS, { on });
    if (isInvalid(error)) return terminal(error, { on });
    throw error;
  }
  return wait(`${what}: not started yet`, { on });
}

/** Removes our finalizers from a Job in one write. Ok also if the Job is gone. */
export function removeJobFinalizer(
  req: ChildReq,
  job: JobObject,
  finalizers: readonly string[],
): Promise<Result<undefined>> {
  return settle(job, async () => {
    const patch = releasePatch(job, finalizers);
    if (patch.length > 0) await req.client.jsonPatch(Job, objectKeyOf(job), patch, { signal: req.signal });
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

/**
 * Deletes a Job; ok once it is gone. A running Job is gone only after its pods are, so that none of them runs beside
 * the next Job.
 */
export async function deleteJob(req: ChildReq, job: JobObject): Promise<Result<undefined>> {
  const propagationPolicy = jobRecordOf(job) === undefined ? "Foreground" : "Background";
  const isGoing = isDeleting(job) && (propagationPolicy === "Background" || hasFinalizer(job, FOREGROUND));
  const removed = await settle(job, async () => {
    const { uid, resourceVersion } = job.metadata;
    const options = { uid, resourceVersion, propagationPolicy, signal: req.signal } as const;
    if (!isGoing) await req.client.delete(Job, objectKeyOf(job), options);
  });
  const held = [jobFinalizerOf(req.object), protectionName(req.object)];
  const result =
    removed.kind === "ok" && hasJobFinalizer(job, req.object) ? await removeJobFinalizer(req, job, held) : removed;
  if (result.kind !== "ok") return result;
  return req.get(Job, objectKeyOf(job))?.metadata.uid === job.metadata.uid ? beingRemoved(job) : ok();
}

function beingRemoved(job: JobObject): Result<never> {
  return wait(`${describeRef(refOf(job))} is being removed`, { on: [refOf(job)] });
}

/** Runs a write that is done if the Job is gone, and waits if the cached Job is stale. */
async function settle(job: JobObject, write: () => Promise<void>): Promise<Result<undefined>> {
  try {
    await write();
  } catch (error) {
    if (isNotFound(error)) return ok();
    if (!isWriteConflict(error)) throw error;
    const on = [refOf(job)];
    return requeueAfter(`${describeRef(refOf(job))} has changed; retrying`, STALE_MS, { on });
  }
  return ok();
}
