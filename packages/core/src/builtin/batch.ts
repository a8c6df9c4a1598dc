import type { ObjectIn, ObjectSchema } from "../schema/index.ts";
import { builtIn, choice, flag, given, int32, int64, optional, patched, s, text, time } from "./field.ts";
import { labelSelector, probedCondition, templateMeta } from "./meta.ts";
import { podTemplateSpec } from "./pod-spec.ts";
import { objectReference } from "./reference.ts";

const jobSpecFields = {
  template: podTemplateSpec.describe("The pods."),
  completions: int32("How many pods must succeed."),
  parallelism: int32("How many pods run at once; 1 unless given."),
  completionMode: choice("Whether pods have numbers; NonIndexed unless given.", "NonIndexed", "Indexed"),
  backoffLimit: int32("Failures after which the job has failed; 6 unless given."),
  backoffLimitPerIndex: int32("The same for each index."),
  maxFailedIndexes: int32("Failed indexes after which the job has failed."),
  activeDeadlineSeconds: int64("Seconds after which the job has failed."),
  ttlSecondsAfterFinished: int32("Seconds from its end until it is deleted; never unless given."),
  suspend: flag("Whether it waits, without pods."),
  podFailurePolicy: optional(
    s.object({
      rules: s
        .array(
          s.object({
            action: s.enum("FailJob", "FailIndex", "Ignore", "Count").describe("What such a failure does."),
            onExitCodes: optional(
              s.object({
                containerName: text("The container; any unless given."),
                operator: s.enum("In", "NotIn").describe("Whether the code is among the values or not."),
                values: s.array(s.int32()).set().describe("The exit codes."),
              }),
              "Failures with these exit codes.",
            ),
            onPodConditions: optional(
              s
                .array(
                  s.object({
                    type: given("Type of the condition."),
                    status: s.string().describe("Its status; True unless given.").default("True"),
                  }),
                )
                .atomic(),
              "Failures with one of these conditions.",
            ),
          }),
        )
        .atomic()
        .describe("The first that fits decides."),
    }),
    "What kinds of failures do.",
  ),
  podReplacementPolicy: choice(
    "When a pod is replaced: as soon as it is going, or once it has failed.",
    "TerminatingOrFailed",
    "Failed",
  ),
  successPolicy: optional(
    s.object({
      rules: s
        .array(
          s.object({
            succeededIndexes: text("Indexes that must succeed, such as 0,2-4."),
            succeededCount: int32("How many of them must."),
          }),
        )
        .atomic()
        .describe("The first that is met decides."),
    }),
    "When the job is done before all indexes are.",
  ),
  managedBy: text("Who runs the job, if not the usual controller."),
  selector: optional(labelSelector, "Its pods by label; made up unless manualSelector is set."),
  manualSelector: flag("Whether the selector is given."),
};

/** What a job runs, and when it is done. */
export interface JobSpec extends ObjectIn<typeof jobSpecFields> {}

/** The schema of `JobSpec`. */
export const jobSpec: ObjectSchema<JobSpec, JobSpec> = s.object(jobSpecFields);

/** Runs pods until enough of them have succeeded. */
export const Job = builtIn({
  group: "batch",
  version: "v1",
  kind: "Job",
  description: "Runs pods until enough of them have succeeded.",
  fields: {
    spec: jobSpec.describe("What it runs."),
    status: optional(
      s.object({
        conditions: patched(
          "merge",
          optional(s.array(probedCondition).atomic(), "Complete, Failed, Suspended and the like."),
          "type",
        ),
        active: int32("Pods that run or wait."),
        ready: int32("Pods that are ready."),
        terminating: int32("Pods that are going."),
        succeeded: int32("Pods that succeeded."),
        failed: int32("Pods that failed."),
        startTime: time("When it began."),
        completionTime: time("When it was done."),
        completedIndexes: text("Indexes that succeeded, such as 1,3-5."),
        failedIndexes: text("Indexes that failed."),
        uncountedTerminatedPods: optional(
          s.object({
            failed: optional(s.array(s.string()).set(), "Failed pods by uid."),
            succeeded: optional(s.array(s.string()).set(), "Succeeded pods by uid."),
          }),
          "Ended pods that are not counted yet.",
        ),
      }),
      "How far it is.",
    ),
  },
});

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
        schedule: given("When, in five fields as cron has them."),
        timeZone: text("Time zone of the schedule, such as Europe/Berlin."),
        jobTemplate: s
          .object({
            metadata: optional(templateMeta, "Labels and annotations of the jobs."),
            spec: jobSpec.describe("What the jobs run."),
          })
          .describe("The jobs."),
        concurrencyPolicy: choice(
          "What happens when the last job still runs; Allow unless given.",
          "Allow",
          "Forbid",
          "Replace",
        ),
        suspend: flag("Whether no new jobs start."),
        startingDeadlineSeconds: int64("How late a job may start."),
        successfulJobsHistoryLimit: int32("Succeeded jobs to keep; 3 unless given."),
        failedJobsHistoryLimit: int32("Failed jobs to keep; 1 unless given."),
      })
      .describe("When, and what."),
    status: optional(
      s.object({
        active: optional(s.array(objectReference).atomic(), "Jobs that run."),
        lastScheduleTime: time("When a job was last started."),
        lastSuccessfulTime: time("When a job last succeeded."),
      }),
      "How it went.",
    ),
  },
});
