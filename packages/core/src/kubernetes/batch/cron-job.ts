import {
  builtIn,
  s,
  optionalEnum,
  optionalBoolean,
  requiredString,
  int32,
  int64,
  optional,
  optionalString,
  optionalTime,
} from "../field-builders.ts";
import { templateMeta } from "../meta.ts";
import { objectReference } from "../core/reference.ts";
import { jobSpec } from "./job.ts";

/** Starts jobs on a schedule. */
export const CronJob = builtIn({
  group: "batch",
  version: "v1",
  kind: "CronJob",
  description: "Starts jobs on a schedule.",
  shortNames: ["cj"],
  fields: {
    spec: s
      .object({
        schedule: requiredString("Schedule in cron syntax."),
        timeZone: optionalString("Time zone of the schedule, such as Europe/Berlin."),
        jobTemplate: s
          .object({
            metadata: optional(templateMeta, "Labels and annotations of the jobs."),
            spec: jobSpec.describe("Specification of the Jobs."),
          })
          .describe("The jobs."),
        concurrencyPolicy: optionalEnum(
          "Whether a job may start while the previous one runs; defaults to Allow.",
          "Allow",
          "Forbid",
          "Replace",
        ),
        suspend: optionalBoolean("Whether no new jobs are created."),
        startingDeadlineSeconds: int64("Deadline in seconds for starting a missed job."),
        successfulJobsHistoryLimit: int32("Succeeded jobs to keep; defaults to 3."),
        failedJobsHistoryLimit: int32("Failed jobs to keep; defaults to 1."),
      })
      .describe("Schedule and Job template."),
    status: optional(
      s.object({
        active: optional(s.array(objectReference).atomic(), "Jobs that run."),
        lastScheduleTime: optionalTime("When a job was last started."),
        lastSuccessfulTime: optionalTime("When a job last succeeded."),
      }),
      "Status of the attachment.",
    ),
  },
});
