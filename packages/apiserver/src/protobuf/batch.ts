import { labelSelector, objectMeta, objectReference } from "./meta.ts";
import { podTemplateSpec } from "./pod.ts";
import { presentField, repeatedField, messageTable, omitEmptyField } from "./message-table.ts";
import type { MessageTable } from "./message-table.ts";

const podFailurePolicyRule: MessageTable = messageTable({
  action: presentField("string", 1),
  onExitCodes: omitEmptyField(
    messageTable({
      containerName: presentField("string", 1),
      operator: presentField("string", 2),
      values: repeatedField("int32", 3),
    }),
    2,
  ),
  onPodConditions: repeatedField(
    messageTable({ type: presentField("string", 1), status: presentField("string", 2) }),
    3,
  ),
});

const jobSpec: MessageTable = messageTable({
  parallelism: presentField("int32", 1),
  completions: presentField("int32", 2),
  activeDeadlineSeconds: presentField("int64", 3),
  selector: omitEmptyField(labelSelector, 4),
  manualSelector: presentField("bool", 5),
  template: omitEmptyField(podTemplateSpec, 6),
  backoffLimit: presentField("int32", 7),
  ttlSecondsAfterFinished: presentField("int32", 8),
  completionMode: presentField("string", 9),
  suspend: presentField("bool", 10),
  podFailurePolicy: omitEmptyField(messageTable({ rules: repeatedField(podFailurePolicyRule, 1) }), 11),
  backoffLimitPerIndex: presentField("int32", 12),
  maxFailedIndexes: presentField("int32", 13),
  podReplacementPolicy: presentField("string", 14),
  managedBy: presentField("string", 15),
  successPolicy: omitEmptyField(
    messageTable({
      rules: repeatedField(
        messageTable({ succeededIndexes: presentField("string", 1), succeededCount: presentField("int32", 2) }),
        1,
      ),
    }),
    16,
  ),
});

const jobCondition: MessageTable = messageTable({
  type: presentField("string", 1),
  status: presentField("string", 2),
  lastProbeTime: omitEmptyField("time", 3),
  lastTransitionTime: omitEmptyField("time", 4),
  reason: omitEmptyField("string", 5),
  message: omitEmptyField("string", 6),
});

const jobStatus: MessageTable = messageTable({
  conditions: repeatedField(jobCondition, 1),
  startTime: omitEmptyField("time", 2),
  completionTime: omitEmptyField("time", 3),
  active: omitEmptyField("int32", 4),
  succeeded: omitEmptyField("int32", 5),
  failed: omitEmptyField("int32", 6),
  completedIndexes: omitEmptyField("string", 7),
  uncountedTerminatedPods: omitEmptyField(
    messageTable({ succeeded: repeatedField("string", 1), failed: repeatedField("string", 2) }),
    8,
  ),
  ready: presentField("int32", 9),
  failedIndexes: presentField("string", 10),
  terminating: presentField("int32", 11),
});

export const job: MessageTable = messageTable({
  metadata: omitEmptyField(objectMeta, 1),
  spec: omitEmptyField(jobSpec, 2),
  status: omitEmptyField(jobStatus, 3),
});

const cronJobSpec: MessageTable = messageTable({
  schedule: presentField("string", 1),
  startingDeadlineSeconds: presentField("int64", 2),
  concurrencyPolicy: omitEmptyField("string", 3),
  suspend: presentField("bool", 4),
  jobTemplate: omitEmptyField(
    messageTable({ metadata: omitEmptyField(objectMeta, 1), spec: omitEmptyField(jobSpec, 2) }),
    5,
  ),
  successfulJobsHistoryLimit: presentField("int32", 6),
  failedJobsHistoryLimit: presentField("int32", 7),
  timeZone: presentField("string", 8),
});

export const cronJob: MessageTable = messageTable({
  metadata: omitEmptyField(objectMeta, 1),
  spec: omitEmptyField(cronJobSpec, 2),
  status: omitEmptyField(
    messageTable({
      active: repeatedField(objectReference, 1),
      lastScheduleTime: omitEmptyField("time", 4),
      lastSuccessfulTime: omitEmptyField("time", 5),
    }),
    3,
  ),
});
