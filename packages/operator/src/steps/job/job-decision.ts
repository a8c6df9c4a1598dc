import { isDeleting } from "@levelset/core";
import { hasTtl, hashOfJob, jobRecordOf } from "./job-child.ts";
import type { JobObject } from "./job-child.ts";
import type { JobRecord } from "./job-record.ts";
import type { JobStart } from "./job-start.ts";

/** Pulling an image and binding volumes take less time, or longer than another version should wait. */
const START_MS = 60_000;

/** Input of {@link decideJob}: what a step knows of its Job at the start of a run. */
export interface JobDecisionInput {
  /** Hash to run for; undefined if no Job is desired. */
  readonly hash: string | undefined;
  /** Record of the last finished Job in the object's status. */
  readonly saved: JobRecord | undefined;
  /** The Job of the step. At most one exists at a time. */
  readonly job: JobObject | undefined;
  /** True if the Job has the protection finalizer and its step protects it. */
  readonly isProtected: boolean;
  /** Maximum age of a result before the Job is run again; undefined for no limit. */
  readonly refreshMs: number | undefined;
  /** Whether the Job has started, if `dependsOnStart`. Undefined counts as started. */
  readonly start: JobStart | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Next action for the Job of a step. */
export type JobDecision =
  /** No Job exists, and no valid result: start one if desired. */
  | { readonly kind: "none" }
  /** The Job has not ended. */
  | {
      readonly kind: "running";
      readonly job: JobObject;
      readonly isCurrent: boolean;
      /** The Job is of an earlier version, and may be deleted after this time if it has not started by then. */
      readonly startsWithinMs: number | undefined;
    }
  /** The Job must be deleted, after the status records its result, or at least no earlier one. */
  | { readonly kind: "record"; readonly record: JobRecord | undefined; readonly job: JobObject }
  /** The Job must be deleted first. */
  | { readonly kind: "delete"; readonly job: JobObject }
  /** The result of the Job for the current hash is known. */
  | {
      readonly kind: "ended";
      readonly record: JobRecord;
      /**
       * `status`: already recorded. `draft`: must be recorded, because the Job will be deleted. `job`: read from the
       * Job, as long as it exists.
       */
      readonly source: "status" | "draft" | "job";
      /** The Job, if it exists. */
      readonly job: JobObject | undefined;
    };

/**
 * Decides on the Job of a step. The status is trusted only if no later Job exists: the result of a Job must be recorded
 * before the Job is deleted, and no record of an earlier one may remain.
 */
export function decideJob(view: JobDecisionInput): JobDecision {
  const { hash, saved, job } = view;
  if (job === undefined) {
    return isValid(view, saved) ? { kind: "ended", record: saved, source: "status", job } : { kind: "none" };
  }
  if (saved?.uid === job.metadata.uid) {
    return isValid(view, saved) ? { kind: "ended", record: saved, source: "status", job } : { kind: "delete", job };
  }
  const record = jobRecordOf(job);
  const isCurrent = hash !== undefined && hashOfJob(job) === hash;
  // A protected current Job that another client deletes is still needed.
  const isLost = isDeleting(job) && !(view.isProtected && isCurrent);
  const startsWithinMs = msToStart(view, job);
  const isBlocked = startsWithinMs !== undefined && startsWithinMs <= 0;
  if (record === undefined && !isLost && !isBlocked) return { kind: "running", job, isCurrent, startsWithinMs };
  if (record !== undefined && isKept(view, job, record)) {
    return isCurrent ? { kind: "ended", record, source: "draft", job } : { kind: "record", record, job };
  }
  if (saved !== undefined) return { kind: "record", record: undefined, job };
  if (record === undefined || !isCurrent || isDeleting(job)) return { kind: "delete", job };
  return { kind: "ended", record, source: "job", job };
}

/**
 * Reports whether the decision depends on `start`: the Job is of another version than the desired one, has not ended,
 * and its status counts no pod that has started in time. The status is no proof, because `ready` counts the pods that
 * are ready now, and `failed` no restarts of containers.
 */
export function dependsOnStart(view: Omit<JobDecisionInput, "start">): boolean {
  const { job, saved, now } = view;
  if (job === undefined || saved?.uid === job.metadata.uid || isDeleting(job)) return false;
  return jobRecordOf(job) === undefined && isOfEarlierVersion(view, job) && startDeadline(job) <= now;
}

/** Reports whether a Job runs for another version than the desired one. */
function isOfEarlierVersion({ hash }: Pick<JobDecisionInput, "hash">, job: JobObject): boolean {
  return hash !== undefined && hashOfJob(job) !== hash;
}

/**
 * Returns how much longer a Job of an earlier version may take to start; undefined if it may have started, or if it is
 * not of an earlier version. A Job whose image does not exist, or whose pods fit no node, never ends.
 */
function msToStart(view: JobDecisionInput, job: JobObject): number | undefined {
  const { start, now } = view;
  const deadline = isOfEarlierVersion(view, job) ? startDeadline(job) : Infinity;
  if (deadline === Infinity) return undefined;
  if (deadline > now) return deadline - now;
  return start?.kind === "not-started" ? start.since + START_MS - now : undefined;
}

/**
 * Returns when a Job must have started; Infinity if its status shows that it has. A Job that was suspended starts when
 * it is resumed (`spec.suspend`).
 */
function startDeadline({ metadata, status = {} }: JobObject): number {
  const { ready = 0, succeeded = 0, failed = 0, terminating = 0 } = status;
  const since = status.startTime ?? metadata.creationTimestamp;
  if (ready + succeeded + failed + terminating > 0 || since === undefined) return Infinity;
  return Date.parse(since) + START_MS;
}

/** Reports whether the status has a recent enough result of the Job for the current hash. */
function isValid(
  { hash, refreshMs = Infinity, now }: JobDecisionInput,
  saved: JobRecord | undefined,
): saved is JobRecord {
  return saved !== undefined && saved.hash === hash && now - Date.parse(saved.finishedAt) < refreshMs;
}

/**
 * Reports whether the status must record the result of a Job. A failed Job that stays is its own record, and deleting
 * it requests another attempt.
 */
function isKept({ refreshMs }: JobDecisionInput, job: JobObject, { result }: JobRecord): boolean {
  return result === "Complete" || hasTtl(job) || refreshMs !== undefined;
}
