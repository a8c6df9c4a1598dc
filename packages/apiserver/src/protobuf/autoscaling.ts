import { labelSelector, objectMeta } from "./meta.ts";
import { kept, list, message, one } from "./table.ts";
import type { Message } from "./table.ts";

const crossVersionObjectReference: Message = message({
  kind: kept("string", 1),
  name: kept("string", 2),
  apiVersion: one("string", 3),
});

const metricTarget: Message = message({
  type: kept("string", 1),
  value: one("quantity", 2),
  averageValue: one("quantity", 3),
  averageUtilization: kept("int32", 4),
});

const metricIdentifier: Message = message({ name: kept("string", 1), selector: one(labelSelector, 2) });

const metricSource: Message = message({ metric: one(metricIdentifier, 1), target: one(metricTarget, 2) });

const metricSpec: Message = message({
  type: kept("string", 1),
  object: one(
    message({
      describedObject: one(crossVersionObjectReference, 1),
      target: one(metricTarget, 2),
      metric: one(metricIdentifier, 3),
    }),
    2,
  ),
  pods: one(metricSource, 3),
  resource: one(message({ name: kept("string", 1), target: one(metricTarget, 2) }), 4),
  external: one(metricSource, 5),
  containerResource: one(
    message({ name: kept("string", 1), target: one(metricTarget, 2), container: kept("string", 3) }),
    7,
  ),
});

const hpaScalingRules: Message = message({
  selectPolicy: kept("string", 1),
  policies: list(message({ type: kept("string", 1), value: kept("int32", 2), periodSeconds: kept("int32", 3) }), 2),
  stabilizationWindowSeconds: kept("int32", 3),
  tolerance: one("quantity", 4),
});

const horizontalPodAutoscalerSpec: Message = message({
  scaleTargetRef: one(crossVersionObjectReference, 1),
  minReplicas: kept("int32", 2),
  maxReplicas: kept("int32", 3),
  metrics: list(metricSpec, 4),
  behavior: one(message({ scaleUp: one(hpaScalingRules, 1), scaleDown: one(hpaScalingRules, 2) }), 5),
});

const metricValueStatus: Message = message({
  value: one("quantity", 1),
  averageValue: one("quantity", 2),
  averageUtilization: kept("int32", 3),
});

const metricSourceStatus: Message = message({ metric: one(metricIdentifier, 1), current: one(metricValueStatus, 2) });

const metricStatus: Message = message({
  type: kept("string", 1),
  object: one(
    message({
      metric: one(metricIdentifier, 1),
      current: one(metricValueStatus, 2),
      describedObject: one(crossVersionObjectReference, 3),
    }),
    2,
  ),
  pods: one(metricSourceStatus, 3),
  resource: one(message({ name: kept("string", 1), current: one(metricValueStatus, 2) }), 4),
  external: one(metricSourceStatus, 5),
  containerResource: one(
    message({ name: kept("string", 1), current: one(metricValueStatus, 2), container: kept("string", 3) }),
    7,
  ),
});

const horizontalPodAutoscalerStatus: Message = message({
  observedGeneration: kept("int64", 1),
  lastScaleTime: one("time", 2),
  currentReplicas: one("int32", 3),
  desiredReplicas: kept("int32", 4),
  currentMetrics: list(metricStatus, 5),
  conditions: list(
    message({
      type: kept("string", 1),
      status: kept("string", 2),
      lastTransitionTime: one("time", 3),
      reason: one("string", 4),
      message: one("string", 5),
    }),
    6,
  ),
});

export const horizontalPodAutoscaler: Message = message({
  metadata: one(objectMeta, 1),
  spec: one(horizontalPodAutoscalerSpec, 2),
  status: one(horizontalPodAutoscalerStatus, 3),
});

/** The older form, which kubectl up to 1.32 sends: one target for the processor instead of metrics. */
export const horizontalPodAutoscalerV1: Message = message({
  metadata: one(objectMeta, 1),
  spec: one(
    message({
      scaleTargetRef: one(crossVersionObjectReference, 1),
      minReplicas: kept("int32", 2),
      maxReplicas: kept("int32", 3),
      targetCPUUtilizationPercentage: kept("int32", 4),
    }),
    2,
  ),
  status: one(
    message({
      observedGeneration: kept("int64", 1),
      lastScaleTime: one("time", 2),
      currentReplicas: kept("int32", 3),
      desiredReplicas: kept("int32", 4),
      currentCPUUtilizationPercentage: kept("int32", 5),
    }),
    3,
  ),
});
