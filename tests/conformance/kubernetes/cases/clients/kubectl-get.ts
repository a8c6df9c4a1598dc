import assert from "node:assert/strict";
import { group } from "../../suite/case.ts";
import type { Case } from "../../suite/case.ts";
import { match } from "../../suite/match.ts";
import { createPod, installCrd, template, workload } from "../../suite/objects.ts";
import { activePods, markPodsRunning } from "../../suite/pods.ts";
import type { CaseContext } from "../../suite/case-context.ts";
import { eventually } from "../../../../support/eventually.ts";

async function maps(t: CaseContext): Promise<void> {
  for (const [name, tier] of [
    ["a", "x"],
    ["b", "y"],
  ])
    await t.create("secrets", { metadata: { name, labels: { tier } }, stringData: { name: name ?? "" } });
}

/** kubectl get, describe, explain and the like. */
export const KUBECTL_GET: readonly Case[] = group("kubectl reads", "kubectl", [
  [
    "get prints a table",
    "kubectl get",
    async (t) => {
      await maps(t);
      match(await t.kubectl("get", "secrets"), /^NAME +TYPE +DATA +AGE\na +Opaque +1 +\d+s\nb +Opaque +1 +\d+s\n$/u);
      match(await t.kubectl("get", "secrets", "--no-headers", "a"), /^a +Opaque +1 +\d+s\n$/u);
    },
  ],
  [
    "get reports an empty result",
    "kubectl get",
    async (t) => {
      const { stderr, code } = await t.tryKubectl(["get", "secrets"]);
      assert.deepEqual([code, stderr], [0, `No resources found in ${t.namespace} namespace.\n`]);
      match(
        await t.kubectlFails("get", "secret", "absent"),
        'Error from server (NotFound): secrets "absent" not found\n',
      );
      match(await t.kubectlFails("get", "nonsense"), 'error: the server doesn\'t have a resource type "nonsense"\n');
    },
  ],
  [
    "get -l and --field-selector filter",
    "kubectl get",
    async (t) => {
      await maps(t);
      assert.equal(await t.kubectl("get", "secrets", "-l", "tier=x", "-o", "name"), "secret/a\n");
      assert.equal(await t.kubectl("get", "secrets", "-l", "tier in (x,y)", "-o", "name"), "secret/a\nsecret/b\n");
      assert.equal(
        await t.kubectl("get", "secrets", "--field-selector", "metadata.name=b", "-o", "name"),
        "secret/b\n",
      );
    },
  ],
  [
    "get -o yaml, json, jsonpath, name, custom-columns and go-template",
    "kubectl get output",
    async (t) => {
      await maps(t);
      match(
        await t.kubectl("get", "secret", "a", "-o", "yaml"),
        /^apiVersion: v1\ndata:\n {2}name: YQ==\nkind: Secret\nmetadata:\n/u,
      );
      match(JSON.parse(await t.kubectl("get", "secrets", "-o", "json")), {
        apiVersion: "v1",
        kind: "List",
        items: [{ kind: "Secret" }, {}],
      });
      assert.equal(await t.kubectl("get", "secrets", "-o", "jsonpath={.items[*].metadata.name}"), "a b");
      match(
        await t.kubectl("get", "secrets", "-o", "custom-columns=N:.metadata.name,T:.type"),
        /^N +T\na +Opaque\nb +Opaque\n$/u,
      );
      assert.equal(
        await t.kubectl("get", "secrets", "-o", "go-template={{range .items}}{{.metadata.name}};{{end}}"),
        "a;b;",
      );
    },
  ],
  [
    "get --sort-by and --show-labels, -L",
    "kubectl get",
    async (t) => {
      await maps(t);
      assert.equal(
        await t.kubectl("get", "secrets", "--sort-by={.metadata.labels.tier}", "-o", "name"),
        "secret/a\nsecret/b\n",
      );
      match(await t.kubectl("get", "secrets", "--sort-by=.metadata.name"), /^NAME .*\na .*\nb .*\n$/u);
      match(await t.kubectl("get", "secrets", "--show-labels"), /LABELS\na .* tier=x\n/u);
      match(await t.kubectl("get", "secrets", "-L", "tier"), /TIER\na .* x\n/u);
    },
  ],
  [
    "get -A shows namespaces",
    "kubectl get",
    async (t) => {
      await maps(t);
      match(
        await t.kubectl("get", "secrets", "-A", "--field-selector", `metadata.namespace=${t.namespace}`),
        new RegExp(`^NAMESPACE +NAME +TYPE +DATA +AGE\n${t.namespace} +a +Opaque`, "u"),
      );
    },
  ],
  [
    "get of several kinds, and by file",
    "kubectl get",
    async (t) => {
      await maps(t);
      await t.create("configmaps", { metadata: { name: "c" } });
      assert.equal(await t.kubectl("get", "secret/a", "cm/c", "-o", "name"), "secret/a\nconfigmap/c\n");
      await t.file("x.json", [{ apiVersion: "v1", kind: "Secret", metadata: { name: "b" } }]);
      assert.equal(await t.kubectl("get", "-f", "x.json", "-o", "name"), "secret/b\n");
    },
  ],
  [
    "get pods -o wide has node columns",
    "kubectl get -o wide",
    async (t) => {
      await createPod(t, "a");
      match(
        await t.kubectl("get", "pods", "-o", "wide"),
        /^NAME +READY +STATUS +RESTARTS +AGE +IP +NODE +NOMINATED NODE +READINESS GATES\na +0\/1 +Pending +0 +\d+s +<none> +<none> +<none> +<none>\n$/u,
      );
    },
  ],
  [
    "get deployments, replicasets and services",
    "kubectl get",
    async (t) => {
      await t.create("deployments", { metadata: { name: "a" }, spec: workload("a", { replicas: 2 }) });
      await t.create("services", {
        metadata: { name: "s" },
        spec: { selector: { app: "a" }, ports: [{ port: 80, targetPort: 8080 }] },
      });
      await markPodsRunning(t, "app=a", 2);
      await eventually("it is available", async () =>
        /^a +2\/2 +2 +2 +\d+s +main +example\.invalid\/app:1\.0 +app=a$/mu.test(
          await t.kubectl("get", "deploy", "-o", "wide"),
        ),
      );
      match(await t.kubectl("get", "rs"), /^NAME +DESIRED +CURRENT +READY +AGE\na-\w+ +2 +2 +2 +\d+s\n$/u);
      match(
        await t.kubectl("get", "svc", "-o", "wide"),
        /^NAME +TYPE +CLUSTER-IP +EXTERNAL-IP +PORT\(S\) +AGE +SELECTOR\ns +ClusterIP +10\.\S+ +<none> +80\/TCP +\d+s +app=a\n$/u,
      );
    },
  ],
  [
    "get all shows the kinds of the category",
    "kubectl get all",
    async (t) => {
      await t.create("deployments", { metadata: { name: "a" }, spec: workload("a", { replicas: 1 }) });
      await t.create("cronjobs", {
        metadata: { name: "c" },
        spec: { schedule: "0 0 1 1 *", jobTemplate: { spec: { template: template("x", { restartPolicy: "Never" }) } } },
      });
      await eventually("there is a pod", async () => (await activePods(t, "app=a")).length === 1);
      const names = await t.kubectl("get", "all", "-o", "name");
      match(names, /^pod\/a-\S+\ndeployment\.apps\/a\nreplicaset\.apps\/a-\S+\ncronjob\.batch\/c\n$/u);
    },
  ],
  [
    "get of a custom resource by short name, with its columns",
    "kubectl get; additional printer columns",
    async (t) => {
      const short = `w${t.stage.id.replaceAll("-", "")}`;
      await installCrd(t, {
        spec: { properties: { size: { type: "integer" } } },
        names: { shortNames: [short] },
        version: { additionalPrinterColumns: [{ name: "Size", type: "integer", jsonPath: ".spec.size" }] },
      });
      await t.create("widgets", { metadata: { name: "a" }, spec: { size: 3 } });
      await eventually("it is discovered", async () => /^NAME +SIZE\na +3\n$/u.test(await t.kubectl("get", short)));
    },
  ],
  [
    "get -w prints rows as events arrive",
    "kubectl get --watch",
    async (t) => {
      await maps(t);
      const running = await t.startKubectl("get", "secrets", "-w");
      try {
        await eventually("the rows are there", async () => /^b /mu.test(running.stdout));
        await t.create("secrets", { metadata: { name: "c" } });
        await eventually("the new row is there", async () => /^c +Opaque +0 +\d+s$/mu.test(running.stdout));
        match(running.stdout, /^NAME +TYPE +DATA +AGE\n/u);
      } finally {
        await running.kill();
      }
    },
  ],
  [
    "get --watch-only --output-watch-events shows the type of each event",
    "kubectl get --output-watch-events",
    async (t) => {
      await maps(t);
      const running = await t.startKubectl("get", "secrets", "--watch-only", "--output-watch-events");
      try {
        await eventually("an event is there", async () => {
          await t.patch("merge", "secrets/a", {
            metadata: { annotations: { at: String(running.stdout.length + Math.random()) } },
          });
          return /^MODIFIED +a +Opaque/mu.test(running.stdout);
        });
      } finally {
        await running.kill();
      }
    },
  ],
  [
    "get --raw prints the raw response",
    "kubectl get --raw",
    async (t) => {
      assert.equal(await t.kubectl("get", "--raw", "/readyz"), "ok");
      match(JSON.parse(await t.kubectl("get", "--raw", "/version")), { major: "1" });
    },
  ],
  [
    "get --chunk-size reads in pages",
    "kubectl get --chunk-size",
    async (t) => {
      for (const name of ["a", "b", "c", "d", "e"]) await t.create("secrets", { metadata: { name } });
      assert.equal(
        await t.kubectl("get", "secrets", "--chunk-size=2", "-o", "name"),
        "secret/a\nsecret/b\nsecret/c\nsecret/d\nsecret/e\n",
      );
    },
  ],
  [
    "get --subresource shows status and scale",
    "kubectl get --subresource",
    async (t) => {
      await t.create("deployments", { metadata: { name: "a" }, spec: workload("a", { replicas: 0 }) });
      match(JSON.parse(await t.kubectl("get", "deploy", "a", "--subresource=scale", "-o", "json")), {
        kind: "Scale",
        spec: {},
      });
      match(JSON.parse(await t.kubectl("get", "deploy", "a", "--subresource=status", "-o", "json")), {
        kind: "Deployment",
      });
    },
  ],
  [
    "describe shows objects with events",
    "kubectl describe",
    async (t) => {
      await t.create("configmaps", { metadata: { name: "a", labels: { l: "1" } }, data: { key: "value" } });
      match(
        await t.kubectl("describe", "cm", "a"),
        /^Name: +a\nNamespace: +\S+\nLabels: +l=1\nAnnotations: +<none>\n\nData\n====\nkey:\n----\nvalue\n/u,
      );
      const uid = (await createPod(t, "p")).str("metadata.uid");
      const involvedObject = { apiVersion: "v1", kind: "Pod", name: "p", namespace: t.namespace, uid };
      await t.create("events", {
        metadata: { name: "e" },
        involvedObject,
        reason: "Because",
        type: "Normal",
        message: "it happened",
        source: { component: "me" },
        firstTimestamp: "2026-01-01T00:00:00Z",
        lastTimestamp: "2026-01-01T00:00:00Z",
        count: 1,
      });
      const text = await t.kubectl("describe", "pod", "p");
      match(text, /^Status: +Pending$/mu);
      match(text, /Image: +example\.invalid\/app:1\.0/u);
      match(text, /Normal +Because +\S+ +me +it happened/u);
    },
  ],
  [
    "describe of a deployment, a service, a namespace and a custom resource",
    "kubectl describe",
    async (t) => {
      await t.create("deployments", { metadata: { name: "a" }, spec: workload("a", { replicas: 0 }) });
      match(await t.kubectl("describe", "deploy", "a"), /^StrategyType: +RollingUpdate$/mu);
      await t.create("services", { metadata: { name: "s" }, spec: { ports: [{ port: 80 }] } });
      match(await t.kubectl("describe", "svc", "s"), /^Port: +<unset> +80\/TCP$/mu);
      match(await t.kubectl("describe", "ns", t.namespace), /^Status: +Active$/mu);
      await installCrd(t, { spec: { properties: { size: { type: "integer" } } } });
      await t.create("widgets", { metadata: { name: "a" }, spec: { size: 3 } });
      match(await t.kubectl("describe", `widgets.${t.stage.id}.example.com`, "a"), /^Spec:\n {2}Size: +3\n/mu);
    },
  ],
  [
    "explain shows kinds, fields and types",
    "kubectl explain",
    async (t) => {
      const text = await t.kubectl("explain", "deployment.spec");
      match(text, /^GROUP: +apps\nKIND: +Deployment\nVERSION: +v1\n\nFIELD: spec <DeploymentSpec>/u);
      match(text, /^ {2}replicas\t<integer>$/mu);
      match(text, /^ {2}selector\t<LabelSelector> -required-$/mu);
      match(await t.kubectl("explain", "pod.spec.containers.ports.protocol"), /FIELD: protocol <string>/u);
    },
  ],
  [
    "explain --recursive prints the tree",
    "kubectl explain --recursive",
    async (t) => {
      const text = await t.kubectl("explain", "configmap", "--recursive");
      match(text, /^ {2}binaryData\t<map\[string\]string>$/mu);
      match(text, /^ {2}metadata\t<ObjectMeta>$/mu);
      match(text, /^ {4}ownerReferences\t<\[\]OwnerReference>$/mu);
    },
  ],
  [
    "explain of a custom resource",
    "kubectl explain",
    async (t) => {
      await installCrd(t, {
        plural: `w${t.stage.id.replaceAll("-", "")}s`,
        kind: `W${t.stage.id.replaceAll("-", "")}`,
        spec: { properties: { size: { type: "integer", description: "How big." } } },
      });
      await eventually("it is published", async () => {
        const text = await t.kubectl("explain", `w${t.stage.id.replaceAll("-", "")}s.spec`);
        return /^ {2}size\t<integer>\n {4}How big\.$/mu.test(text);
      });
    },
  ],
  [
    "api-resources lists names, short names, versions and kinds",
    "kubectl api-resources",
    async (t) => {
      // Kinds of other cases come and go concurrently.
      const text = await eventually("all groups are described", () => t.kubectl("api-resources"));
      match(text, /^NAME +SHORTNAMES +APIVERSION +NAMESPACED +KIND$/mu);
      match(text, /^configmaps +cm +v1 +true +ConfigMap$/mu);
      match(text, /^deployments +deploy +apps\/v1 +true +Deployment$/mu);
      match(text, /^selfsubjectreviews +authentication\.k8s\.io\/v1 +false +SelfSubjectReview$/mu);
      match(await t.kubectl("api-resources", "--api-group=batch", "-o", "name"), "cronjobs.batch\njobs.batch\n");
      match(
        await t.kubectl("api-resources", "-o", "wide", "--api-group=batch"),
        /^jobs +batch\/v1 +true +Job +create,delete,deletecollection,get,list,patch,update,watch +all$/mu,
      );
    },
  ],
  [
    "api-versions lists groups with versions",
    "kubectl api-versions",
    async (t) => match(await t.kubectl("api-versions"), /^apps\/v1$[^]*^batch\/v1$[^]*^v1$/mu),
  ],
  [
    "version, cluster-info",
    "kubectl version, kubectl cluster-info",
    async (t) => {
      match(JSON.parse(await t.kubectl("version", "-o", "json")), {
        serverVersion: { major: "1", gitVersion: /^v1\./u },
      });
      match(await t.kubectl("cluster-info"), /Kubernetes control plane.* is running at .*https:\/\/127\.0\.0\.1/u);
    },
  ],
  [
    "events lists events, newest last",
    "kubectl events",
    async (t) => {
      const involvedObject = { apiVersion: "v1", kind: "ConfigMap", name: "a", namespace: t.namespace };
      const event = (name: string, at: string, type: string): object => ({
        metadata: { name },
        involvedObject,
        reason: "Because",
        type,
        message: name,
        firstTimestamp: at,
        lastTimestamp: at,
        count: 1,
      });
      await t.create("events", event("late", "2026-01-01T00:01:00Z", "Warning"));
      await t.create("events", event("early", "2026-01-01T00:00:00Z", "Normal"));
      match(
        await t.kubectl("events"),
        /^LAST SEEN +TYPE +REASON +OBJECT +MESSAGE\n\S+ +Normal +Because +ConfigMap\/a +early\n\S+ +Warning +Because +ConfigMap\/a +late\n$/u,
      );
      match(await t.kubectl("events", "--types=Warning", "--for=configmap/a"), /^LAST SEEN.*\n.*late\n$/u);
      match(await t.kubectl("get", "events"), /^LAST SEEN +TYPE +REASON +OBJECT +MESSAGE\n/u);
    },
  ],
  [
    "auth can-i and whoami",
    "kubectl auth",
    async (t) => {
      assert.equal(await t.kubectl("auth", "can-i", "create", "pods"), "yes\n");
      match(await t.kubectl("auth", "can-i", "--list"), /^\*\.\* +\[\] +\[\] +\[\*\]$/mu);
      match(await t.kubectl("auth", "whoami"), /^ATTRIBUTE +VALUE\nUsername +\S+\n/u);
      match(await t.kubectl("auth", "whoami", "-o", "jsonpath={.status.userInfo.groups}"), /system:masters/u);
    },
  ],
]);
