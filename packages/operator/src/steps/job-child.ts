import { childFinalizerName, hasFinalizer, Job, jobFinalizerName, parseApiVersion, timestamp } from "@levelset/core";
import type { KubeObject, NewOf, ObjectOf } from "@levelset/core";
import { childManifest } from "./child-manifest.ts";
import type { BadManifest, ChildManifest } from "./child-manifest.ts";
import type { JobRecord } from "./job-record.ts";

/** A Job as the server has it. */
export type JobObject = ObjectOf<typeof Job>;

const HASH_ANNOTATION = "levelset.dev/hash";

/** The finalizer that keeps a Job from vanishing before its owner's status tells how it ended. */
export function holdName(owner: KubeObject): string {
  return jobFinalizerName({ group: parseApiVersion(owner.apiVersion).group, kind: owner.kind });
}

/** The finalizer that a protected Job carries besides, so that it cannot vanish while its owner exists. */
export function protectionName(owner: KubeObject): string {
  return childFinalizerName({ group: parseApiVersion(owner.apiVersion).group, kind: owner.kind });
}

/** The Job as it is created for a hash: what is desired, held, with the marks of its owner and its step. */
export function jobManifest(
  owner: KubeObject,
  desired: NewOf<typeof Job>,
  options: { readonly step: string; readonly owned: boolean; readonly protect: boolean; readonly hash: string },
): ChildManifest | BadManifest {
  const { annotations, finalizers = [] } = desired.metadata;
  const metadata = {
    ...desired.metadata,
    annotations: { ...annotations, [HASH_ANNOTATION]: options.hash },
    finalizers: [...finalizers, holdName(owner)],
  };
  return childManifest(owner, Job, { ...desired, metadata }, options);
}

/** What a Job is run for. */
export function hashOfJob(job: JobObject): string | undefined {
  return job.metadata.annotations?.[HASH_ANNOTATION];
}

/** Whether a Job still carries a finalizer of ours. */
export function isHeld(job: JobObject, owner: KubeObject): boolean {
  return hasFinalizer(job, holdName(owner)) || hasFinalizer(job, protectionName(owner));
}

/**
 * Whether a Job is worth protecting: while it runs, and after it has completed. One with a TTL is meant to go after its end, and the
 * deletion of one that failed asks for another try.
 */
export function isWorthProtecting(job: JobObject): boolean {
  const record = recordOf(job);
  return record === undefined || (record.result === "Complete" && !expires(job));
}

/** Whether a Job goes by itself some time after its end. */
export function expires(job: JobObject): boolean {
  return job.spec?.ttlSecondsAfterFinished !== undefined;
}

/** How a Job ended; undefined while it has not. */
export function recordOf(job: JobObject): JobRecord | undefined {
  const end = job.status?.conditions?.find(
    ({ type, status }) => status === "True" && (type === "Complete" || type === "Failed"),
  );
  if (end === undefined) return undefined;
  const { name, uid } = job.metadata;
  const hash = hashOfJob(job) ?? "";
  // Whoever ends a Job says when; one that does not is as old as the Job.
  const finishedAt = end.lastTransitionTime ?? job.metadata.creationTimestamp ?? timestamp(0);
  if (end.type === "Complete") return { job: name, uid, hash, result: "Complete", finishedAt };
  const { reason = "Failed", message = "" } = end;
  return { job: name, uid, hash, result: "Failed", reason, message: message === "" ? reason : message, finishedAt };
}
