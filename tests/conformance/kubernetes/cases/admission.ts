import { refused } from "../suite/answer.ts";
import { group } from "../suite/case.ts";
import type { Case } from "../suite/case.ts";
import { at } from "../suite/match.ts";
import { createPod, podSpec } from "../suite/objects.ts";
import type { Scene } from "../suite/scene.ts";
import { until } from "../suite/until.ts";

async function tokenOf(t: Scene, name: string): Promise<string> {
  await t.create("serviceaccounts", { metadata: { name } });
  const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
  return (await t.send("POST", `serviceaccounts/${name}/token`, { body })).str("status.token");
}

/** What is checked or changed by more than an object's own rules. */
export const ADMISSION: readonly Case[] = group("admission", "requests", [
  [
    "a service account without a role is forbidden to read",
    "docs: RBAC",
    async (t) => {
      const authorization = `Bearer ${await tokenOf(t, "a")}`;
      await refused(t.send("GET", "configmaps", { headers: { authorization } }), 403, "Forbidden", {
        message: `configmaps is forbidden: User "system:serviceaccount:${t.namespace}:a" cannot list resource "configmaps" in API group "" in the namespace "${t.namespace}"`,
      });
    },
  ],
  [
    "a role lets a service account read what it names",
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
      await until(
        "the list is allowed",
        async () => (await t.send("GET", "configmaps", { headers: { authorization } })).status === 200,
      );
      await refused(t.send("GET", "secrets", { headers: { authorization } }), 403, "Forbidden");
    },
  ],
  [
    "a quota refuses what exceeds it",
    "docs: resource quotas",
    async (t) => {
      await t.create("resourcequotas", { metadata: { name: "q" }, spec: { hard: { "count/secrets": "1" } } });
      await until("it is counted", async () => at((await t.get("resourcequotas/q")).json, "status.used") !== undefined);
      await t.create("secrets", { metadata: { name: "a" } });
      // The counter may be busy with others for a moment.
      await until("the first is counted", async () => {
        const used = at((await t.get("resourcequotas/q")).json, "status.used");
        return JSON.stringify(used) === '{"count/secrets":"1"}';
      });
      await refused(t.create("secrets", { metadata: { name: "b" } }), 403, "Forbidden", {
        message: /exceeded quota: q, requested: count\/secrets=1, used: count\/secrets=1, limited: count\/secrets=1/u,
      });
    },
  ],
  [
    "a limit range gives containers their default resources",
    "docs: limit ranges",
    async (t) => {
      await t.create("limitranges", {
        metadata: { name: "l" },
        spec: {
          limits: [{ type: "Container", default: { cpu: "1" }, defaultRequest: { cpu: "500m" }, max: { cpu: "2" } }],
        },
      });
      await until("it applies", async () => {
        const answer = await createPod(t, t.unique(`p${Date.now()}`));
        return (
          at(answer.json, "spec.containers.0.resources.limits.cpu") === "1" &&
          at(answer.json, "spec.containers.0.resources.requests.cpu") === "500m"
        );
      });
      const containers = [{ name: "a", image: "a:1", resources: { limits: { cpu: "3" } } }];
      await refused(t.create("pods", { metadata: { name: "big" }, spec: podSpec({ containers }) }), 403, "Forbidden", {
        message: /maximum cpu usage per Container is 2, but limit is 3/u,
      });
    },
  ],
  [
    "a pod gets the priority of its class, and none of an unknown one",
    "docs: pod priority; Priority admission",
    async (t) => {
      await t.create("priorityclasses", { metadata: { name: t.unique("p") }, value: 7 });
      (await createPod(t, "a", { priorityClassName: t.unique("p") })).is({ spec: { priority: 7 } });
      await refused(
        t.create("pods", { metadata: { name: "b" }, spec: podSpec({ priorityClassName: "absent" }) }),
        403,
        "Forbidden",
        { message: /no PriorityClass with name absent was found/u },
      );
    },
  ],
  [
    "a pod runs as the service account default unless told otherwise",
    "apiserver: ServiceAccount admission",
    async (t) => {
      (await createPod(t, "a")).is({ spec: { serviceAccountName: "default", serviceAccount: "default" } });
    },
  ],
  [
    "a pod gets a token of its service account mounted",
    "docs: service accounts, bound token volumes",
    async (t) => {
      const answer = await createPod(t, "a", { automountServiceAccountToken: true });
      answer.is({
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
    "a pod of a service account that does not exist is forbidden",
    "apiserver: ServiceAccount admission",
    async (t) => {
      await createPod(t, "first");
      await refused(
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
    "a validating admission policy refuses what its expression does not allow",
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
      await until("it is enforced", async () => {
        const answer = await t.send("POST", "configmaps", {
          body: { metadata: { generateName: "bad-" } },
          query: { dryRun: "All" },
        });
        return answer.status === 422 && answer.is({ message: /denied request: be good/u });
      });
      (await t.create("configmaps", { metadata: { name: "good" } })).has(201);
    },
  ],
]);
