import { presentField, repeatedField, mapField, messageTable, omitEmptyField } from "./message-table.ts";
import type { MessageTable } from "./message-table.ts";

const ownerReference: MessageTable = messageTable({
  kind: presentField("string", 1),
  name: presentField("string", 3),
  uid: presentField("string", 4),
  apiVersion: presentField("string", 5),
  controller: presentField("bool", 6),
  blockOwnerDeletion: presentField("bool", 7),
});

export const objectMeta: MessageTable = messageTable({
  name: omitEmptyField("string", 1),
  generateName: omitEmptyField("string", 2),
  namespace: omitEmptyField("string", 3),
  selfLink: omitEmptyField("string", 4),
  uid: omitEmptyField("string", 5),
  resourceVersion: omitEmptyField("string", 6),
  generation: omitEmptyField("int64", 7),
  creationTimestamp: omitEmptyField("time", 8),
  deletionTimestamp: omitEmptyField("time", 9),
  deletionGracePeriodSeconds: presentField("int64", 10),
  labels: mapField("string", 11),
  annotations: mapField("string", 12),
  ownerReferences: repeatedField(ownerReference, 13),
  finalizers: repeatedField("string", 14),
});

export const objectReference: MessageTable = messageTable({
  kind: omitEmptyField("string", 1),
  namespace: omitEmptyField("string", 2),
  name: omitEmptyField("string", 3),
  uid: omitEmptyField("string", 4),
  apiVersion: omitEmptyField("string", 5),
  resourceVersion: omitEmptyField("string", 6),
  fieldPath: omitEmptyField("string", 7),
});

export const localObjectReference: MessageTable = messageTable({ name: omitEmptyField("string", 1) });

export const condition: MessageTable = messageTable({
  type: presentField("string", 1),
  status: presentField("string", 2),
  observedGeneration: omitEmptyField("int64", 3),
  lastTransitionTime: omitEmptyField("time", 4),
  reason: presentField("string", 5),
  message: presentField("string", 6),
});

export const selectorRequirement: MessageTable = messageTable({
  key: presentField("string", 1),
  operator: presentField("string", 2),
  values: repeatedField("string", 3),
});

export const labelSelector: MessageTable = messageTable({
  matchLabels: mapField("string", 1),
  matchExpressions: repeatedField(selectorRequirement, 2),
});

export const deleteOptions: MessageTable = messageTable({
  gracePeriodSeconds: presentField("int64", 1),
  preconditions: omitEmptyField(
    messageTable({ uid: presentField("string", 1), resourceVersion: presentField("string", 2) }),
    2,
  ),
  orphanDependents: presentField("bool", 3),
  propagationPolicy: presentField("string", 4),
  dryRun: repeatedField("string", 5),
  ignoreStoreReadErrorWithClusterBreakingPotential: presentField("bool", 6),
});
