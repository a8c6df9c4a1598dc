import type { ObjectIn, ObjectSchema } from "../schema/index.ts";
import { builtIn, requiredString, optional, s, optionalString, optionalStrings } from "./field-builders.ts";
import { labelSelector } from "./meta.ts";

const policyRuleFields = {
  verbs: s
    .array(s.string())
    .atomic()
    .describe("Allowed verbs: get, list, watch, create, update, patch, delete, …; * for all."),
  apiGroups: optionalStrings("Groups of the resources; empty text for the core group, * for all."),
  resources: optionalStrings("The resources, such as pods or pods/log; * for all."),
  resourceNames: optionalStrings("Only objects of these names."),
  nonResourceURLs: optionalStrings("Non-resource URLs; only in cluster roles."),
};

/** Verbs that are allowed on resources. */
export interface PolicyRule extends ObjectIn<typeof policyRuleFields> {}

/** The schema of `PolicyRule`. */
export const policyRule: ObjectSchema<PolicyRule, PolicyRule> = s.object(policyRuleFields);

const roleRefFields = {
  apiGroup: s.string().describe("Group of the role.").default("rbac.authorization.k8s.io"),
  kind: s.enum("Role", "ClusterRole").describe("Kind of the role."),
  name: requiredString("Name of the role."),
};

/** The granted role; immutable. */
export interface RoleRef extends ObjectIn<typeof roleRefFields> {}

/** The schema of `RoleRef`. */
export const roleRef: ObjectSchema<RoleRef, RoleRef> = s.object(roleRefFields).atomic();

const subjectFields = {
  kind: s.enum("User", "Group", "ServiceAccount").describe("Kind of the subject."),
  apiGroup: optionalString("Group of the kind; empty for service accounts."),
  name: requiredString("Its name."),
  namespace: optionalString("Namespace of a service account."),
};

/** Subjects that a role is granted to. */
export interface Subject extends ObjectIn<typeof subjectFields> {}

/** The schema of `Subject`. */
export const subject: ObjectSchema<Subject, Subject> = s.object(subjectFields).atomic();

/** Permissions in one namespace. */
export const Role = builtIn({
  group: "rbac.authorization.k8s.io",
  version: "v1",
  kind: "Role",
  description: "Permissions in one namespace.",
  fields: { rules: s.array(policyRule).atomic().describe("The permissions.").nullable().optional() },
});

/** Permissions in the whole cluster, or in the namespaces where it is bound. */
export const ClusterRole = builtIn({
  group: "rbac.authorization.k8s.io",
  version: "v1",
  kind: "ClusterRole",
  description: "Permissions in the whole cluster, or in the namespaces of its RoleBindings.",
  scope: "Cluster",
  fields: {
    rules: s.array(policyRule).atomic().describe("The permissions.").nullable().optional(),
    aggregationRule: optional(
      s.object({ clusterRoleSelectors: optional(s.array(labelSelector).atomic(), "The roles by label.") }),
      "Roles aggregated into this one.",
    ),
  },
});

/** Grants a role in one namespace. */
export const RoleBinding = builtIn({
  group: "rbac.authorization.k8s.io",
  version: "v1",
  kind: "RoleBinding",
  description: "Grants a role in one namespace.",
  fields: {
    roleRef: roleRef.describe("The role."),
    subjects: optional(s.array(subject).atomic(), "Subjects that have the role."),
  },
});

/** Grants a role in the whole cluster. */
export const ClusterRoleBinding = builtIn({
  group: "rbac.authorization.k8s.io",
  version: "v1",
  kind: "ClusterRoleBinding",
  description: "Grants a role in the whole cluster.",
  scope: "Cluster",
  fields: {
    roleRef: roleRef.describe("The role."),
    subjects: optional(s.array(subject).atomic(), "Subjects that have the role."),
  },
});
