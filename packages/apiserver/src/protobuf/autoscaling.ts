import { labelSelector, objectMeta } from "./meta.ts";
import { presentField, repeatedField, messageTable, omitEmptyField } from "./message-table.ts";
import type { MessageTable } from "./message-table.ts";

const crossVersionObjectReference: MessageTable = messageTable({
  kind: presentField("string", 1),
  name: presentField("string", 2),
  apiVersion: omitEmptyField("string", 3),
});

const metricTarget: MessageTable = messageTable({
  type: presentField("string", 1),
  value: omitEmptyField("quantity", 2),
  averageValue: omitEmptyField("quantity", 3),
  averageUtilization: presentField("int32", 4),
});

const metricIdentifier: MessageTable = messageTable({
  name: presentField("string", 1),
  selector: omitEmptyField(labelSelector, 2),
});

const metricSource: MessageTable = messageTable({
  metric: omitEmptyField(metricIdentifier, 1),
  target: omitEmptyField(metricTarget, 2),
});

const metricSpec: MessageTable = messageTable({
  type: presentField("string", 1),
  object: omitEmptyField(
    messageTable({
      describedObject: omitEmptyField(crossVersionObjectReference, 1),
      target: omitEmptyField(metricTarget, 2),
      metric: omitEmptyField(metricIdentifier, 3),
    }),
    2,
  ),
  pods: omitEmptyField(metricSource, 3),
  resource: omitEmptyField(
    messageTable({ name: presentField("string", 1), target: omitEmptyField(metricTarget, 2) }),
    4,
  ),
  external: omitEmptyField(metricSource, 5),
  containerResource: omitEmptyField(
    messageTable({
      name: presentField("string", 1),
      target: omitEmptyField(metricTarget, 2),
      container: presentField("string", 3),
    }),
    7,
  ),
});

const hpaScalingRules: MessageTable = messageTable({
  selectPolicy: presentField("string", 1),
  policies: repeatedField(
    messageTable({
      type: presentField("string", 1),
      value: presentField("int32", 2),
      periodSeconds: presentField("int32", 3),
    }),
    2,
  ),
  stabilizationWindowSeconds: presentField("int32", 3),
  tolerance: omitEmptyField("quantity", 4),
});

const horizontalPodAutoscalerSpec: MessageTable = messageTable({
  scaleTargetRef: omitEmptyField(crossVersionObjectReference, 1),
  minReplicas: presentField("int32", 2),
  maxReplicas: presentField("int32", 3),
  metrics: repeatedField(metricSpec, 4),
  behavior: omitEmptyField(
    messageTable({ scaleUp: omitEmptyField(hpaScalingRules, 1), scaleDown: omitEmptyField(hpaScalingRules, 2) }),
    5,
  ),
});

const metricValueStatus: MessageTable = messageTable({
  value: omitEmptyField("quantity", 1),
  averageValue: omitEmptyField("quantity", 2),
  averageUtilization: presentField("int32", 3),
});

const metricSourceStatus: MessageTable = messageTable({
  metric: omitEmptyField(metricIdentifier, 1),
  current: omitEmptyField(metricValueStatus, 2),
});

const metricStatus: MessageTable = messageTable({
  type: presentField("string", 1),
  object: omitEmptyField(
    messageTable({
      metric: omitEmptyField(metricIdentifier, 1),
      current: omitEmptyField(metricValueStatus, 2),
      describedObject: omitEmptyField(crossVersionObjectReference, 3),
    }),
    2,
  ),
  pods: omitEmptyField(metricSourceStatus, 3),
  resource: omitEmptyField(
    messageTable({ name: presentField("string", 1), current: omitEmptyField(metricValueStatus, 2) }),
    4,
  ),
  external: omitEmptyField(metricSourceStatus, 5),
  containerResource: omitEmptyField(
    messageTable({
      name: presentField("string", 1),
      current: omitEmptyField(metricValueStatus, 2),
      container: presentField("string", 3),
    }),
    7,
  ),
});

const horizontalPodAutoscalerStatus: MessageTable = messageTable({
  observedGeneration: presentField("int64", 1),
  lastScaleTime: omitEmptyField("time", 2),
  currentReplicas: omitEmptyField("int32", 3),
  desiredReplicas: presentField("int32", 4),
  currentMetrics: repeatedField(metricStatus, 5),
  conditions: repeatedField(
    messageTable({
      type: presentField("string", 1),
      status: presentField("string", 2),
      lastTransitionTime: omitEmptyField("time", 3),
      reason: omitEmptyField("string", 4),
      message: omitEmptyField("string", 5),
    }),
    6,
  ),
});

export const horizontalPodAutoscaler: MessageTable = messageTable({
  metadata: omitEmptyField(objectMeta, 1),
  spec: omitEmptyField(horizontalPodAutoscalerSpec, 2),
  status: omitEmptyField(horizontalPodAutoscalerStatus, 3),
});

/** HorizontalPodAutoscaler of autoscaling/v1, which kubectl up to 1.32 sends: a CPU target instead of metrics. */
export const horizontalPodAutoscalerV1: MessageTable = messageTable({
  metadata: omitEmptyField(objectMeta, 1),
  spec: omitEmptyField(
    messageTable({
      scaleTargetRef: omitEmptyField(crossVersionObjectReference, 1),
      minReplicas: presentField("int32", 2),
      maxReplicas: presentField("int32", 3),
      targetCPUUtilizationPercentage: presentField("int32", 4),
    }),
    2,
  ),
  status: omitEmptyField(
    messageTable({
      observedGeneration: presentField("int64", 1),
      lastScaleTime: omitEmptyField("time", 2),
      currentReplicas: presentField("int32", 3),
      desiredReplicas: presentField("int32", 4),
      currentCPUUtilizationPercentage: presentField("int32", 5),
    }),
    3,
  ),
});
