import { isDeleting } from "@levelset/core";
import { expires, hashOfJob, recordOf } from "./job-child.ts";
import type { JobObject } from "./job-child.ts";
import type { JobRecord } from "./job-record.ts";

/** What a step knows of its Job at the beginning of a run. */
export interface JobView {
  /** What should have been run for; undefined when nothing should. */
  readonly hash: string | undefined;
  /** What the object's status tells about the last Job that ended. */
  readonly saved: JobRecord | undefined;
  /** The Job of the step. There is at most one at a time. */
  readonly job: JobObject | undefined;
  /** Whether the Job carries the finalizer of a protected child and its step wants that. */
  readonly isProtected: boolean;
  /** How old a result may get before the Job is run again; undefined where it is good for ever. */
  readonly refreshMs: number | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** What comes next. */
export type JobDecision =
  /** There is none, and none that counts has ended: time to start one, if any should run. */
  | { readonly kind: "none" }
  /** It has not ended. */
  | { readonly kind: "running"; readonly job: JobObject; readonly isCurrent: boolean }
  /** It must go, but first the status must tell how it ended, or at least nothing about an earlier one. */
  | { readonly kind: "note"; readonly record: JobRecord | undefined; readonly job: JobObject }
  /** It must go before anything else happens. */
  | { readonly kind: "remove"; readonly job: JobObject }
  /** It is known how the Job for the present hash ended. */
  | {
      readonly kind: "ended";
      readonly record: JobRecord;
      /** `status`: there already. `draft`: must be written there, for the Job will not stay. `job`: the Job itself tells, as long as it stays. */
      readonly told: "status" | "draft" | "job";
      /** If it is there. */
      readonly job: JobObject | undefined;
    };

/**
 * Decides what to do about the Job of a step. The status is believed only where no later Job is there: how a Job ended must be in the
 * status before the Job goes, and nothing may be there about an earlier one.
 */
export function decideJob(view: JobView): JobDecision {
  const { hash, saved, job } = view;
  if (job === undefined) {
    return isValid(view, saved) ? { kind: "ended", record: saved, told: "status", job } : { kind: "none" };
  }
  if (saved?.uid === job.metadata.uid) {
    return isValid(view, saved) ? { kind: "ended", record: saved, told: "status", job } : { kind: "remove", job };
  }
  const record = recordOf(job);
  const isCurrent = hash !== undefined && hashOfJob(job) === hash;
  // A protected Job that another client deletes is needed all the same, as long as it is the current one.
  const isLost = isDeleting(job) && !(view.isProtected && isCurrent);
  if (record === undefined && !isLost) return { kind: "running", job, isCurrent };
  if (record !== undefined && isKept(view, job, record)) {
    return isCurrent ? { kind: "ended", record, told: "draft", job } : { kind: "note", record, job };
  }
  if (saved !== undefined) return { kind: "note", record: undefined, job };
  if (record === undefined || !isCurrent || isDeleting(job)) return { kind: "remove", job };
  return { kind: "ended", record, told: "job", job };
}

/** Whether the status tells how the Job for the present hash ended, not too long ago. */
function isValid({ hash, refreshMs = Infinity, now }: JobView, saved: JobRecord | undefined): saved is JobRecord {
  return saved !== undefined && saved.hash === hash && now - Date.parse(saved.finishedAt) < refreshMs;
}

/** Whether the status must tell how a Job ended. A failed one that stays tells it itself, and whoever deletes it wants another try. */
function isKept({ refreshMs }: JobView, job: JobObject, { result }: JobRecord): boolean {
  return result === "Complete" || expires(job) || refreshMs !== undefined;
}
