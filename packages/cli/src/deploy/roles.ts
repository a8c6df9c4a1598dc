import { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from "@levelset/core";
import type { PolicyRule } from "@levelset/core";
import { policyRules } from "@levelset/operator";
import { file, manifest } from "./base-file.ts";
import type { BaseFile } from "./base-file.ts";
import { labelsOf } from "./base-options.ts";
import type { BaseOptions } from "./base-options.ts";

/** The rights of the operators' service account: one file for the whole cluster, and one for each namespace. */
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
  return file(
    "rbac/cluster.yaml",
    manifest(ClusterRole, { metadata, rules }),
    manifest(ClusterRoleBinding, { metadata, roleRef: roleRef("ClusterRole", options), subjects: subjects(options) }),
  );
}

function role(options: BaseOptions, namespace: string, rules: readonly PolicyRule[]): BaseFile {
  const metadata = { name: roleName(options), namespace, labels: labelsOf(options.name) };
  return file(
    `rbac/namespace-${namespace}.yaml`,
    manifest(Role, { metadata, rules }),
    manifest(RoleBinding, { metadata, roleRef: roleRef("Role", options), subjects: subjects(options) }),
  );
}

/** With the operators' own namespace, so that several installations in a cluster do not share, and take, each other's rights. */
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
