import { labelSelector } from "./meta.ts";
import { presentField, repeatedField, messageTable, omitEmptyField } from "./message-table.ts";
import type { MessageTable } from "./message-table.ts";

const nodeSelectorRequirement: MessageTable = messageTable({
  key: presentField("string", 1),
  operator: presentField("string", 2),
  values: repeatedField("string", 3),
});

const nodeSelectorTerm: MessageTable = messageTable({
  matchExpressions: repeatedField(nodeSelectorRequirement, 1),
  matchFields: repeatedField(nodeSelectorRequirement, 2),
});

const nodeAffinity: MessageTable = messageTable({
  requiredDuringSchedulingIgnoredDuringExecution: omitEmptyField(
    messageTable({ nodeSelectorTerms: repeatedField(nodeSelectorTerm, 1) }),
    1,
  ),
  preferredDuringSchedulingIgnoredDuringExecution: repeatedField(
    messageTable({ weight: presentField("int32", 1), preference: omitEmptyField(nodeSelectorTerm, 2) }),
    2,
  ),
});

const podAffinityTerm: MessageTable = messageTable({
  labelSelector: omitEmptyField(labelSelector, 1),
  namespaces: repeatedField("string", 2),
  topologyKey: presentField("string", 3),
  namespaceSelector: omitEmptyField(labelSelector, 4),
  matchLabelKeys: repeatedField("string", 5),
  mismatchLabelKeys: repeatedField("string", 6),
});

const podAffinity: MessageTable = messageTable({
  requiredDuringSchedulingIgnoredDuringExecution: repeatedField(podAffinityTerm, 1),
  preferredDuringSchedulingIgnoredDuringExecution: repeatedField(
    messageTable({ weight: presentField("int32", 1), podAffinityTerm: omitEmptyField(podAffinityTerm, 2) }),
    2,
  ),
});

export const affinity: MessageTable = messageTable({
  nodeAffinity: omitEmptyField(nodeAffinity, 1),
  podAffinity: omitEmptyField(podAffinity, 2),
  podAntiAffinity: omitEmptyField(podAffinity, 3),
});

export const toleration: MessageTable = messageTable({
  key: omitEmptyField("string", 1),
  operator: omitEmptyField("string", 2),
  value: omitEmptyField("string", 3),
  effect: omitEmptyField("string", 4),
  tolerationSeconds: presentField("int64", 5),
});

export const topologySpreadConstraint: MessageTable = messageTable({
  maxSkew: presentField("int32", 1),
  topologyKey: presentField("string", 2),
  whenUnsatisfiable: presentField("string", 3),
  labelSelector: omitEmptyField(labelSelector, 4),
  minDomains: presentField("int32", 5),
  nodeAffinityPolicy: presentField("string", 6),
  nodeTaintsPolicy: presentField("string", 7),
  matchLabelKeys: repeatedField("string", 8),
});
