import { labelSelector } from "./meta.ts";
import { kept, list, message, one } from "./table.ts";
import type { Message } from "./table.ts";

const nodeSelectorRequirement: Message = message({
  key: kept("string", 1),
  operator: kept("string", 2),
  values: list("string", 3),
});

const nodeSelectorTerm: Message = message({
  matchExpressions: list(nodeSelectorRequirement, 1),
  matchFields: list(nodeSelectorRequirement, 2),
});

const nodeAffinity: Message = message({
  requiredDuringSchedulingIgnoredDuringExecution: one(message({ nodeSelectorTerms: list(nodeSelectorTerm, 1) }), 1),
  preferredDuringSchedulingIgnoredDuringExecution: list(
    message({ weight: kept("int32", 1), preference: one(nodeSelectorTerm, 2) }),
    2,
  ),
});

const podAffinityTerm: Message = message({
  labelSelector: one(labelSelector, 1),
  namespaces: list("string", 2),
  topologyKey: kept("string", 3),
  namespaceSelector: one(labelSelector, 4),
  matchLabelKeys: list("string", 5),
  mismatchLabelKeys: list("string", 6),
});

const podAffinity: Message = message({
  requiredDuringSchedulingIgnoredDuringExecution: list(podAffinityTerm, 1),
  preferredDuringSchedulingIgnoredDuringExecution: list(
    message({ weight: kept("int32", 1), podAffinityTerm: one(podAffinityTerm, 2) }),
    2,
  ),
});

export const affinity: Message = message({
  nodeAffinity: one(nodeAffinity, 1),
  podAffinity: one(podAffinity, 2),
  podAntiAffinity: one(podAffinity, 3),
});

export const toleration: Message = message({
  key: one("string", 1),
  operator: one("string", 2),
  value: one("string", 3),
  effect: one("string", 4),
  tolerationSeconds: kept("int64", 5),
});

export const topologySpreadConstraint: Message = message({
  maxSkew: kept("int32", 1),
  topologyKey: kept("string", 2),
  whenUnsatisfiable: kept("string", 3),
  labelSelector: one(labelSelector, 4),
  minDomains: kept("int32", 5),
  nodeAffinityPolicy: kept("string", 6),
  nodeTaintsPolicy: kept("string", 7),
  matchLabelKeys: list("string", 8),
});
