import { jobReadiness } from "../../readiness-rule/index.ts";
import type { ObjectIn, ObjectSchema } from "../../schema/index.ts";
import {
  builtIn,
  s,
  optionalEnum,
  optionalBoolean,
  requiredString,
  int32,
  int64,
  optional,
  withPatchStrategy,
  optionalString,
  optionalTime,
} from "../field-builders.ts";
import { labelSelector, conditionWithProbeTime } from "../meta.ts";
import { podTemplateSpec } from "../core/pod-spec.ts";

const jobSpecFields = {
  template: podTemplateSpec.describe("The pods."),
  completions: int32("How many pods must succeed."),
  parallelism: int32("How many pods run at once; defaults to 1."),
  completionMode: optionalEnum(
    "Whether pods have completion indexes; defaults to NonIndexed.",
    "NonIndexed",
    "Indexed",
  ),
  backoffLimit: int32("Failures after which the job has failed; defaults to 6."),
  backoffLimitPerIndex: int32("Limit of failures per index."),
  maxFailedIndexes: int32("Failed indexes after which the job has failed."),
  activeDeadlineSeconds: int64("Seconds after which the job has failed."),
  ttlSecondsAfterFinished: int32("Seconds until a finished job is deleted; defaults to never."),
  suspend: optionalBoolean("Whether the job is suspended, without pods."),
  podFailurePolicy: optional(
    s.object({
      rules: s
        .array(
          s.object({
            action: s.enum("FailJob", "FailIndex", "Ignore", "Count").describe("Action for a matching failure."),
            onExitCodes: optional(
              s.object({
                containerName: optionalString("The container; defaults to any."),
                operator: s.enum("In", "NotIn").describe("Whether the exit code must be in the values or not."),
                values: s.array(s.int32()).set().describe("The exit codes."),
              }),
              "Failures with these exit codes.",
            ),
            onPodConditions: optional(
              s
                .array(
                  s.object({
                    type: requiredString("Type of the condition."),
                    status: s.string().describe("Its status; defaults to True.").default("True"),
                  }),
                )
                .atomic(),
              "Failures with one of these conditions.",
            ),
          }),
        )
        .atomic()
        .describe("Rules; the first that matches applies."),
    }),
    "Policy for failed pods.",
  ),
  podReplacementPolicy: optionalEnum(
    "When a pod is replaced: as soon as it is terminating or failed, or only once it has failed.",
    "TerminatingOrFailed",
    "Failed",
  ),
  successPolicy: optional(
    s.object({
      rules: s
        .array(
          s.object({
            succeededIndexes: optionalString("Indexes that must succeed, such as 0,2-4."),
            succeededCount: int32("Number of indexes that must succeed."),
          }),
        )
        .atomic()
        .describe("Rules; the first that matches applies."),
    }),
    "Rules for success before all indexes are complete.",
  ),
  managedBy: optionalString("Controller of the job, if it is not the built-in one."),
  selector: optional(labelSelector, "Selects its pods; generated unless manualSelector is set."),
  manualSelector: optionalBoolean("Whether the user sets the selector."),
};

/** Specification of a job. */
export interface JobSpec extends ObjectIn<typeof jobSpecFields> {}

/** The schema of `JobSpec`. */
export const jobSpec: ObjectSchema<JobSpec, JobSpec> = s.object(jobSpecFields);

/** Runs pods until enough of them have succeeded. */
export const Job = builtIn({
  group: "batch",
  version: "v1",
  kind: "Job",
  description: "Runs pods until enough of them have succeeded.",
  readiness: { of: jobReadiness },
  fields: {
    spec: jobSpec.describe("Specification of the desired behaviour."),
    status: optional(
      s.object({
        conditions: withPatchStrategy(
          "merge",
          optional(s.array(conditionWithProbeTime).atomic(), "Conditions such as Complete, Failed and Suspended."),
          "type",
        ),
        active: int32("Pods that run or wait."),
        ready: int32("Number of ready pods."),
        terminating: int32("Number of terminating pods."),
        succeeded: int32("Pods that succeeded."),
        failed: int32("Pods that failed."),
        startTime: optionalTime("When it started."),
        completionTime: optionalTime("When it was completed."),
        completedIndexes: optionalString("Indexes that succeeded, such as 1,3-5."),
        failedIndexes: optionalString("Indexes that failed."),
        uncountedTerminatedPods: optional(
          s.object({
            failed: optional(s.array(s.string()).set(), "Failed pods by uid."),
            succeeded: optional(s.array(s.string()).set(), "Succeeded pods by uid."),
          }),
          "Terminated pods that are not counted yet.",
        ),
      }),
      "Conditions.",
    ),
  },
});
