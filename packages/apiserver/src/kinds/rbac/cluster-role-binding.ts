import { ClusterRoleBinding } from "@levelset/core";
import { pathSegmentProblems, builtinResource } from "../../resource/index.ts";
import type { KindStrategy, Resource } from "../../resource/index.ts";
import { bindingErrors, withBindingDefaults, bindingPrinter } from "./role-binding.ts";

/** Strategy of ClusterRoleBindings: the roleRef must be a ClusterRole and is immutable. */
const clusterRoleBindingStrategy: KindStrategy = {
  nameProblems: (name) => pathSegmentProblems(name),
  defaults: withBindingDefaults,
  validate: (object, old) => bindingErrors(object, old, ["ClusterRole"]),
};

/** ClusterRoleBindings. */
export const clusterRoleBindingResource: Resource = builtinResource({
  kind: ClusterRoleBinding,
  strategy: clusterRoleBindingStrategy,
  printer: bindingPrinter,
});
