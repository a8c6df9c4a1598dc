import type { CronJob, Job, ObjectOf } from "@levelset/core";
import { formatAge, humanDuration } from "../age.ts";
import {
  AGE_COLUMN,
  ageCell,
  tableColumn,
  CONTAINER_COLUMNS,
  integerColumn,
  NAME_COLUMN,
  printer,
  wideColumn,
} from "./printer.ts";
import type { Printer } from "./printer.ts";
import { containersText, NONE_CELL, selectorCell, UNSET_CELL } from "./cell-text.ts";

type JobObject = ObjectOf<typeof Job>;

export const jobPrinter: Printer = printer<typeof Job>(
  [
    NAME_COLUMN,
    tableColumn("Status", "State of the job."),
    tableColumn("Completions", "Succeeded pods of required pods."),
    tableColumn("Duration", "Duration of the job so far."),
    AGE_COLUMN,
    ...CONTAINER_COLUMNS,
    wideColumn("Selector", "Label selector of the pods."),
  ],
  (job, now) => [
    job.metadata.name,
    statusText(job),
    completionsText(job),
    durationText(job, now),
    ageCell(job, now),
    ...containersText(job.spec.template.spec?.containers),
    selectorCell(job.spec.selector),
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
    ? formatAge(startTime, now)
    : humanDuration(Date.parse(completionTime) - Date.parse(startTime));
}

export const cronJobPrinter: Printer = printer<typeof CronJob>(
  [
    NAME_COLUMN,
    tableColumn("Schedule", "Cron schedule."),
    tableColumn("Timezone", "Time zone of the schedule."),
    tableColumn("Suspend", "Whether the schedule is suspended.", { type: "boolean" }),
    integerColumn("Active", "Running jobs."),
    tableColumn("Last Schedule", "How long ago a job was due."),
    AGE_COLUMN,
    ...CONTAINER_COLUMNS,
    wideColumn("Selector", "Label selector of the pods."),
  ],
  (cron, now) => {
    const { spec, status } = cron;
    return [
      cron.metadata.name,
      spec.schedule,
      spec.timeZone ?? NONE_CELL,
      spec.suspend === undefined ? UNSET_CELL : spec.suspend ? "True" : "False",
      status?.active?.length ?? 0,
      status?.lastScheduleTime === undefined ? NONE_CELL : formatAge(status.lastScheduleTime, now),
      ageCell(cron, now),
      ...containersText(spec.jobTemplate.spec?.template.spec?.containers),
      selectorCell(spec.jobTemplate.spec?.selector),
    ];
  },
);
