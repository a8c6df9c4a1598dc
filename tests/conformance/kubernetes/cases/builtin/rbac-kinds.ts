import { expectError } from "../../suite/case-response.ts";
import { group } from "../../suite/case.ts";
import type { Case } from "../../suite/case.ts";

const RULES = [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }];

const ROLE = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "a" };

/** Kinds of the group rbac.authorization.k8s.io. */
export const RBAC_KINDS: readonly Case[] = group("other kinds", "requests", [
  [
    "Role: rules need verbs, and API groups with resources",
    "rbac: ValidatePolicyRule",
    async (t) => {
      await expectError(
        t.create("roles", { metadata: { name: "a" }, rules: [{ resources: ["pods"] }] }),
        422,
        "Invalid",
        {
          causes: ["rules[0].verbs: FieldValueRequired", "rules[0].apiGroups: FieldValueRequired"],
        },
      );
    },
  ],
  [
    "ClusterRole: URLs are allowed, and aggregation rules",
    "rbac: ValidateClusterRole",
    async (t) => {
      const name = t.unique("r");
      (
        await t.create("clusterroles", { metadata: { name }, rules: [{ nonResourceURLs: ["/x"], verbs: ["get"] }] })
      ).expectStatus(201);
      await expectError(
        t.create("roles", { metadata: { name: "a" }, rules: [{ nonResourceURLs: ["/x"], verbs: ["get"] }] }),
        422,
        "Invalid",
      );
    },
  ],
  [
    "RoleBinding: the role is immutable, the API group of subjects is defaulted",
    "rbac: ValidateRoleBindingUpdate, SetDefaults_Subject",
    async (t) => {
      await t.create("roles", { metadata: { name: "a" }, rules: RULES });
      (
        await t.create("rolebindings", {
          metadata: { name: "a" },
          roleRef: { kind: "Role", name: "a" },
          subjects: [{ kind: "User", name: "u" }],
        })
      ).expectShape({
        roleRef: ROLE,
        subjects: [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name: "u" }],
      });
      await expectError(t.patch("merge", "rolebindings/a", { roleRef: { ...ROLE, name: "b" } }), 422, "Invalid", {
        causes: ["roleRef: FieldValueInvalid"],
        message: /cannot change roleRef/u,
      });
    },
  ],
  [
    "ClusterRoleBinding: a service account needs its namespace",
    "rbac: ValidateRoleBindingSubject",
    async (t) => {
      const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" };
      await expectError(
        t.create("clusterrolebindings", {
          metadata: { name: t.unique("b") },
          roleRef,
          subjects: [{ kind: "ServiceAccount", name: "s" }],
        }),
        422,
        "Invalid",
        {
          causes: ["subjects[0].namespace: FieldValueRequired"],
        },
      );
    },
  ],
]);
