import type { ObjectIn, ObjectSchema } from "../schema/index.ts";
import { builtIn, given, optional, s, text, texts } from "./field.ts";
import { labelSelector } from "./meta.ts";

const policyRuleFields = {
  verbs: s
    .array(s.string())
    .atomic()
    .describe("What may be done: get, list, watch, create, update, patch, delete, …; * for all."),
  apiGroups: texts("Groups of the resources; empty text for the core group, * for all."),
  resources: texts("The resources, such as pods or pods/log; * for all."),
  resourceNames: texts("Only objects of these names."),
  nonResourceURLs: texts("Paths that are no resources; only in cluster roles."),
};

/** What may be done to what. */
export interface PolicyRule extends ObjectIn<typeof policyRuleFields> {}

/** The schema of `PolicyRule`. */
export const policyRule: ObjectSchema<PolicyRule, PolicyRule> = s.object(policyRuleFields);

const roleRefFields = {
  apiGroup: s.string().describe("Group of the role.").default("rbac.authorization.k8s.io"),
  kind: s.enum("Role", "ClusterRole").describe("Kind of the role."),
  name: given("Name of the role."),
};

/** The role that is granted; cannot be changed. */
export interface RoleRef extends ObjectIn<typeof roleRefFields> {}

/** The schema of `RoleRef`. */
export const roleRef: ObjectSchema<RoleRef, RoleRef> = s.object(roleRefFields).atomic();

const subjectFields = {
  kind: s.enum("User", "Group", "ServiceAccount").describe("What it is."),
  apiGroup: text("Group of the kind; empty for service accounts."),
  name: given("Its name."),
  namespace: text("Namespace of a service account."),
};

/** Whom a role is granted to. */
export interface Subject extends ObjectIn<typeof subjectFields> {}

/** The schema of `Subject`. */
export const subject: ObjectSchema<Subject, Subject> = s.object(subjectFields).atomic();

/** Rights in one namespace. */
export const Role = builtIn({
  group: "rbac.authorization.k8s.io",
  version: "v1",
  kind: "Role",
  description: "Rights in one namespace.",
  fields: { rules: s.array(policyRule).atomic().describe("The rights.").nullable().optional() },
});

/** Rights in the whole cluster, or in any namespace it is bound in. */
export const ClusterRole = builtIn({
  group: "rbac.authorization.k8s.io",
  version: "v1",
  kind: "ClusterRole",
  description: "Rights in the whole cluster, or in any namespace it is bound in.",
  scope: "Cluster",
  fields: {
    rules: s.array(policyRule).atomic().describe("The rights.").nullable().optional(),
    aggregationRule: optional(
      s.object({ clusterRoleSelectors: optional(s.array(labelSelector).atomic(), "The roles by label.") }),
      "Other roles whose rights are put together here.",
    ),
  },
});

/** Grants a role in one namespace. */
export const RoleBinding = builtIn({
  group: "rbac.authorization.k8s.io",
  version: "v1",
  kind: "RoleBinding",
  description: "Grants a role in one namespace.",
  fields: { roleRef: roleRef.describe("The role."), subjects: optional(s.array(subject).atomic(), "Who gets it.") },
});

/** Grants a role in the whole cluster. */
export const ClusterRoleBinding = builtIn({
  group: "rbac.authorization.k8s.io",
  version: "v1",
  kind: "ClusterRoleBinding",
  description: "Grants a role in the whole cluster.",
  scope: "Cluster",
  fields: { roleRef: roleRef.describe("The role."), subjects: optional(s.array(subject).atomic(), "Who gets it.") },
});
