import { persistentVolumeClaim } from "./claim.ts";
import { labelSelector, objectMeta } from "./meta.ts";
import { podTemplateSpec } from "./pod.ts";
import { kept, list, message, one } from "./table.ts";
import type { Message } from "./table.ts";

const updateStrategy: Message = message({
  type: one("string", 1),
  rollingUpdate: one(message({ maxUnavailable: kept("intOrString", 1), maxSurge: kept("intOrString", 2) }), 2),
});

const deploymentSpec: Message = message({
  replicas: kept("int32", 1),
  selector: one(labelSelector, 2),
  template: one(podTemplateSpec, 3),
  strategy: one(updateStrategy, 4),
  minReadySeconds: one("int32", 5),
  revisionHistoryLimit: kept("int32", 6),
  paused: one("bool", 7),
  progressDeadlineSeconds: kept("int32", 9),
});

const deploymentCondition: Message = message({
  type: kept("string", 1),
  status: kept("string", 2),
  reason: one("string", 4),
  message: one("string", 5),
  lastUpdateTime: one("time", 6),
  lastTransitionTime: one("time", 7),
});

const deploymentStatus: Message = message({
  observedGeneration: one("int64", 1),
  replicas: one("int32", 2),
  updatedReplicas: one("int32", 3),
  availableReplicas: one("int32", 4),
  unavailableReplicas: one("int32", 5),
  conditions: list(deploymentCondition, 6),
  readyReplicas: one("int32", 7),
  collisionCount: kept("int32", 8),
  terminatingReplicas: kept("int32", 9),
});

export const deployment: Message = message({
  metadata: one(objectMeta, 1),
  spec: one(deploymentSpec, 2),
  status: one(deploymentStatus, 3),
});

const statefulSetSpec: Message = message({
  replicas: kept("int32", 1),
  selector: one(labelSelector, 2),
  template: one(podTemplateSpec, 3),
  volumeClaimTemplates: list(persistentVolumeClaim, 4),
  serviceName: kept("string", 5),
  podManagementPolicy: one("string", 6),
  updateStrategy: one(
    message({
      type: one("string", 1),
      rollingUpdate: one(message({ partition: kept("int32", 1), maxUnavailable: kept("intOrString", 2) }), 2),
    }),
    7,
  ),
  revisionHistoryLimit: kept("int32", 8),
  minReadySeconds: one("int32", 9),
  persistentVolumeClaimRetentionPolicy: one(
    message({ whenDeleted: one("string", 1), whenScaled: one("string", 2) }),
    10,
  ),
  ordinals: one(message({ start: kept("int32", 1) }), 11),
});

const workloadCondition: Message = message({
  type: kept("string", 1),
  status: kept("string", 2),
  lastTransitionTime: one("time", 3),
  reason: one("string", 4),
  message: one("string", 5),
});

const statefulSetStatus: Message = message({
  observedGeneration: one("int64", 1),
  replicas: kept("int32", 2),
  readyReplicas: one("int32", 3),
  currentReplicas: one("int32", 4),
  updatedReplicas: one("int32", 5),
  currentRevision: one("string", 6),
  updateRevision: one("string", 7),
  collisionCount: kept("int32", 9),
  conditions: list(workloadCondition, 10),
  availableReplicas: kept("int32", 11),
});

export const statefulSet: Message = message({
  metadata: one(objectMeta, 1),
  spec: one(statefulSetSpec, 2),
  status: one(statefulSetStatus, 3),
});

const daemonSetStatus: Message = message({
  currentNumberScheduled: kept("int32", 1),
  numberMisscheduled: kept("int32", 2),
  desiredNumberScheduled: kept("int32", 3),
  numberReady: kept("int32", 4),
  observedGeneration: one("int64", 5),
  updatedNumberScheduled: one("int32", 6),
  numberAvailable: one("int32", 7),
  numberUnavailable: one("int32", 8),
  collisionCount: kept("int32", 9),
  conditions: list(workloadCondition, 10),
});

export const daemonSet: Message = message({
  metadata: one(objectMeta, 1),
  spec: one(
    message({
      selector: one(labelSelector, 1),
      template: one(podTemplateSpec, 2),
      updateStrategy: one(updateStrategy, 3),
      minReadySeconds: one("int32", 4),
      revisionHistoryLimit: kept("int32", 6),
    }),
    2,
  ),
  status: one(daemonSetStatus, 3),
});

const replicaSetStatus: Message = message({
  replicas: kept("int32", 1),
  fullyLabeledReplicas: one("int32", 2),
  observedGeneration: one("int64", 3),
  readyReplicas: one("int32", 4),
  availableReplicas: one("int32", 5),
  conditions: list(workloadCondition, 6),
  terminatingReplicas: kept("int32", 7),
});

export const replicaSet: Message = message({
  metadata: one(objectMeta, 1),
  spec: one(
    message({
      replicas: kept("int32", 1),
      selector: one(labelSelector, 2),
      template: one(podTemplateSpec, 3),
      minReadySeconds: one("int32", 4),
    }),
    2,
  ),
  status: one(replicaSetStatus, 3),
});
