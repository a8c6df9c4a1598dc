import { builtIn, s, optional } from "../field-builders.ts";
import { roleRef, subject } from "./role-binding.ts";

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
