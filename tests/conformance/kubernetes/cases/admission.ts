import { expectError } from "../suite/case-response.ts";
import { group } from "../suite/case.ts";
import type { Case } from "../suite/case.ts";
import { valueAt } from "../suite/match.ts";
import { createPod, podSpec } from "../suite/objects.ts";
import type { CaseContext } from "../suite/case-context.ts";
import { eventually } from "../../../support/eventually.ts";

async function tokenOf(t: CaseContext, name: string): Promise<string> {
  await t.create("serviceaccounts", { metadata: { name } });
  const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
  return (await t.send("POST", `serviceaccounts/${name}/token`, { body })).str("status.token");
}

/** Admission and authorization beyond the validation of single objects. */
export const ADMISSION: readonly Case[] = group("admission", "requests", [
  [
    "a service account without a role is forbidden to read",
    "docs: RBAC",
    async (t) => {
      const authorization = `Bearer ${await tokenOf(t, "a")}`;
      await expectError(t.send("GET", "configmaps", { headers: { authorization } }), 403, "Forbidden", {
        message: `configmaps is forbidden: User "system:serviceaccount:${t.namespace}:a" cannot list resource "configmaps" in API group "" in the namespace "${t.namespace}"`,
      });
    },
  ],
  [
    "a role allows a service account to read the listed resources",
    "docs: RBAC",
    async (t) => {
      const authorization = `Bearer ${await tokenOf(t, "a")}`;
      await t.create("roles", {
        metadata: { name: "r" },
        rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["list"] }],
      });
      await t.create("rolebindings", {
        metadata: { name: "r" },
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "r" },
        subjects: [{ kind: "ServiceAccount", name: "a", namespace: t.namespace }],
      });
      await eventually(
        "the list is allowed",
        async () => (await t.send("GET", "configmaps", { headers: { authorization } })).status === 200,
      );
      await expectError(t.send("GET", "secrets", { headers: { authorization } }), 403, "Forbidden");
    },
  ],
  [
    "a quota rejects requests that exceed it",
    "docs: resource quotas",
    async (t) => {
      await t.create("resourcequotas", { metadata: { name: "q" }, spec: { hard: { "count/secrets": "1" } } });
      await eventually(
        "it is counted",
        async () => valueAt((await t.get("resourcequotas/q")).json, "status.used") !== undefined,
      );
      await t.create("secrets", { metadata: { name: "a" } });
      // The quota controller may be busy for a moment.
      await eventually("the first is counted", async () => {
        const used = valueAt((await t.get("resourcequotas/q")).json, "status.used");
        return JSON.stringify(used) === '{"count/secrets":"1"}';
      });
      await expectError(t.create("secrets", { metadata: { name: "b" } }), 403, "Forbidden", {
        message: /exceeded quota: q, requested: count\/secrets=1, used: count\/secrets=1, limited: count\/secrets=1/u,
      });
    },
  ],
  [
    "a limit range sets default resources of containers",
    "docs: limit ranges",
    async (t) => {
      await t.create("limitranges", {
        metadata: { name: "l" },
        spec: {
          limits: [{ type: "Container", default: { cpu: "1" }, defaultRequest: { cpu: "500m" }, max: { cpu: "2" } }],
        },
      });
      await eventually("it applies", async () => {
        const response = await createPod(t, t.unique(`p${Date.now()}`));
        return (
          valueAt(response.json, "spec.containers.0.resources.limits.cpu") === "1" &&
          valueAt(response.json, "spec.containers.0.resources.requests.cpu") === "500m"
        );
      });
      const containers = [{ name: "a", image: "a:1", resources: { limits: { cpu: "3" } } }];
      await expectError(
        t.create("pods", { metadata: { name: "big" }, spec: podSpec({ containers }) }),
        403,
        "Forbidden",
        {
          message: /maximum cpu usage per Container is 2, but limit is 3/u,
        },
      );
    },
  ],
  [
    "a pod gets the priority of its class, and an unknown class is rejected",
    "docs: pod priority; Priority admission",
    async (t) => {
      await t.create("priorityclasses", { metadata: { name: t.unique("p") }, value: 7 });
      (await createPod(t, "a", { priorityClassName: t.unique("p") })).expectShape({ spec: { priority: 7 } });
      await expectError(
        t.create("pods", { metadata: { name: "b" }, spec: podSpec({ priorityClassName: "absent" }) }),
        403,
        "Forbidden",
        { message: /no PriorityClass with name absent was found/u },
      );
    },
  ],
  [
    "a pod uses the service account default unless another one is set",
    "apiserver: ServiceAccount admission",
    async (t) => {
      (await createPod(t, "a")).expectShape({ spec: { serviceAccountName: "default", serviceAccount: "default" } });
    },
  ],
  [
    "a token of the service account is mounted into a pod",
    "docs: service accounts, bound token volumes",
    async (t) => {
      const response = await createPod(t, "a", { automountServiceAccountToken: true });
      response.expectShape({
        spec: {
          volumes: [{ name: /^kube-api-access-\w{5}$/u, projected: { defaultMode: 420 } }],
          containers: [
            { volumeMounts: [{ mountPath: "/var/run/secrets/kubernetes.io/serviceaccount", readOnly: true }] },
          ],
        },
      });
    },
  ],
  [
    "a pod with a missing service account is forbidden",
    "apiserver: ServiceAccount admission",
    async (t) => {
      await createPod(t, "first");
      await expectError(
        t.create("pods", { metadata: { name: "a" }, spec: podSpec({ serviceAccountName: "absent" }) }),
        403,
        "Forbidden",
        {
          message: /error looking up service account .*\/absent: serviceaccount "absent" not found/u,
        },
      );
    },
  ],
  [
    "a validating admission policy rejects requests that violate its expression",
    "docs: validating admission policy",
    async (t) => {
      const name = t.unique("policy");
      const resourceRules = [
        { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] },
      ];
      const namespaceSelector = { matchLabels: { "kubernetes.io/metadata.name": t.namespace } };
      await t.create("validatingadmissionpolicies", {
        metadata: { name },
        spec: {
          matchConstraints: { resourceRules, namespaceSelector },
          validations: [{ expression: "object.metadata.name.startsWith('good')", message: "be good" }],
        },
      });
      await t.create("validatingadmissionpolicybindings", {
        metadata: { name },
        spec: { policyName: name, validationActions: ["Deny"] },
      });
      await eventually("it is enforced", async () => {
        const response = await t.send("POST", "configmaps", {
          body: { metadata: { generateName: "bad-" } },
          query: { dryRun: "All" },
        });
        return response.status === 422 && response.expectShape({ message: /denied request: be good/u });
      });
      (await t.create("configmaps", { metadata: { name: "good" } })).expectStatus(201);
    },
  ],
]);
