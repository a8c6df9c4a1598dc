import type { CronJob as CronJobKind, ObjectOf } from "@levelset/core";
import { isTrue } from "./condition.ts";
import type { CronSchedule } from "./cron-schedule.ts";
import { isJobFinished } from "./job.ts";
import type { Job } from "./job.ts";
import { byAge } from "./pod.ts";

/** A cron job as the server keeps it. */
export type CronJob = ObjectOf<typeof CronJobKind>;

/** What a cron job is decided by. */
export interface CronView {
  readonly cronJob: CronJob;
  readonly jobs: readonly Job[];
  readonly schedule: CronSchedule;
  readonly now: number;
}

/** What a cron job does now. */
export interface CronPlan {
  /** The time that a job is to be started for; undefined for none. */
  readonly start: number | undefined;
  /** Jobs that make room: running ones that are replaced, and finished ones beyond the history. */
  readonly remove: readonly Job[];
  /** When the next time comes. */
  readonly nextMs: number | undefined;
}

/** More missed times than this are not counted one by one. */
const MISSED_MAX = 1000;

/** Decides what a cron job does now. */
export function planCronJob(view: CronView): CronPlan {
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

/** The latest time that has passed without a job, unless it is too long ago. */
function latestDue({ cronJob, schedule, now }: CronView): number | undefined {
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

/** Finished jobs beyond the number that is kept, the oldest first. */
function surplus({ spec }: CronJob, jobs: readonly Job[]): readonly Job[] {
  const { successfulJobsHistoryLimit = 3, failedJobsHistoryLimit = 1 } = spec;
  const beyond = (type: string, limit: number): readonly Job[] => {
    const ended = jobs.filter((job) => isTrue(job.status?.conditions, type)).toSorted(byAge);
    return ended.slice(0, Math.max(0, ended.length - limit));
  };
  return [...beyond("Complete", successfulJobsHistoryLimit), ...beyond("Failed", failedJobsHistoryLimit)];
}
