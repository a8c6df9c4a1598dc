import type { CronJob, Job, ObjectOf } from "@levelset/core";
import { age, humanDuration } from "../age.ts";
import { AGE, ageOf, column, CONTAINERS, counter, NAME, printer, wide } from "./printer.ts";
import type { Printer } from "./printer.ts";
import { containersText, NONE, shownSelector, UNSET } from "./text.ts";

type JobObject = ObjectOf<typeof Job>;

export const jobPrinter: Printer = printer<typeof Job>(
  [
    NAME,
    column("Status", "How far it is, in one word."),
    column("Completions", "Pods that succeeded, of those that must."),
    column("Duration", "How long it took, or has been running."),
    AGE,
    ...CONTAINERS,
    wide("Selector", "Its pods by label."),
  ],
  (job, now) => [
    job.metadata.name,
    statusText(job),
    completionsText(job),
    durationText(job, now),
    ageOf(job, now),
    ...containersText(job.spec.template.spec?.containers),
    shownSelector(job.spec.selector),
  ],
);

function statusText({ status, metadata }: JobObject): string {
  const holds = (type: string): boolean =>
    status?.conditions?.find((condition) => condition.type === type)?.status === "True";
  if (holds("Complete")) return "Complete";
  if (holds("Failed")) return "Failed";
  if (metadata.deletionTimestamp !== undefined) return "Terminating";
  return ["Suspended", "FailureTarget", "SuccessCriteriaMet"].find(holds) ?? "Running";
}

function completionsText({ spec, status }: JobObject): string {
  const succeeded = status?.succeeded ?? 0;
  if (spec.completions !== undefined) return `${succeeded}/${spec.completions}`;
  const parallelism = spec.parallelism ?? 0;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function durationText({ status }: JobObject, now: number): string {
  const { startTime, completionTime } = status ?? {};
  if (startTime === undefined) return "";
  return completionTime === undefined
    ? age(startTime, now)
    : humanDuration(Date.parse(completionTime) - Date.parse(startTime));
}

export const cronJobPrinter: Printer = printer<typeof CronJob>(
  [
    NAME,
    column("Schedule", "When its jobs start."),
    column("Timezone", "Where that time is told."),
    column("Suspend", "Whether no jobs start.", { type: "boolean" }),
    counter("Active", "Jobs that are running."),
    column("Last Schedule", "How long ago a job was due."),
    AGE,
    ...CONTAINERS,
    wide("Selector", "The pods of its jobs by label."),
  ],
  (cron, now) => {
    const { spec, status } = cron;
    return [
      cron.metadata.name,
      spec.schedule,
      spec.timeZone ?? NONE,
      spec.suspend === undefined ? UNSET : spec.suspend ? "True" : "False",
      status?.active?.length ?? 0,
      status?.lastScheduleTime === undefined ? NONE : age(status.lastScheduleTime, now),
      ageOf(cron, now),
      ...containersText(spec.jobTemplate.spec?.template.spec?.containers),
      shownSelector(spec.jobTemplate.spec?.selector),
    ];
  },
);
