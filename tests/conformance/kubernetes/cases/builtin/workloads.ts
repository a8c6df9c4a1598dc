import assert from "node:assert/strict";
import { group } from "../../suite/case.ts";
import type { Case } from "../../suite/case.ts";
import { valueAt, match } from "../../suite/match.ts";
import { createPod, podSpec, RESERVED, template, workload } from "../../suite/objects.ts";
import { activePods, nameOf, markPodsRunning } from "../../suite/pods.ts";
import { condition, untilFieldsEqual } from "../../suite/status.ts";
import { eventually } from "../../../../support/eventually.ts";

const claim = {
  metadata: { name: "data" },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
};

const job = (fields: object = {}): object => ({
  template: { metadata: { labels: { app: "a" } }, spec: podSpec({ restartPolicy: "Never" }) },
  ...fields,
});

/** Other workloads. */
export const WORKLOADS: readonly Case[] = group("workloads", "requests", [
  [
    "a StatefulSet creates its pods in order, with stable names",
    "docs: StatefulSet, ordered creation",
    async (t) => {
      await t.create("statefulsets", {
        metadata: { name: "a" },
        spec: workload("a", { serviceName: "s", replicas: 2 }),
      });
      await eventually("the first is there", async () => (await t.send("GET", "pods/a-0")).status === 200);
      (await t.get("pods/a-0")).expectShape({
        metadata: {
          labels: {
            "statefulset.kubernetes.io/pod-name": "a-0",
            "apps.kubernetes.io/pod-index": "0",
            "controller-revision-hash": /^a-/u,
          },
        },
        spec: { hostname: "a-0", subdomain: "s" },
      });
      assert.equal((await t.send("GET", "pods/a-1")).status, 404);
      await markPodsRunning(t, "app=a", 1);
      await eventually("the second is there", async () => (await t.send("GET", "pods/a-1")).status === 200);
      await markPodsRunning(t, "app=a", 2);
      await untilFieldsEqual(t, "statefulsets/a", {
        "status.replicas": 2,
        "status.readyReplicas": 2,
        "status.availableReplicas": 2,
        "status.observedGeneration": 1,
      });
    },
  ],
  [
    "a StatefulSet is scaled down from the highest ordinal",
    "docs: StatefulSet, ordered deletion",
    async (t) => {
      await t.create("statefulsets", {
        metadata: { name: "a" },
        spec: workload("a", { serviceName: "s", replicas: 2, podManagementPolicy: "Parallel" }),
      });
      await markPodsRunning(t, "app=a", 2);
      await t.patch("merge", "statefulsets/a/scale", { spec: { replicas: 1 } });
      await t.untilDeleted("pods/a-1");
      (await t.get("pods/a-0")).expectShape({ metadata: { deletionTimestamp: undefined } });
    },
  ],
  [
    "a StatefulSet creates claims from its templates, and they are retained",
    "docs: StatefulSet, stable storage",
    async (t) => {
      await t.create("statefulsets", {
        metadata: { name: "a" },
        spec: workload("a", { serviceName: "s", replicas: 1, volumeClaimTemplates: [claim] }),
      });
      await eventually(
        "the claim is there",
        async () => (await t.send("GET", "persistentvolumeclaims/data-a-0")).status === 200,
      );
      await eventually("the pod is there", async () => (await t.send("GET", "pods/a-0")).status === 200);
      const volumes = (await t.get("pods/a-0")).list("spec.volumes");
      match(
        volumes.find((volume) => valueAt(volume, "name") === "data"),
        { persistentVolumeClaim: { claimName: "data-a-0" } },
      );
      await t.delete("statefulsets/a");
      await t.untilDeleted("pods/a-0");
      (await t.get("persistentvolumeclaims/data-a-0")).expectShape({ metadata: { deletionTimestamp: undefined } });
    },
  ],
  [
    "a StatefulSet keeps its history in ControllerRevisions",
    "stateful set controller: revisions",
    async (t) => {
      await t.create("statefulsets", {
        metadata: { name: "a" },
        spec: workload("a", { serviceName: "s", replicas: 0 }),
      });
      const first = await eventually("there is one", async () => {
        const items = (await t.get("controllerrevisions")).list("items");
        return items.length === 1 && items[0];
      });
      match(first, {
        revision: 1,
        metadata: { ownerReferences: [{ kind: "StatefulSet", name: "a", controller: true }], labels: { app: "a" } },
      });
      await t.patch("strategic", "statefulsets/a", {
        spec: { template: { spec: { containers: [{ name: "main", image: "other:2" }] } } },
      });
      await eventually("there are two", async () => (await t.get("controllerrevisions")).names.length === 2);
    },
  ],
  [
    "a DaemonSet creates a pod for each eligible node",
    "docs: DaemonSet",
    async (t) => {
      const name = t.unique("node");
      await t.create("nodes", { metadata: { name, labels: { only: name } } });
      await t.patch("merge", `nodes/${name}`, { spec: { taints: [RESERVED] } });
      await t.patch("merge", `nodes/${name}/status`, { status: { conditions: [{ type: "Ready", status: "True" }] } });
      await t.create("daemonsets", {
        metadata: { name: "a" },
        spec: workload("a", {
          template: template("a", { nodeSelector: { only: name }, tolerations: [{ operator: "Exists" }] }),
        }),
      });
      await untilFieldsEqual(t, "daemonsets/a", { "status.desiredNumberScheduled": 1, "status.observedGeneration": 1 });
      const [pod] = await eventually("the pod is there", async () => {
        const pods = await activePods(t, "app=a");
        return pods.length === 1 && pods;
      });
      match(pod, {
        metadata: {
          labels: { "pod-template-generation": "1", "controller-revision-hash": /./u },
          ownerReferences: [{ kind: "DaemonSet", name: "a" }],
        },
        spec: {
          affinity: {
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: {
                nodeSelectorTerms: [{ matchFields: [{ key: "metadata.name", operator: "In", values: [name] }] }],
              },
            },
          },
        },
      });
    },
  ],
  [
    "a Job runs pods up to its parallelism and reports the active ones",
    "docs: Job, parallelism",
    async (t) => {
      await t.create("jobs", { metadata: { name: "a" }, spec: job({ parallelism: 2, completions: 3 }) });
      await eventually("two pods are there", async () => (await activePods(t, "app=a")).length === 2);
      await untilFieldsEqual(t, "jobs/a", { "status.active": 2, "status.ready": 0, "status.terminating": 0 });
      const [pod] = await activePods(t, "app=a");
      match(pod, {
        metadata: {
          generateName: "a-",
          labels: { "job-name": "a", "batch.kubernetes.io/job-name": "a" },
          ownerReferences: [{ kind: "Job", name: "a", controller: true }],
        },
      });
      (await t.get("jobs/a")).expectShape({ status: { startTime: /Z$/u } });
    },
  ],
  [
    "a Job is complete when its pods have succeeded",
    "docs: Job, completion",
    async (t) => {
      await t.create("jobs", { metadata: { name: "a" }, spec: job() });
      await markPodsRunning(t, "app=a", 1, "Succeeded");
      const response = await untilFieldsEqual(t, "jobs/a", { "status.succeeded": 1, "status.active": undefined });
      match(condition(response, "Complete"), { status: "True", reason: "CompletionsReached" });
      match(condition(response, "SuccessCriteriaMet"), { status: "True", reason: "CompletionsReached" });
      response.expectShape({ status: { completionTime: /Z$/u } });
    },
  ],
  [
    "a Job fails after too many pod failures",
    "docs: Job, pod backoff failure policy",
    async (t) => {
      await t.create("jobs", { metadata: { name: "a" }, spec: job({ backoffLimit: 0 }) });
      await markPodsRunning(t, "app=a", 1, "Failed");
      const response = await untilFieldsEqual(t, "jobs/a", { "status.failed": 1, "status.active": undefined });
      const failed = await eventually("it has failed", async () => condition(await t.get("jobs/a"), "Failed"));
      match(failed, {
        status: "True",
        reason: "BackoffLimitExceeded",
        message: "Job has reached the specified backoff limit",
      });
      response.expectShape({ status: { completionTime: undefined } });
    },
  ],
  [
    "a suspended Job has no pods, and creates them when resumed",
    "docs: Job, suspending",
    async (t) => {
      await t.create("jobs", { metadata: { name: "a" }, spec: job({ suspend: true }) });
      match(
        await eventually("it is suspended", async () => {
          const response = await t.get("jobs/a");
          return response.at("status.conditions") !== undefined && condition(response, "Suspended");
        }),
        { status: "True", reason: "JobSuspended" },
      );
      assert.equal((await activePods(t, "app=a")).length, 0);
      await t.patch("merge", "jobs/a", { spec: { suspend: false } });
      await eventually("a pod is there", async () => (await activePods(t, "app=a")).length === 1);
      await eventually(
        "it is resumed",
        async () => valueAt(condition(await t.get("jobs/a"), "Suspended"), "reason") === "JobResumed",
      );
    },
  ],
  [
    "pods of an Indexed Job have an index",
    "docs: Job, indexed completion",
    async (t) => {
      await t.create("jobs", {
        metadata: { name: "a" },
        spec: job({ completionMode: "Indexed", completions: 2, parallelism: 2 }),
      });
      const pods = await eventually("both are there", async () => {
        const found = await activePods(t, "app=a");
        return found.length === 2 && found;
      });
      const indexes = pods.map(
        (pod) =>
          (valueAt(pod, "metadata.annotations") as Record<string, string>)["batch.kubernetes.io/job-completion-index"],
      );
      assert.deepEqual(indexes.map(String).toSorted(), ["0", "1"]);
      assert.match(nameOf(pods[0]), /^a-[01]-\w{5}$/u);
    },
  ],
  [
    "a finished Job is deleted after its TTL",
    "docs: TTL-after-finished",
    async (t) => {
      await t.create("jobs", { metadata: { name: "a" }, spec: job({ ttlSecondsAfterFinished: 1 }) });
      await markPodsRunning(t, "app=a", 1, "Succeeded");
      await t.untilDeleted("jobs/a");
    },
  ],
  [
    "a CronJob creates a Job on schedule",
    "docs: CronJob",
    async (t) => {
      await t.create("cronjobs", {
        metadata: { name: "a" },
        spec: { schedule: "* * * * *", jobTemplate: { spec: job({ suspend: true }) } },
      });
      const jobs = await eventually(
        "a Job is there",
        async () => {
          const { json, names } = await t.get("jobs");
          return names.length > 0 && json;
        },
        { timeoutMs: 90_000 },
      );
      match(valueAt(jobs, "items.0"), {
        metadata: {
          name: /^a-\d+$/u,
          annotations: { "batch.kubernetes.io/cronjob-scheduled-timestamp": /:00Z$/u },
          ownerReferences: [{ kind: "CronJob", name: "a", controller: true }],
        },
      });
      await eventually(
        "the status reports it",
        async () => (await t.get("cronjobs/a")).at("status.lastScheduleTime") !== undefined,
      );
    },
    "slow",
  ],
  [
    "a Service gets an EndpointSlice with its ready pods",
    "docs: EndpointSlices",
    async (t) => {
      await t.create("services", {
        metadata: { name: "s" },
        spec: { selector: { app: "a" }, ports: [{ name: "http", port: 80, targetPort: 8080 }] },
      });
      await t.create("nodes", { metadata: { name: t.unique("node") }, spec: { taints: [RESERVED] } });
      await createPod(t, "a", { nodeName: t.unique("node") }, { labels: { app: "a" } });
      await markPodsRunning(t, "app=a", 1);
      const slice = await eventually("the address is there", async () => {
        const items = (await t.get("endpointslices", { labelSelector: "kubernetes.io/service-name=s" })).list("items");
        const ip = (await t.get("pods/a")).str("status.podIP");
        return items.find(
          (item) =>
            valueAt(item, "endpoints.0.addresses.0") === ip && valueAt(item, "endpoints.0.conditions.ready") === true,
        );
      });
      match(slice, {
        addressType: "IPv4",
        endpoints: [
          { conditions: { ready: true, serving: true, terminating: false }, targetRef: { kind: "Pod", name: "a" } },
        ],
        ports: [{ name: "http", port: 8080, protocol: "TCP" }],
        metadata: {
          ownerReferences: [{ kind: "Service", name: "s" }],
          labels: { "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io" },
        },
      });
    },
  ],
  [
    "a claim is bound to a matching volume",
    "docs: persistent volumes, binding",
    async (t) => {
      const storageClassName = t.unique("class");
      const spec = { storageClassName, accessModes: ["ReadWriteOnce"] };
      await t.create("persistentvolumes", {
        metadata: { name: t.unique("v") },
        spec: { ...spec, capacity: { storage: "2Gi" }, hostPath: { path: "/x" } },
      });
      await t.create("persistentvolumeclaims", {
        metadata: { name: "a" },
        spec: { ...spec, resources: { requests: { storage: "1Gi" } } },
      });
      await untilFieldsEqual(t, "persistentvolumeclaims/a", {
        "status.phase": "Bound",
        "spec.volumeName": t.unique("v"),
      });
      await untilFieldsEqual(t, `persistentvolumes/${t.unique("v")}`, {
        "status.phase": "Bound",
        "spec.claimRef.name": "a",
      });
    },
  ],
  [
    "a disruption budget counts its pods",
    "docs: disruptions; disruption controller",
    async (t) => {
      await t.create("poddisruptionbudgets", {
        metadata: { name: "b" },
        spec: { maxUnavailable: 1, selector: { matchLabels: { app: "a" } } },
      });
      await t.create("deployments", { metadata: { name: "a" }, spec: workload("a", { replicas: 2 }) });
      await markPodsRunning(t, "app=a", 2);
      const response = await untilFieldsEqual(t, "poddisruptionbudgets/b", {
        "status.currentHealthy": 2,
        "status.desiredHealthy": 1,
        "status.expectedPods": 2,
        "status.disruptionsAllowed": 1,
      });
      match(condition(response, "DisruptionAllowed"), { status: "True", reason: "SufficientPods" });
    },
  ],
]);
