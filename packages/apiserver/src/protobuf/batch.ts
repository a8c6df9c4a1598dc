import { labelSelector, objectMeta, objectReference } from "./meta.ts";
import { podTemplateSpec } from "./pod.ts";
import { kept, list, message, one } from "./table.ts";
import type { Message } from "./table.ts";

const podFailurePolicyRule: Message = message({
  action: kept("string", 1),
  onExitCodes: one(
    message({ containerName: kept("string", 1), operator: kept("string", 2), values: list("int32", 3) }),
    2,
  ),
  onPodConditions: list(message({ type: kept("string", 1), status: kept("string", 2) }), 3),
});

const jobSpec: Message = message({
  parallelism: kept("int32", 1),
  completions: kept("int32", 2),
  activeDeadlineSeconds: kept("int64", 3),
  selector: one(labelSelector, 4),
  manualSelector: kept("bool", 5),
  template: one(podTemplateSpec, 6),
  backoffLimit: kept("int32", 7),
  ttlSecondsAfterFinished: kept("int32", 8),
  completionMode: kept("string", 9),
  suspend: kept("bool", 10),
  podFailurePolicy: one(message({ rules: list(podFailurePolicyRule, 1) }), 11),
  backoffLimitPerIndex: kept("int32", 12),
  maxFailedIndexes: kept("int32", 13),
  podReplacementPolicy: kept("string", 14),
  managedBy: kept("string", 15),
  successPolicy: one(
    message({ rules: list(message({ succeededIndexes: kept("string", 1), succeededCount: kept("int32", 2) }), 1) }),
    16,
  ),
});

const jobCondition: Message = message({
  type: kept("string", 1),
  status: kept("string", 2),
  lastProbeTime: one("time", 3),
  lastTransitionTime: one("time", 4),
  reason: one("string", 5),
  message: one("string", 6),
});

const jobStatus: Message = message({
  conditions: list(jobCondition, 1),
  startTime: one("time", 2),
  completionTime: one("time", 3),
  active: one("int32", 4),
  succeeded: one("int32", 5),
  failed: one("int32", 6),
  completedIndexes: one("string", 7),
  uncountedTerminatedPods: one(message({ succeeded: list("string", 1), failed: list("string", 2) }), 8),
  ready: kept("int32", 9),
  failedIndexes: kept("string", 10),
  terminating: kept("int32", 11),
});

export const job: Message = message({ metadata: one(objectMeta, 1), spec: one(jobSpec, 2), status: one(jobStatus, 3) });

const cronJobSpec: Message = message({
  schedule: kept("string", 1),
  startingDeadlineSeconds: kept("int64", 2),
  concurrencyPolicy: one("string", 3),
  suspend: kept("bool", 4),
  jobTemplate: one(message({ metadata: one(objectMeta, 1), spec: one(jobSpec, 2) }), 5),
  successfulJobsHistoryLimit: kept("int32", 6),
  failedJobsHistoryLimit: kept("int32", 7),
  timeZone: kept("string", 8),
});

export const cronJob: Message = message({
  metadata: one(objectMeta, 1),
  spec: one(cronJobSpec, 2),
  status: one(
    message({ active: list(objectReference, 1), lastScheduleTime: one("time", 4), lastSuccessfulTime: one("time", 5) }),
    3,
  ),
});
