import { condition, labelSelector, objectMeta } from "./meta.ts";
import { presentField, repeatedField, mapField, messageTable, omitEmptyField } from "./message-table.ts";
import type { MessageTable } from "./message-table.ts";

const podDisruptionBudgetStatus: MessageTable = messageTable({
  observedGeneration: omitEmptyField("int64", 1),
  disruptedPods: mapField("time", 2),
  disruptionsAllowed: presentField("int32", 3),
  currentHealthy: presentField("int32", 4),
  desiredHealthy: presentField("int32", 5),
  expectedPods: presentField("int32", 6),
  conditions: repeatedField(condition, 7),
});

export const podDisruptionBudget: MessageTable = messageTable({
  metadata: omitEmptyField(objectMeta, 1),
  spec: omitEmptyField(
    messageTable({
      minAvailable: presentField("intOrString", 1),
      selector: omitEmptyField(labelSelector, 2),
      maxUnavailable: presentField("intOrString", 3),
      unhealthyPodEvictionPolicy: presentField("string", 4),
    }),
    2,
  ),
  status: omitEmptyField(podDisruptionBudgetStatus, 3),
});

export const priorityClass: MessageTable = messageTable({
  metadata: omitEmptyField(objectMeta, 1),
  value: presentField("int32", 2),
  globalDefault: omitEmptyField("bool", 3),
  description: omitEmptyField("string", 4),
  preemptionPolicy: presentField("string", 5),
});

const leaseSpec: MessageTable = messageTable({
  holderIdentity: presentField("string", 1),
  leaseDurationSeconds: presentField("int32", 2),
  acquireTime: omitEmptyField("microTime", 3),
  renewTime: omitEmptyField("microTime", 4),
  leaseTransitions: presentField("int32", 5),
  strategy: presentField("string", 6),
  preferredHolder: presentField("string", 7),
});

export const lease: MessageTable = messageTable({
  metadata: omitEmptyField(objectMeta, 1),
  spec: omitEmptyField(leaseSpec, 2),
});
