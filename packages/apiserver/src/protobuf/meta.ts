import { kept, list, map, message, one } from "./table.ts";
import type { Message } from "./table.ts";

const ownerReference: Message = message({
  kind: kept("string", 1),
  name: kept("string", 3),
  uid: kept("string", 4),
  apiVersion: kept("string", 5),
  controller: kept("bool", 6),
  blockOwnerDeletion: kept("bool", 7),
});

export const objectMeta: Message = message({
  name: one("string", 1),
  generateName: one("string", 2),
  namespace: one("string", 3),
  selfLink: one("string", 4),
  uid: one("string", 5),
  resourceVersion: one("string", 6),
  generation: one("int64", 7),
  creationTimestamp: one("time", 8),
  deletionTimestamp: one("time", 9),
  deletionGracePeriodSeconds: kept("int64", 10),
  labels: map("string", 11),
  annotations: map("string", 12),
  ownerReferences: list(ownerReference, 13),
  finalizers: list("string", 14),
});

export const objectReference: Message = message({
  kind: one("string", 1),
  namespace: one("string", 2),
  name: one("string", 3),
  uid: one("string", 4),
  apiVersion: one("string", 5),
  resourceVersion: one("string", 6),
  fieldPath: one("string", 7),
});

export const localObjectReference: Message = message({ name: one("string", 1) });

export const condition: Message = message({
  type: kept("string", 1),
  status: kept("string", 2),
  observedGeneration: one("int64", 3),
  lastTransitionTime: one("time", 4),
  reason: kept("string", 5),
  message: kept("string", 6),
});

export const selectorRequirement: Message = message({
  key: kept("string", 1),
  operator: kept("string", 2),
  values: list("string", 3),
});

export const labelSelector: Message = message({
  matchLabels: map("string", 1),
  matchExpressions: list(selectorRequirement, 2),
});

export const deleteOptions: Message = message({
  gracePeriodSeconds: kept("int64", 1),
  preconditions: one(message({ uid: kept("string", 1), resourceVersion: kept("string", 2) }), 2),
  orphanDependents: kept("bool", 3),
  propagationPolicy: kept("string", 4),
  dryRun: list("string", 5),
  ignoreStoreReadErrorWithClusterBreakingPotential: kept("bool", 6),
});
