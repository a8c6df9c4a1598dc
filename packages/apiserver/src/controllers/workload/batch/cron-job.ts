import type { CronJob as CronJobKind, ObjectOf } from "@levelset/core";
import type { CronSchedule } from "@levelset/core/internal";
import { isWorkloadConditionTrue } from "../workload-condition.ts";
import { isJobFinished } from "./job.ts";
import type { Job } from "./job.ts";
import { compareByCreationTime } from "../pod/pod.ts";

/** A stored cron job. */
export type CronJob = ObjectOf<typeof CronJobKind>;

/** Input of {@link planCronJob}. */
export interface CronJobSnapshot {
  readonly cronJob: CronJob;
  readonly jobs: readonly Job[];
  readonly schedule: CronSchedule;
  readonly now: number;
}

/** Actions for a cron job. */
export interface CronJobPlan {
  /** Scheduled time of the job to create; undefined for none. */
  readonly start: number | undefined;
  /** Jobs to delete: replaced running jobs, and finished jobs beyond the history limit. */
  readonly remove: readonly Job[];
  /** Delay until the next scheduled time. */
  readonly nextMs: number | undefined;
}

/** Limit of the search for missed times. */
const MISSED_MAX = 1000;

/** Decides which jobs to create and delete. */
export function planCronJob(view: CronJobSnapshot): CronJobPlan {
  const { cronJob, jobs, schedule, now } = view;
  const history = surplus(cronJob, jobs);
  const next = schedule.after(now);
  const nextMs = next === undefined ? undefined : next - now;
  if (cronJob.spec.suspend === true || cronJob.metadata.deletionTimestamp !== undefined) {
    return { start: undefined, remove: history, nextMs: undefined };
  }
  const due = latestDue(view);
  const running = jobs.filter((job) => !isJobFinished(job));
  if (due === undefined || (cronJob.spec.concurrencyPolicy === "Forbid" && running.length > 0)) {
    return { start: undefined, remove: history, nextMs };
  }
  const replaced = cronJob.spec.concurrencyPolicy === "Replace" ? running : [];
  return { start: due, remove: [...history, ...replaced], nextMs };
}

/** Returns the latest scheduled time without a job, unless the starting deadline has passed. */
function latestDue({ cronJob, schedule, now }: CronJobSnapshot): number | undefined {
  const { startingDeadlineSeconds } = cronJob.spec;
  const since = Date.parse(cronJob.status?.lastScheduleTime ?? cronJob.metadata.creationTimestamp ?? "");
  const deadline = startingDeadlineSeconds === undefined ? 0 : now - Number(startingDeadlineSeconds) * 1000;
  let latest: number | undefined;
  let at = schedule.after(Math.max(since, deadline - 1));
  for (let missed = 0; at !== undefined && at <= now && missed < MISSED_MAX; missed++) {
    latest = at;
    at = schedule.after(at);
  }
  return latest;
}

/** Returns finished jobs beyond the history limit, oldest first. */
function surplus({ spec }: CronJob, jobs: readonly Job[]): readonly Job[] {
  const { successfulJobsHistoryLimit = 3, failedJobsHistoryLimit = 1 } = spec;
  const beyond = (type: string, limit: number): readonly Job[] => {
    const ended = jobs
      .filter((job) => isWorkloadConditionTrue(job.status?.conditions, type))
      .toSorted(compareByCreationTime);
    return ended.slice(0, Math.max(0, ended.length - limit));
  };
  return [...beyond("Complete", successfulJobsHistoryLimit), ...beyond("Failed", failedJobsHistoryLimit)];
}
