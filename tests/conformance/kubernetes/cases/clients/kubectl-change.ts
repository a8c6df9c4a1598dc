import assert from "node:assert/strict";
import { group } from "../../suite/case.ts";
import type { Case } from "../../suite/case.ts";
import { untilCollectorSynced } from "../../suite/garbage-collector-sync.ts";
import { match } from "../../suite/match.ts";
import { createPod, installCrd, RESERVED, workload } from "../../suite/objects.ts";
import { activePods, markPodsRunning } from "../../suite/pods.ts";
import { eventually } from "../../../../support/eventually.ts";

const config = (data: object, metadata: object = {}): object => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "a", ...metadata },
  data,
});

/** Other kubectl commands that change objects. */
export const KUBECTL_CHANGE: readonly Case[] = group("kubectl changes", "kubectl", [
  [
    "patch with three types",
    "kubectl patch",
    async (t) => {
      await t.create("configmaps", config({ x: "1" }));
      assert.equal(await t.kubectl("patch", "cm", "a", "-p", '{"data":{"y":"2"}}'), "configmap/a patched\n");
      assert.equal(
        await t.kubectl("patch", "cm", "a", "--type=merge", "-p", '{"data":{"x":null}}'),
        "configmap/a patched\n",
      );
      assert.equal(
        await t.kubectl("patch", "cm", "a", "--type=json", "-p", '[{"op":"add","path":"/data/z","value":"3"}]'),
        "configmap/a patched\n",
      );
      assert.equal(
        await t.kubectl("patch", "cm", "a", "--type=merge", "-p", "{}"),
        "configmap/a patched (no change)\n",
      );
      assert.deepEqual((await t.get("configmaps/a")).at("data"), { y: "2", z: "3" });
    },
  ],
  [
    "patch --subresource=status",
    "kubectl patch --subresource",
    async (t) => {
      const { group: name } = await installCrd(t, { version: { subresources: { status: {} } } });
      await t.create("widgets", { metadata: { name: "a" } });
      await t.kubectl(
        "patch",
        `widgets.${name}`,
        "a",
        "--subresource=status",
        "--type=merge",
        "-p",
        '{"status":{"x":1}}',
      );
      (await t.get("widgets/a")).expectShape({ status: { x: 1 } });
    },
  ],
  [
    "replace, and replace --force",
    "kubectl replace",
    async (t) => {
      const first = await t.create("configmaps", config({ x: "1" }));
      const file = await t.file("c.json", [config({ y: "2" })]);
      assert.equal(await t.kubectl("replace", "-f", file), "configmap/a replaced\n");
      assert.deepEqual((await t.get("configmaps/a")).at("data"), { y: "2" });
      match(await t.kubectl("replace", "--force", "-f", file), /configmap "a" deleted.*\nconfigmap\/a replaced\n/u);
      assert.notEqual((await t.get("configmaps/a")).at("metadata.uid"), first.at("metadata.uid"));
    },
  ],
  [
    "label and annotate, with --overwrite and removal",
    "kubectl label, annotate",
    async (t) => {
      await t.create("configmaps", config({}));
      assert.equal(await t.kubectl("label", "cm", "a", "l=1"), "configmap/a labeled\n");
      match(
        await t.kubectlFails("label", "cm", "a", "l=2"),
        /'l' already has a value \(1\), and --overwrite is false/u,
      );
      await t.kubectl("label", "cm", "a", "l=2", "--overwrite");
      assert.equal(await t.kubectl("annotate", "cm", "a", "n=1"), "configmap/a annotated\n");
      (await t.get("configmaps/a")).expectShape({ metadata: { labels: { l: "2" }, annotations: { n: "1" } } });
      assert.equal(await t.kubectl("label", "cm", "a", "l-"), "configmap/a unlabeled\n");
      (await t.get("configmaps/a")).expectShape({ metadata: { labels: undefined } });
    },
  ],
  [
    "set image, env, resources and serviceaccount",
    "kubectl set",
    async (t) => {
      await t.create("deployments", { metadata: { name: "a" }, spec: workload("a", { replicas: 0 }) });
      assert.equal(await t.kubectl("set", "image", "deploy/a", "main=b:2"), "deployment.apps/a image updated\n");
      assert.equal(await t.kubectl("set", "env", "deploy/a", "X=1"), "deployment.apps/a env updated\n");
      assert.equal(
        await t.kubectl("set", "resources", "deploy/a", "--limits=cpu=1"),
        "deployment.apps/a resource requirements updated\n",
      );
      assert.equal(
        await t.kubectl("set", "serviceaccount", "deploy/a", "s"),
        "deployment.apps/a serviceaccount updated\n",
      );
      (await t.get("deployments/a")).expectShape({
        spec: {
          template: {
            spec: {
              serviceAccountName: "s",
              containers: [{ image: "b:2", env: [{ name: "X", value: "1" }], resources: { limits: { cpu: "1" } } }],
            },
          },
        },
      });
    },
  ],
  [
    "scale, with --current-replicas",
    "kubectl scale",
    async (t) => {
      await t.create("deployments", { metadata: { name: "a" }, spec: workload("a", { replicas: 1 }) });
      assert.equal(await t.kubectl("scale", "deploy", "a", "--replicas=2"), "deployment.apps/a scaled\n");
      match(
        await t.kubectlFails("scale", "deploy", "a", "--current-replicas=5", "--replicas=0"),
        /Expected replicas to be 5, was 2/u,
      );
      (await t.get("deployments/a")).expectShape({ spec: { replicas: 2 } });
    },
  ],
  [
    "rollout status waits for a rollout",
    "kubectl rollout status",
    async (t) => {
      await t.create("deployments", { metadata: { name: "a" }, spec: workload("a", { replicas: 1 }) });
      const running = await t.startKubectl("rollout", "status", "deploy/a", "--timeout=30s");
      await eventually("it waits", async () => /Waiting for deployment/u.test(running.stdout));
      await markPodsRunning(t, "app=a", 1);
      const { code, stdout } = await running.wait();
      assert.equal(code, 0);
      match(stdout, /deployment "a" successfully rolled out\n$/u);
    },
  ],
  [
    "rollout restart, history, undo, pause and resume",
    "kubectl rollout",
    async (t) => {
      await t.create("deployments", { metadata: { name: "a" }, spec: workload("a", { replicas: 0 }) });
      await eventually("revision 1", async () => /^1 /mu.test(await t.kubectl("rollout", "history", "deploy/a")));
      assert.equal(await t.kubectl("rollout", "restart", "deploy/a"), "deployment.apps/a restarted\n");
      await eventually("revision 2", async () => /^2 /mu.test(await t.kubectl("rollout", "history", "deploy/a")));
      (await t.get("deployments/a")).expectShape({
        spec: { template: { metadata: { annotations: { "kubectl.kubernetes.io/restartedAt": /T/u } } } },
      });
      assert.equal(await t.kubectl("rollout", "undo", "deploy/a"), "deployment.apps/a rolled back\n");
      await eventually("revision 3 instead of 1", async () =>
        /REVISION +CHANGE-CAUSE\n2 +<none>\n3 +<none>\n/u.test(await t.kubectl("rollout", "history", "deploy/a")),
      );
      assert.equal(await t.kubectl("rollout", "pause", "deploy/a"), "deployment.apps/a paused\n");
      assert.equal(await t.kubectl("rollout", "resume", "deploy/a"), "deployment.apps/a resumed\n");
    },
  ],
  [
    "rollout of a StatefulSet",
    "kubectl rollout",
    async (t) => {
      await t.create("statefulsets", {
        metadata: { name: "a" },
        spec: workload("a", { serviceName: "s", replicas: 1 }),
      });
      await markPodsRunning(t, "app=a", 1);
      match(
        await t.kubectl("rollout", "status", "sts/a", "--timeout=30s"),
        /(partitioned roll out complete|statefulset rolling update complete):? 1 (new )?pods/u,
      );
      match(await t.kubectl("rollout", "history", "sts/a"), /REVISION +CHANGE-CAUSE\n1 /u);
    },
  ],
  [
    "wait for a condition, a value and a deletion",
    "kubectl wait",
    async (t) => {
      await createPod(t, "a", {}, { labels: { app: "a" } });
      const waiting = t.kubectlMeanwhile("wait", "--for=condition=Ready", "pod/a", "--timeout=30s");
      await markPodsRunning(t, "app=a", 1);
      assert.equal(await waiting, "pod/a condition met\n");
      assert.equal(
        await t.kubectl("wait", "--for=jsonpath={.status.phase}=Running", "pod", "-l", "app=a", "--timeout=30s"),
        "pod/a condition met\n",
      );
      const deleting = t.kubectlMeanwhile("wait", "--for=delete", "pod/a", "--timeout=30s");
      await t.delete("pods/a");
      match(await deleting, /^(pod\/a condition met\n)?$/u);
      match(
        await t.kubectlFails("wait", "--for=condition=Ready", "pod/absent", "--timeout=1s"),
        'Error from server (NotFound): pods "absent" not found\n',
      );
    },
  ],
  [
    "wait fails after its timeout",
    "kubectl wait --timeout",
    async (t) => {
      await createPod(t, "a");
      assert.equal(
        await t.kubectlFails("wait", "--for=condition=Ready", "pod/a", "--timeout=1s"),
        "error: timed out waiting for the condition on pods/a\n",
      );
    },
  ],
  [
    "delete by name, label, file and all",
    "kubectl delete",
    async (t) => {
      for (const name of ["a", "b", "c", "d"]) await t.create("secrets", { metadata: { name, labels: { name } } });
      match(await t.kubectl("delete", "secret", "a"), /^secret "a" deleted/u);
      match(await t.kubectl("delete", "secret", "-l", "name=b"), /^secret "b" deleted/u);
      match(
        await t.kubectl(
          "delete",
          "-f",
          await t.file("c.json", [{ apiVersion: "v1", kind: "Secret", metadata: { name: "c" } }]),
        ),
        /^secret "c" deleted/u,
      );
      match(await t.kubectl("delete", "secrets", "--all"), /^secret "d" deleted/u);
      match(await t.kubectlFails("delete", "secret", "a"), 'Error from server (NotFound): secrets "a" not found\n');
      assert.equal(await t.kubectl("delete", "secret", "a", "--ignore-not-found"), "");
    },
  ],
  [
    "delete waits for finalizers",
    "kubectl delete --wait",
    async (t) => {
      await t.create("secrets", { metadata: { name: "a", finalizers: ["example.com/x"] } });
      const deleting = t.kubectlMeanwhile("delete", "secret", "a", "--timeout=30s");
      await eventually(
        "it is being deleted",
        async () => (await t.get("secrets/a")).at("metadata.deletionTimestamp") !== undefined,
      );
      await t.patch("merge", "secrets/a", { metadata: { finalizers: null } });
      match(await deleting, /^secret "a" deleted/u);
    },
  ],
  [
    "delete --cascade=orphan, background and foreground",
    "kubectl delete --cascade",
    async (t) => {
      const make = async (name: string): Promise<void> => {
        await t.create("replicasets", { metadata: { name }, spec: workload(name, { replicas: 1 }) });
        await eventually("it has a pod", async () => (await activePods(t, `app=${name}`)).length === 1);
        await untilCollectorSynced(t, "pods");
      };
      await make("a");
      await t.kubectl("delete", "rs", "a", "--cascade=orphan");
      const [pod] = await activePods(t, "app=a");
      match(pod, { metadata: { ownerReferences: undefined } });
      await make("b");
      await t.kubectl("delete", "rs", "b");
      await eventually(
        "its pods are gone",
        async () => (await t.get("pods", { labelSelector: "app=b" })).names.length === 0,
      );
      await make("c");
      await t.kubectl("delete", "rs", "c", "--cascade=foreground");
      assert.deepEqual((await t.get("pods", { labelSelector: "app=c" })).names, []);
    },
  ],
  [
    "delete --force --grace-period=0 removes a pod at once",
    "kubectl delete --force",
    async (t) => {
      await createPod(t, "a", { nodeName: t.unique("node") });
      const { code, stdout, stderr } = await t.tryKubectl(["delete", "pod", "a", "--force", "--grace-period=0"]);
      assert.equal(code, 0);
      match(stdout, /^pod "a" force deleted/u);
      match(stderr, /Immediate deletion does not wait for confirmation/u);
      assert.equal((await t.send("GET", "pods/a")).status, 404);
    },
  ],
  [
    "delete of a namespace deletes its content",
    "kubectl delete namespace",
    async (t) => {
      const name = t.unique("n");
      await t.kubectl("create", "ns", name);
      await t.create(`/api/v1/namespaces/${name}/configmaps`, { metadata: { name: "a" } });
      match(await t.kubectl("delete", "ns", name), new RegExp(`^namespace "${name}" deleted`, "u"));
      assert.equal((await t.send("GET", `namespaces/${name}`)).status, 404);
    },
  ],
  [
    "taint, cordon, drain and uncordon a node",
    "kubectl taint, cordon, drain",
    async (t) => {
      const name = t.unique("node");
      await t.create("nodes", { metadata: { name }, spec: { taints: [RESERVED] } });
      assert.equal(await t.kubectl("taint", "node", name, "k=v:NoSchedule"), `node/${name} tainted\n`);
      assert.equal(await t.kubectl("taint", "node", name, "k-"), `node/${name} untainted\n`);
      assert.equal(await t.kubectl("cordon", name), `node/${name} cordoned\n`);
      (await t.get(`nodes/${name}`)).expectShape({ spec: { unschedulable: true } });
      match(await t.kubectl("get", "node", name), /SchedulingDisabled/u);
      match(await t.kubectl("drain", name), /drained\n$/u);
      assert.equal(await t.kubectl("uncordon", name), `node/${name} uncordoned\n`);
    },
  ],
  [
    "auth reconcile creates and extends roles",
    "kubectl auth reconcile",
    async (t) => {
      const role = (verbs: readonly string[]): object => ({
        apiVersion: "rbac.authorization.k8s.io/v1",
        kind: "Role",
        metadata: { name: "r", namespace: t.namespace },
        rules: [{ apiGroups: [""], resources: ["pods"], verbs }],
      });
      match(
        await t.kubectl("auth", "reconcile", "-f", await t.file("r.json", [role(["get"])])),
        /role\.rbac\.authorization\.k8s\.io\/r reconciled/u,
      );
      await t.kubectl("auth", "reconcile", "-f", await t.file("r.json", [role(["list"])]));
      assert.equal((await t.get("roles/r")).list("rules").length, 2);
    },
  ],
]);
