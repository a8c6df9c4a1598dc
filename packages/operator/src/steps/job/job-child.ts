import { childFinalizerName, jobFinalizerName, parseApiVersion, formatTimestamp } from "@levelset/core/internal";
import { hasFinalizer, Job } from "@levelset/core";
import type { KubeObject, NewOf, ObjectOf } from "@levelset/core";
import { childManifest } from "../child/child-manifest.ts";
import type { InvalidChildManifest, ChildManifest } from "../child/child-manifest.ts";
import type { JobRecord } from "./job-record.ts";

/** A Job as read from the server. */
export type JobObject = ObjectOf<typeof Job>;

/** Annotation on a Job: the hash that it runs for. */
export const JOB_HASH_ANNOTATION = "levelset.dev/hash";

/** Returns the finalizer that keeps a Job until its owner's status records how it ended. */
export function jobFinalizerOf(owner: KubeObject): string {
  return jobFinalizerName({ group: parseApiVersion(owner.apiVersion).group, kind: owner.kind });
}

/** Returns the additional finalizer of a protected Job, so that it cannot be deleted while its owner exists. */
export function protectionName(owner: KubeObject): string {
  return childFinalizerName({ group: parseApiVersion(owner.apiVersion).group, kind: owner.kind });
}

/** Returns the Job to create for a hash: the desired one with finalizer, owner and step. */
export function jobManifest(
  owner: KubeObject,
  desired: NewOf<typeof Job>,
  options: { readonly step: string; readonly owned: boolean; readonly protect: boolean; readonly hash: string },
): ChildManifest | InvalidChildManifest {
  const { annotations, finalizers = [] } = desired.metadata;
  const metadata = {
    ...desired.metadata,
    annotations: { ...annotations, [JOB_HASH_ANNOTATION]: options.hash },
    finalizers: [...finalizers, jobFinalizerOf(owner)],
  };
  return childManifest(owner, Job, { ...desired, metadata }, { ...options, annotate: true });
}

/** Returns the hash that a Job runs for. */
export function hashOfJob(job: JobObject): string | undefined {
  return job.metadata.annotations?.[JOB_HASH_ANNOTATION];
}

/** Reports whether a Job still has one of our finalizers. */
export function hasJobFinalizer(job: JobObject, owner: KubeObject): boolean {
  return hasFinalizer(job, jobFinalizerOf(owner)) || hasFinalizer(job, protectionName(owner));
}

/**
 * Reports whether to protect a Job: while it runs, and after it has completed. A Job with a TTL is deleted after its
 * end by design, and deleting a failed Job requests another attempt.
 */
export function isWorthProtecting(job: JobObject): boolean {
  const record = jobRecordOf(job);
  return record === undefined || (record.result === "Complete" && !hasTtl(job));
}

/** Reports whether a Job has a TTL after its end. */
export function hasTtl(job: JobObject): boolean {
  return job.spec?.ttlSecondsAfterFinished !== undefined;
}

/** Returns how a Job ended; undefined while it runs. */
export function jobRecordOf(job: JobObject): JobRecord | undefined {
  const end = job.status?.conditions?.find(
    ({ type, status }) => status === "True" && (type === "Complete" || type === "Failed"),
  );
  if (end === undefined) return undefined;
  const { name, uid } = job.metadata;
  const hash = hashOfJob(job) ?? "";
  // A finished Job normally has the time of its end; otherwise use its creation time.
  const finishedAt = end.lastTransitionTime ?? job.metadata.creationTimestamp ?? formatTimestamp(0);
  if (end.type === "Complete") return { job: name, uid, hash, result: "Complete", finishedAt };
  const { reason = "Failed", message = "" } = end;
  return { job: name, uid, hash, result: "Failed", reason, message: message === "" ? reason : message, finishedAt };
}
