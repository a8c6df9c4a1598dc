import { labelSelector, objectMeta } from "./meta.ts";
import { presentField, repeatedField, messageTable, omitEmptyField } from "./message-table.ts";
import type { MessageTable } from "./message-table.ts";

const policyRule: MessageTable = messageTable({
  verbs: repeatedField("string", 1),
  apiGroups: repeatedField("string", 2),
  resources: repeatedField("string", 3),
  resourceNames: repeatedField("string", 4),
  nonResourceURLs: repeatedField("string", 5),
});

export const role: MessageTable = messageTable({
  metadata: omitEmptyField(objectMeta, 1),
  rules: repeatedField(policyRule, 2),
});

const subject: MessageTable = messageTable({
  kind: presentField("string", 1),
  apiGroup: omitEmptyField("string", 2),
  name: presentField("string", 3),
  namespace: omitEmptyField("string", 4),
});

const roleRef: MessageTable = messageTable({
  apiGroup: presentField("string", 1),
  kind: presentField("string", 2),
  name: presentField("string", 3),
});

export const roleBinding: MessageTable = messageTable({
  metadata: omitEmptyField(objectMeta, 1),
  subjects: repeatedField(subject, 2),
  roleRef: omitEmptyField(roleRef, 3),
});

export const clusterRole: MessageTable = messageTable({
  metadata: omitEmptyField(objectMeta, 1),
  rules: repeatedField(policyRule, 2),
  aggregationRule: omitEmptyField(messageTable({ clusterRoleSelectors: repeatedField(labelSelector, 1) }), 3),
});

export const clusterRoleBinding: MessageTable = messageTable({
  metadata: omitEmptyField(objectMeta, 1),
  subjects: repeatedField(subject, 2),
  roleRef: omitEmptyField(roleRef, 3),
});
