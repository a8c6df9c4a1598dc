import { builtIn, s, optional } from "../field-builders.ts";
import { labelSelector } from "../meta.ts";
import { policyRule } from "./role.ts";

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
