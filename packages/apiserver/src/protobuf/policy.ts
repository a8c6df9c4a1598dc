import { condition, labelSelector, objectMeta } from "./meta.ts";
import { kept, list, map, message, one } from "./table.ts";
import type { Message } from "./table.ts";

const podDisruptionBudgetStatus: Message = message({
  observedGeneration: one("int64", 1),
  disruptedPods: map("time", 2),
  disruptionsAllowed: kept("int32", 3),
  currentHealthy: kept("int32", 4),
  desiredHealthy: kept("int32", 5),
  expectedPods: kept("int32", 6),
  conditions: list(condition, 7),
});

export const podDisruptionBudget: Message = message({
  metadata: one(objectMeta, 1),
  spec: one(
    message({
      minAvailable: kept("intOrString", 1),
      selector: one(labelSelector, 2),
      maxUnavailable: kept("intOrString", 3),
      unhealthyPodEvictionPolicy: kept("string", 4),
    }),
    2,
  ),
  status: one(podDisruptionBudgetStatus, 3),
});

export const priorityClass: Message = message({
  metadata: one(objectMeta, 1),
  value: kept("int32", 2),
  globalDefault: one("bool", 3),
  description: one("string", 4),
  preemptionPolicy: kept("string", 5),
});

const leaseSpec: Message = message({
  holderIdentity: kept("string", 1),
  leaseDurationSeconds: kept("int32", 2),
  acquireTime: one("microTime", 3),
  renewTime: one("microTime", 4),
  leaseTransitions: kept("int32", 5),
  strategy: kept("string", 6),
  preferredHolder: kept("string", 7),
});

export const lease: Message = message({ metadata: one(objectMeta, 1), spec: one(leaseSpec, 2) });
