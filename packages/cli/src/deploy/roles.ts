import { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from "@levelset/core";
import type { PolicyRule } from "@levelset/core";
import { policyRules } from "@levelset/operator";
import { baseFile, baseManifest } from "./base-file.ts";
import type { BaseFile } from "./base-file.ts";
import { labelsOf } from "./base-options.ts";
import type { BaseOptions } from "./base-options.ts";

/** Returns the RBAC of the service account: one file for the cluster, and one for each namespace. */
export function roles(options: BaseOptions): readonly BaseFile[] {
  const { operators, name, namespace, namespaces, installCrds } = options;
  const rules = policyRules(operators, { namespaces, installCrds, lease: { namespace, name } });
  return [
    ...(rules.cluster.length === 0 ? [] : [clusterRole(options, rules.cluster)]),
    ...Object.entries(rules.namespaced).map(([where, granted]) => role(options, where, granted)),
  ];
}

function clusterRole(options: BaseOptions, rules: readonly PolicyRule[]): BaseFile {
  const metadata = { name: roleName(options), labels: labelsOf(options.name) };
  return baseFile(
    "rbac/cluster.yaml",
    baseManifest(ClusterRole, { metadata, rules }),
    baseManifest(ClusterRoleBinding, {
      metadata,
      roleRef: roleRef("ClusterRole", options),
      subjects: subjects(options),
    }),
  );
}

function role(options: BaseOptions, namespace: string, rules: readonly PolicyRule[]): BaseFile {
  const metadata = { name: roleName(options), namespace, labels: labelsOf(options.name) };
  return baseFile(
    `rbac/namespace-${namespace}.yaml`,
    baseManifest(Role, { metadata, rules }),
    baseManifest(RoleBinding, { metadata, roleRef: roleRef("Role", options), subjects: subjects(options) }),
  );
}

/**
 * Returns a name with the namespace, so that several installations in a cluster do not overwrite each other's roles.
 */
function roleName({ name, namespace }: BaseOptions): string {
  return `${namespace}:${name}`;
}

function roleRef<K extends "Role" | "ClusterRole">(
  kind: K,
  options: BaseOptions,
): { readonly apiGroup: string; readonly kind: K; readonly name: string } {
  return { apiGroup: ClusterRole.group, kind, name: roleName(options) };
}

function subjects({
  name,
  namespace,
}: BaseOptions): readonly { kind: "ServiceAccount"; name: string; namespace: string }[] {
  return [{ kind: "ServiceAccount", name, namespace }];
}
