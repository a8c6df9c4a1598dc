import type { JsonObject, JsonValue } from "@levelset/core";
import type { Case } from "./runner.ts";

const RBAC = "rbac.authorization.k8s.io";

function rbac(kind: string, name: string, fields: JsonObject = {}): JsonObject {
  return { apiVersion: `${RBAC}/v1`, kind, metadata: { name }, ...fields };
}

const rule: JsonObject = { apiGroups: [""], resources: ["pods"], verbs: ["get"] };
const role = (name: string, rules: JsonValue): JsonObject => rbac("Role", name, { rules });
const roleRef: JsonObject = { apiGroup: RBAC, kind: "Role", name: "r" };
const binding = (name: string, fields: JsonObject): JsonObject => rbac("RoleBinding", name, { roleRef, ...fields });

const ROLES: readonly Case[] = [
  { name: "a role", body: role("a", [rule]) },
  { name: "a role without rules", body: rbac("Role", "a") },
  { name: "a role with a colon in its name", body: role("system:a", [rule]) },
  { name: "a role with a slash in its name", body: role("a/b", [rule]) },
  { name: "a rule without verbs", body: role("a", [{ apiGroups: [""], resources: ["pods"] }]) },
  { name: "a rule without resources", body: role("a", [{ verbs: ["get"] }]) },
  { name: "a role with non-resource URLs", body: role("a", [{ verbs: ["get"], nonResourceURLs: ["/healthz"] }]) },
  {
    name: "a rule with resources and URLs",
    body: rbac("ClusterRole", "a", { rules: [{ ...rule, nonResourceURLs: ["/x"] }] }),
  },
  {
    name: "a cluster role with non-resource URLs",
    body: rbac("ClusterRole", "a", { rules: [{ verbs: ["get"], nonResourceURLs: ["/x"] }] }),
  },
  {
    name: "an aggregated cluster role",
    body: rbac("ClusterRole", "a", { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: "b" } }] } }),
  },
  { name: "an aggregated cluster role without selectors", body: rbac("ClusterRole", "a", { aggregationRule: {} }) },
  {
    name: "a cluster role with a bad selector",
    body: rbac("ClusterRole", "a", { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { "a b": "c d" } }] } }),
  },
  {
    name: "a role that changes",
    body: role("changes", [rule]),
    changes: [{ merge: { rules: [{ ...rule, verbs: [] }] } }, { merge: { rules: null } }],
  },
];

const BINDINGS: readonly Case[] = [
  { name: "a binding of a user", body: binding("a", { subjects: [{ kind: "User", name: "jane" }] }) },
  {
    name: "a binding of all subject kinds",
    body: binding("a", {
      subjects: [
        { kind: "Group", name: "g" },
        { kind: "ServiceAccount", name: "s", namespace: "n" },
        { kind: "ServiceAccount", name: "s" },
      ],
    }),
  },
  { name: "a binding without subjects", body: binding("a", {}) },
  {
    name: "a binding without the group of its role",
    body: binding("a", { roleRef: { kind: "ClusterRole", name: "r" } }),
  },
  { name: "a binding without a role", body: rbac("RoleBinding", "a") },
  {
    name: "a binding of an unknown kind of role",
    body: binding("a", { roleRef: { kind: "Power", name: "r", apiGroup: "x" } }),
  },
  { name: "a binding of a role without a name", body: binding("a", { roleRef: { kind: "Role", name: "" } }) },
  { name: "a binding of an unknown kind of subject", body: binding("a", { subjects: [{ kind: "Robot", name: "r" }] }) },
  { name: "a subject without a name", body: binding("a", { subjects: [{ kind: "User", name: "" }] }) },
  {
    name: "a service account in a group",
    body: binding("a", { subjects: [{ kind: "ServiceAccount", name: "S_", apiGroup: "x" }] }),
  },
  { name: "a user in another group", body: binding("a", { subjects: [{ kind: "User", name: "u", apiGroup: "x" }] }) },
  { name: "a cluster binding of a role", body: rbac("ClusterRoleBinding", "a", { roleRef }) },
  {
    name: "a cluster binding of an account without a namespace",
    body: rbac("ClusterRoleBinding", "a", {
      roleRef: { ...roleRef, kind: "ClusterRole" },
      subjects: [{ kind: "ServiceAccount", name: "s" }],
    }),
  },
  {
    name: "the role reference is immutable",
    body: binding("stays", { subjects: [{ kind: "User", name: "u" }] }),
    changes: [{ merge: { roleRef: { name: "other" } } }, { merge: { subjects: null } }],
    messageDifference: "kube-apiserver prints a Go struct",
  },
];

const lease = (name: string, spec: JsonObject): JsonObject => ({
  apiVersion: "coordination.k8s.io/v1",
  kind: "Lease",
  metadata: { name },
  spec,
});
const priority = (name: string, fields: JsonObject): JsonObject => ({
  apiVersion: "scheduling.k8s.io/v1",
  kind: "PriorityClass",
  metadata: { name },
  ...fields,
});

const OTHERS: readonly Case[] = [
  {
    name: "a lease",
    body: lease("a", {
      holderIdentity: "me",
      leaseDurationSeconds: 15,
      leaseTransitions: 0,
      renewTime: "2026-01-01T00:00:00.000000Z",
    }),
  },
  {
    name: "a lease without a spec",
    body: { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name: "a" } },
  },
  {
    name: "a lease with bad numbers",
    body: lease("a", { leaseDurationSeconds: 0, leaseTransitions: -1 }),
    messageDifference: "kube-apiserver prints a pointer",
  },
  { name: "a lease with a strategy", body: lease("a", { strategy: "Luck", preferredHolder: "me" }) },
  { name: "a lease with a preferred holder only", body: lease("a", { preferredHolder: "me" }) },
  {
    name: "a lease that is renewed",
    body: lease("renewed", { holderIdentity: "me" }),
    changes: [{ merge: { spec: { holderIdentity: "you", leaseTransitions: 1 } } }],
  },
  { name: "a priority class", body: priority("a", { value: 7, description: "low" }) },
  { name: "a priority class without a value", body: priority("a", {}) },
  { name: "a priority class above the maximum", body: priority("a", { value: 1_000_000_001 }) },
  { name: "a priority class of the system", body: priority("system-a", { value: 7 }) },
  { name: "a known class of the system with another value", body: priority("system-node-critical", { value: 7 }) },
  { name: "a priority class with an unknown policy", body: priority("a", { value: 7, preemptionPolicy: "Always" }) },
  {
    name: "the priority is immutable",
    body: priority("stays", { value: 7 }),
    changes: [
      { merge: { value: 8 } },
      { merge: { preemptionPolicy: "Never" } },
      { merge: { description: "x", globalDefault: true } },
    ],
    messageDifference: "kube-apiserver prints a pointer",
  },
];

/** Roles, leases and priority classes. */
export const RBAC_CASES: readonly Case[] = [...ROLES, ...BINDINGS, ...OTHERS];
