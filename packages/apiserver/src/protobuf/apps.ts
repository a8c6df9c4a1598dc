import { persistentVolumeClaim } from "./persistent-volume-claim.ts";
import { labelSelector, objectMeta } from "./meta.ts";
import { podTemplateSpec } from "./pod.ts";
import { presentField, repeatedField, messageTable, omitEmptyField } from "./message-table.ts";
import type { MessageTable } from "./message-table.ts";

const updateStrategy: MessageTable = messageTable({
  type: omitEmptyField("string", 1),
  rollingUpdate: omitEmptyField(
    messageTable({ maxUnavailable: presentField("intOrString", 1), maxSurge: presentField("intOrString", 2) }),
    2,
  ),
});

const deploymentSpec: MessageTable = messageTable({
  replicas: presentField("int32", 1),
  selector: omitEmptyField(labelSelector, 2),
  template: omitEmptyField(podTemplateSpec, 3),
  strategy: omitEmptyField(updateStrategy, 4),
  minReadySeconds: omitEmptyField("int32", 5),
  revisionHistoryLimit: presentField("int32", 6),
  paused: omitEmptyField("bool", 7),
  progressDeadlineSeconds: presentField("int32", 9),
});

const deploymentCondition: MessageTable = messageTable({
  type: presentField("string", 1),
  status: presentField("string", 2),
  reason: omitEmptyField("string", 4),
  message: omitEmptyField("string", 5),
  lastUpdateTime: omitEmptyField("time", 6),
  lastTransitionTime: omitEmptyField("time", 7),
});

const deploymentStatus: MessageTable = messageTable({
  observedGeneration: omitEmptyField("int64", 1),
  replicas: omitEmptyField("int32", 2),
  updatedReplicas: omitEmptyField("int32", 3),
  availableReplicas: omitEmptyField("int32", 4),
  unavailableReplicas: omitEmptyField("int32", 5),
  conditions: repeatedField(deploymentCondition, 6),
  readyReplicas: omitEmptyField("int32", 7),
  collisionCount: presentField("int32", 8),
  terminatingReplicas: presentField("int32", 9),
});

export const deployment: MessageTable = messageTable({
  metadata: omitEmptyField(objectMeta, 1),
  spec: omitEmptyField(deploymentSpec, 2),
  status: omitEmptyField(deploymentStatus, 3),
});

const statefulSetSpec: MessageTable = messageTable({
  replicas: presentField("int32", 1),
  selector: omitEmptyField(labelSelector, 2),
  template: omitEmptyField(podTemplateSpec, 3),
  volumeClaimTemplates: repeatedField(persistentVolumeClaim, 4),
  serviceName: presentField("string", 5),
  podManagementPolicy: omitEmptyField("string", 6),
  updateStrategy: omitEmptyField(
    messageTable({
      type: omitEmptyField("string", 1),
      rollingUpdate: omitEmptyField(
        messageTable({ partition: presentField("int32", 1), maxUnavailable: presentField("intOrString", 2) }),
        2,
      ),
    }),
    7,
  ),
  revisionHistoryLimit: presentField("int32", 8),
  minReadySeconds: omitEmptyField("int32", 9),
  persistentVolumeClaimRetentionPolicy: omitEmptyField(
    messageTable({ whenDeleted: omitEmptyField("string", 1), whenScaled: omitEmptyField("string", 2) }),
    10,
  ),
  ordinals: omitEmptyField(messageTable({ start: presentField("int32", 1) }), 11),
});

const workloadCondition: MessageTable = messageTable({
  type: presentField("string", 1),
  status: presentField("string", 2),
  lastTransitionTime: omitEmptyField("time", 3),
  reason: omitEmptyField("string", 4),
  message: omitEmptyField("string", 5),
});

const statefulSetStatus: MessageTable = messageTable({
  observedGeneration: omitEmptyField("int64", 1),
  replicas: presentField("int32", 2),
  readyReplicas: omitEmptyField("int32", 3),
  currentReplicas: omitEmptyField("int32", 4),
  updatedReplicas: omitEmptyField("int32", 5),
  currentRevision: omitEmptyField("string", 6),
  updateRevision: omitEmptyField("string", 7),
  collisionCount: presentField("int32", 9),
  conditions: repeatedField(workloadCondition, 10),
  availableReplicas: presentField("int32", 11),
});

export const statefulSet: MessageTable = messageTable({
  metadata: omitEmptyField(objectMeta, 1),
  spec: omitEmptyField(statefulSetSpec, 2),
  status: omitEmptyField(statefulSetStatus, 3),
});

const daemonSetStatus: MessageTable = messageTable({
  currentNumberScheduled: presentField("int32", 1),
  numberMisscheduled: presentField("int32", 2),
  desiredNumberScheduled: presentField("int32", 3),
  numberReady: presentField("int32", 4),
  observedGeneration: omitEmptyField("int64", 5),
  updatedNumberScheduled: omitEmptyField("int32", 6),
  numberAvailable: omitEmptyField("int32", 7),
  numberUnavailable: omitEmptyField("int32", 8),
  collisionCount: presentField("int32", 9),
  conditions: repeatedField(workloadCondition, 10),
});

export const daemonSet: MessageTable = messageTable({
  metadata: omitEmptyField(objectMeta, 1),
  spec: omitEmptyField(
    messageTable({
      selector: omitEmptyField(labelSelector, 1),
      template: omitEmptyField(podTemplateSpec, 2),
      updateStrategy: omitEmptyField(updateStrategy, 3),
      minReadySeconds: omitEmptyField("int32", 4),
      revisionHistoryLimit: presentField("int32", 6),
    }),
    2,
  ),
  status: omitEmptyField(daemonSetStatus, 3),
});

const replicaSetStatus: MessageTable = messageTable({
  replicas: presentField("int32", 1),
  fullyLabeledReplicas: omitEmptyField("int32", 2),
  observedGeneration: omitEmptyField("int64", 3),
  readyReplicas: omitEmptyField("int32", 4),
  availableReplicas: omitEmptyField("int32", 5),
  conditions: repeatedField(workloadCondition, 6),
  terminatingReplicas: presentField("int32", 7),
});

export const replicaSet: MessageTable = messageTable({
  metadata: omitEmptyField(objectMeta, 1),
  spec: omitEmptyField(
    messageTable({
      replicas: presentField("int32", 1),
      selector: omitEmptyField(labelSelector, 2),
      template: omitEmptyField(podTemplateSpec, 3),
      minReadySeconds: omitEmptyField("int32", 4),
    }),
    2,
  ),
  status: omitEmptyField(replicaSetStatus, 3),
});
