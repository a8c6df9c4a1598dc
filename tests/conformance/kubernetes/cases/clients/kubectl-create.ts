import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { group } from "../../suite/case.ts";
import type { Case } from "../../suite/case.ts";
import { match } from "../../suite/match.ts";
import type { Shape } from "../../suite/match.ts";
import { createPod, workload } from "../../suite/objects.ts";
import type { CaseContext } from "../../suite/case-context.ts";

async function makes(
  t: CaseContext,
  args: readonly string[],
  created: string,
  short: string,
  shape: Shape,
): Promise<void> {
  assert.equal(await t.kubectl("create", ...args), `${created} created\n`);
  (await t.get(short)).expectShape(shape);
}

/** kubectl create with every generator. */
export const KUBECTL_CREATE: readonly Case[] = group("kubectl create", "kubectl", [
  [
    "clusterrole and clusterrolebinding",
    "kubectl create clusterrole",
    async (t) => {
      const name = t.unique("r");
      await makes(
        t,
        ["clusterrole", name, "--verb=get,list", "--resource=pods"],
        `clusterrole.rbac.authorization.k8s.io/${name}`,
        `clusterroles/${name}`,
        {
          rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get", "list"] }],
        },
      );
      await makes(
        t,
        ["clusterrolebinding", name, `--clusterrole=${name}`, "--user=u"],
        `clusterrolebinding.rbac.authorization.k8s.io/${name}`,
        `clusterrolebindings/${name}`,
        {
          roleRef: { kind: "ClusterRole", name },
          subjects: [{ kind: "User", name: "u" }],
        },
      );
    },
  ],
  [
    "role and rolebinding",
    "kubectl create role",
    async (t) => {
      await makes(
        t,
        ["role", "r", "--verb=get", "--resource=deployments.apps,pods/log"],
        "role.rbac.authorization.k8s.io/r",
        "roles/r",
        {
          rules: [
            { apiGroups: [""], resources: ["pods/log"] },
            { apiGroups: ["apps"], resources: ["deployments"] },
          ],
        },
      );
      await makes(
        t,
        ["rolebinding", "r", "--role=r", "--serviceaccount=x:y"],
        "rolebinding.rbac.authorization.k8s.io/r",
        "rolebindings/r",
        {
          subjects: [{ kind: "ServiceAccount", name: "y", namespace: "x" }],
        },
      );
    },
  ],
  [
    "configmap from literals and files",
    "kubectl create configmap",
    async (t) => {
      await t.file("some.txt", "text\n");
      await makes(t, ["configmap", "c", "--from-literal=a=b", "--from-file=some.txt"], "configmap/c", "configmaps/c", {
        data: { a: "b", "some.txt": "text\n" },
      });
      match(await t.kubectlFails("create", "configmap", "c"), /configmaps "c" already exists/u);
    },
  ],
  [
    "secret generic, docker-registry and tls",
    "kubectl create secret",
    async (t) => {
      await makes(t, ["secret", "generic", "g", "--from-literal=a=ü", "--type=x"], "secret/g", "secrets/g", {
        type: "x",
        data: { a: "w7w=" },
      });
      await makes(
        t,
        ["secret", "docker-registry", "d", "--docker-username=u", "--docker-password=p"],
        "secret/d",
        "secrets/d",
        { type: "kubernetes.io/dockerconfigjson" },
      );
      execFileSync(
        "openssl",
        [
          "req",
          "-x509",
          "-newkey",
          "rsa:2048",
          "-nodes",
          "-keyout",
          `${t.stage.directory}/k.pem`,
          "-out",
          `${t.stage.directory}/c.pem`,
          "-subj",
          "/CN=x",
          "-days",
          "1",
        ],
        { stdio: "ignore" },
      );
      await makes(t, ["secret", "tls", "t", "--cert=c.pem", "--key=k.pem"], "secret/t", "secrets/t", {
        type: "kubernetes.io/tls",
      });
    },
  ],
  [
    "deployment",
    "kubectl create deployment",
    async (t) => {
      await makes(
        t,
        ["deployment", "d", "--image=a:1", "--replicas=2", "--port=80"],
        "deployment.apps/d",
        "deployments/d",
        {
          spec: {
            replicas: 2,
            template: {
              metadata: { labels: { app: "d" } },
              spec: { containers: [{ name: "a", image: "a:1", ports: [{ containerPort: 80 }] }] },
            },
          },
        },
      );
    },
  ],
  [
    "job and cronjob",
    "kubectl create job",
    async (t) => {
      await makes(t, ["job", "j", "--image=a:1", "--", "do", "it"], "job.batch/j", "jobs/j", {
        spec: { template: { spec: { restartPolicy: "Never", containers: [{ command: ["do", "it"] }] } } },
      });
      await makes(t, ["cronjob", "c", "--image=a:1", "--schedule=0 0 1 1 *"], "cronjob.batch/c", "cronjobs/c", {
        spec: { schedule: "0 0 1 1 *" },
      });
      await makes(t, ["job", "k", "--from=cronjob/c"], "job.batch/k", "jobs/k", {
        metadata: {
          annotations: { "cronjob.kubernetes.io/instantiate": "manual" },
          ownerReferences: [{ kind: "CronJob", name: "c" }],
        },
      });
    },
  ],
  [
    "ingress",
    "kubectl create ingress",
    async (t) => {
      await makes(
        t,
        ["ingress", "i", "--class=c", "--rule=a.example.com/x*=s:80"],
        "ingress.networking.k8s.io/i",
        "ingresses/i",
        {
          spec: {
            ingressClassName: "c",
            rules: [
              {
                host: "a.example.com",
                http: {
                  paths: [
                    { path: "/x", pathType: "Prefix", backend: { service: { name: "s", port: { number: 80 } } } },
                  ],
                },
              },
            ],
          },
        },
      );
    },
  ],
  [
    "namespace, serviceaccount and token",
    "kubectl create namespace",
    async (t) => {
      await makes(t, ["namespace", t.unique("n")], `namespace/${t.unique("n")}`, `namespaces/${t.unique("n")}`, {
        status: { phase: "Active" },
      });
      await makes(t, ["serviceaccount", "s"], "serviceaccount/s", "serviceaccounts/s", {});
      match(await t.kubectl("create", "token", "s", "--duration=1h"), /^[\w-]+\.[\w-]+\.[\w-]+\n?$/u);
    },
  ],
  [
    "poddisruptionbudget, priorityclass and quota",
    "kubectl create poddisruptionbudget",
    async (t) => {
      await makes(
        t,
        ["pdb", "p", "--selector=app=a", "--min-available=50%"],
        "poddisruptionbudget.policy/p",
        "poddisruptionbudgets/p",
        { spec: { minAvailable: "50%" } },
      );
      await makes(
        t,
        ["priorityclass", t.unique("p"), "--value=5"],
        `priorityclass.scheduling.k8s.io/${t.unique("p")}`,
        `priorityclasses/${t.unique("p")}`,
        { value: 5 },
      );
      await makes(t, ["quota", "q", "--hard=pods=5,cpu=1"], "resourcequota/q", "resourcequotas/q", {
        spec: { hard: { pods: "5", cpu: "1" } },
      });
    },
  ],
  [
    "service clusterip, nodeport, loadbalancer and externalname",
    "kubectl create service",
    async (t) => {
      await makes(t, ["service", "clusterip", "a", "--tcp=80:8080"], "service/a", "services/a", {
        spec: { type: "ClusterIP", ports: [{ name: "80-8080", port: 80, targetPort: 8080 }], selector: { app: "a" } },
      });
      await makes(t, ["service", "nodeport", "b", "--tcp=80"], "service/b", "services/b", {
        spec: { type: "NodePort" },
      });
      await makes(t, ["service", "loadbalancer", "c", "--tcp=80"], "service/c", "services/c", {
        spec: { type: "LoadBalancer", allocateLoadBalancerNodePorts: true },
      });
      await makes(t, ["service", "externalname", "d", "--external-name=example.com"], "service/d", "services/d", {
        spec: { type: "ExternalName", externalName: "example.com" },
      });
    },
  ],
  [
    "from a file, also with --dry-run=server",
    "kubectl create -f",
    async (t) => {
      await t.file("c.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {x: 'yes'}\n");
      assert.equal(
        await t.kubectl("create", "-f", "c.yaml", "--dry-run=server"),
        "configmap/a created (server dry run)\n",
      );
      assert.equal(await t.kubectl("create", "-f", "c.yaml"), "configmap/a created\n");
      match(
        await t.kubectlFails("create", "-f", "c.yaml"),
        'Error from server (AlreadyExists): error when creating "c.yaml": configmaps "a" already exists\n',
      );
    },
  ],
  [
    "a file with an unknown field is rejected",
    "kubectl create --validate",
    async (t) => {
      await t.file("c.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nnonsense: 1\n");
      match(await t.kubectlFails("create", "-f", "c.yaml"), /strict decoding error: unknown field "nonsense"/u);
      const { stderr, code } = await t.tryKubectl(["create", "-f", "c.yaml", "--validate=warn"]);
      assert.equal(code, 0);
      match(stderr, /Warning: unknown field "nonsense"/u);
    },
  ],
  [
    "run and expose",
    "kubectl run, expose",
    async (t) => {
      await createPod(t, "first");
      assert.equal(await t.kubectl("run", "p", "--image=a:1", "--labels=app=p", "--port=80"), "pod/p created\n");
      assert.equal(await t.kubectl("expose", "pod", "p", "--port=80", "--target-port=8080"), "service/p exposed\n");
      (await t.get("services/p")).expectShape({
        spec: { selector: { app: "p" }, ports: [{ port: 80, targetPort: 8080 }] },
      });
    },
  ],
  [
    "autoscale creates a HorizontalPodAutoscaler",
    "kubectl autoscale",
    async (t) => {
      await t.create("deployments", { metadata: { name: "d" }, spec: workload("d", { replicas: 0 }) });
      assert.equal(
        await t.kubectl("autoscale", "deployment", "d", "--max=3", "--min=2"),
        "horizontalpodautoscaler.autoscaling/d autoscaled\n",
      );
      (await t.get("horizontalpodautoscalers/d")).expectShape({
        spec: { minReplicas: 2, maxReplicas: 3, scaleTargetRef: { name: "d" } },
      });
    },
  ],
]);
