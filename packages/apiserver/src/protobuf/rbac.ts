import { labelSelector, objectMeta } from "./meta.ts";
import { kept, list, message, one } from "./table.ts";
import type { Message } from "./table.ts";

const policyRule: Message = message({
  verbs: list("string", 1),
  apiGroups: list("string", 2),
  resources: list("string", 3),
  resourceNames: list("string", 4),
  nonResourceURLs: list("string", 5),
});

export const role: Message = message({ metadata: one(objectMeta, 1), rules: list(policyRule, 2) });

const subject: Message = message({
  kind: kept("string", 1),
  apiGroup: one("string", 2),
  name: kept("string", 3),
  namespace: one("string", 4),
});

const roleRef: Message = message({ apiGroup: kept("string", 1), kind: kept("string", 2), name: kept("string", 3) });

export const roleBinding: Message = message({
  metadata: one(objectMeta, 1),
  subjects: list(subject, 2),
  roleRef: one(roleRef, 3),
});

export const clusterRole: Message = message({
  metadata: one(objectMeta, 1),
  rules: list(policyRule, 2),
  aggregationRule: one(message({ clusterRoleSelectors: list(labelSelector, 1) }), 3),
});

export const clusterRoleBinding: Message = message({
  metadata: one(objectMeta, 1),
  subjects: list(subject, 2),
  roleRef: one(roleRef, 3),
});
