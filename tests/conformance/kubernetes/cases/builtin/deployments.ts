import assert from "node:assert/strict";
import type { CaseResponse } from "../../suite/case-response.ts";
import { group } from "../../suite/case.ts";
import type { Case } from "../../suite/case.ts";
import { valueAt, match } from "../../suite/match.ts";
import { createPod, template, workload } from "../../suite/objects.ts";
import { activePods, nameOf, markPodsRunning, keepPodsRunning } from "../../suite/pods.ts";
import type { CaseContext } from "../../suite/case-context.ts";
import { condition, untilFieldsEqual } from "../../suite/status.ts";
import { eventually } from "../../../../support/eventually.ts";

const app = (name: string): { labelSelector: string } => ({ labelSelector: `app=${name}` });

const replicaSets = async (t: CaseContext): Promise<readonly unknown[]> =>
  (await t.get("replicasets", app("a"))).list("items");

/**
 * Deployments and the objects that they control. Where pods must run, the cases write the pod status: neither target
 * has a kubelet.
 */
export const DEPLOYMENTS: readonly Case[] = group("deployments", "requests", [
  [
    "a Deployment creates a ReplicaSet with a hash, which creates pods, with owner references",
    "deployment controller; replica set controller",
    async (t) => {
      const deployment = await t.create("deployments", {
        metadata: { name: "a" },
        spec: workload("a", { replicas: 2 }),
      });
      await eventually("there are two pods", async () => (await activePods(t, "app=a")).length === 2);
      const [set] = await replicaSets(t);
      const hash = String(valueAt(set, "metadata.labels.pod-template-hash"));
      match(set, {
        metadata: {
          name: `a-${hash}`,
          annotations: {
            "deployment.kubernetes.io/revision": "1",
            "deployment.kubernetes.io/desired-replicas": "2",
            "deployment.kubernetes.io/max-replicas": "3",
          },
          ownerReferences: [
            {
              apiVersion: "apps/v1",
              kind: "Deployment",
              name: "a",
              uid: deployment.str("metadata.uid"),
              controller: true,
              blockOwnerDeletion: true,
            },
          ],
        },
        spec: { replicas: 2, selector: { matchLabels: { app: "a", "pod-template-hash": hash } } },
      });
      for (const pod of await activePods(t, "app=a")) {
        match(pod, {
          metadata: {
            generateName: `a-${hash}-`,
            labels: { "pod-template-hash": hash },
            ownerReferences: [{ kind: "ReplicaSet", name: `a-${hash}`, controller: true }],
          },
        });
      }
      (await t.get("deployments/a")).expectShape({
        metadata: { annotations: { "deployment.kubernetes.io/revision": "1" } },
      });
    },
  ],
  [
    "status counts replicas while none is ready",
    "deployment controller: status",
    async (t) => {
      await t.create("deployments", { metadata: { name: "a" }, spec: workload("a", { replicas: 2 }) });
      const response = await untilFieldsEqual(t, "deployments/a", {
        "status.replicas": 2,
        "status.unavailableReplicas": 2,
        "status.updatedReplicas": 2,
        "status.observedGeneration": 1,
      });
      response.expectShape({ status: { readyReplicas: undefined, availableReplicas: undefined } });
      match(condition(response, "Available"), { status: "False", reason: "MinimumReplicasUnavailable" });
      match(condition(response, "Progressing"), {
        status: "True",
        reason: (value) => value === "ReplicaSetUpdated" || value === "NewReplicaSetCreated",
      });
    },
  ],
  [
    "a Deployment becomes available when its pods are ready",
    "deployment controller: conditions",
    async (t) => {
      await t.create("deployments", { metadata: { name: "a" }, spec: workload("a", { replicas: 2 }) });
      await markPodsRunning(t, "app=a", 2);
      const response = await untilFieldsEqual(t, "deployments/a", {
        "status.readyReplicas": 2,
        "status.availableReplicas": 2,
        "status.unavailableReplicas": undefined,
      });
      match(condition(response, "Available"), { status: "True", reason: "MinimumReplicasAvailable" });
      await eventually(
        "it has progressed",
        async () =>
          valueAt(condition(await t.get("deployments/a"), "Progressing"), "reason") === "NewReplicaSetAvailable",
      );
    },
  ],
  [
    "a template change creates a second ReplicaSet, and the first is scaled down as pods become ready",
    "deployment controller: rolling update",
    async (t) => {
      await t.create("deployments", { metadata: { name: "a" }, spec: workload("a", { replicas: 2 }) });
      await markPodsRunning(t, "app=a", 2);
      await untilFieldsEqual(t, "deployments/a", { "status.availableReplicas": 2 });
      await t.patch("strategic", "deployments/a", {
        spec: { template: { spec: { containers: [{ name: "main", image: "other:2" }] } } },
      });
      await keepPodsRunning(t, "app=a", async () => {
        const latest = await t.get("deployments/a");
        return (
          latest.at("status.updatedReplicas") === 2 &&
          latest.at("status.replicas") === 2 &&
          latest.at("status.availableReplicas") === 2 &&
          latest.at("status.observedGeneration") === 2
        );
      });
      const sets = await replicaSets(t);
      const revisions = sets.map((set) => {
        const annotations = valueAt(set, "metadata.annotations") as Readonly<Record<string, string>>; // every set has them
        return `${annotations["deployment.kubernetes.io/revision"]}: ${String(valueAt(set, "spec.replicas"))}`;
      });
      assert.deepEqual(revisions.toSorted(), ["1: 0", "2: 2"]);
      (await t.get("deployments/a")).expectShape({
        metadata: { annotations: { "deployment.kubernetes.io/revision": "2" } },
      });
    },
  ],
  [
    "a rolling update respects maxSurge and maxUnavailable",
    "docs: deployments, max surge and max unavailable",
    async (t) => {
      const strategy = { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
      await t.create("deployments", { metadata: { name: "a" }, spec: workload("a", { replicas: 3, strategy }) });
      await markPodsRunning(t, "app=a", 3);
      await untilFieldsEqual(t, "deployments/a", { "status.availableReplicas": 3 });
      await t.patch("strategic", "deployments/a", {
        spec: { template: { spec: { containers: [{ name: "main", image: "other:2" }] } } },
      });
      await untilFieldsEqual(t, "deployments/a", {
        "status.replicas": 4,
        "status.updatedReplicas": 1,
        "status.availableReplicas": 3,
      });
      assert.equal((await activePods(t, "app=a")).length, 4);
    },
  ],
  [
    "Recreate deletes old pods before it creates new ones",
    "docs: deployments, recreate",
    async (t) => {
      await t.create("deployments", {
        metadata: { name: "a" },
        spec: workload("a", { replicas: 1, strategy: { type: "Recreate" } }),
      });
      await markPodsRunning(t, "app=a", 1);
      const [old] = await activePods(t, "app=a");
      await t.patch("strategic", "deployments/a", {
        spec: { template: { spec: { containers: [{ name: "main", image: "other:2" }] } } },
      });
      await t.untilDeleted(`pods/${nameOf(old)}`);
      await eventually("a new pod is created", async () =>
        (await activePods(t, "app=a")).some((pod) => valueAt(pod, "spec.containers.0.image") === "other:2"),
      );
    },
  ],
  [
    "a paused Deployment does not roll out, and reports it",
    "docs: deployments, pausing",
    async (t) => {
      await t.create("deployments", { metadata: { name: "a" }, spec: workload("a", { replicas: 1 }) });
      await untilFieldsEqual(t, "deployments/a", { "status.replicas": 1 });
      await t.patch("merge", "deployments/a", { spec: { paused: true } });
      await t.patch("strategic", "deployments/a", {
        spec: { template: { spec: { containers: [{ name: "main", image: "other:2" }] } } },
      });
      const response = await untilFieldsEqual(t, "deployments/a", { "status.observedGeneration": 3 });
      match(condition(response, "Progressing"), { status: "Unknown", reason: "DeploymentPaused" });
      assert.equal((await replicaSets(t)).length, 1);
    },
  ],
  [
    "scaling changes the number of pods, without a new ReplicaSet",
    "docs: deployments, scaling",
    async (t) => {
      await t.create("deployments", { metadata: { name: "a" }, spec: workload("a", { replicas: 1 }) });
      await untilFieldsEqual(t, "deployments/a", { "status.replicas": 1 });
      await t.patch("merge", "deployments/a/scale", { spec: { replicas: 3 } });
      await eventually("there are three", async () => (await activePods(t, "app=a")).length === 3);
      await t.patch("merge", "deployments/a/scale", { spec: { replicas: 0 } });
      await eventually("there are none", async () => (await activePods(t, "app=a")).length === 0);
      assert.equal((await replicaSets(t)).length, 1);
    },
  ],
  [
    "old ReplicaSets beyond revisionHistoryLimit are removed",
    "docs: deployments, clean up policy",
    async (t) => {
      await t.create("deployments", {
        metadata: { name: "a" },
        spec: workload("a", { replicas: 0, revisionHistoryLimit: 1 }),
      });
      for (const [index, image] of ["a:2", "a:3", "a:4"].entries()) {
        await untilFieldsEqual(t, "deployments/a", { "status.observedGeneration": index + 1 });
        await t.patch("strategic", "deployments/a", {
          spec: { template: { spec: { containers: [{ name: "main", image }] } } },
        });
      }
      await eventually("two are left", async () => {
        const images = (await replicaSets(t)).map((set) => valueAt(set, "spec.template.spec.containers.0.image"));
        assert.deepEqual(images.map(String).toSorted(), ["a:3", "a:4"]);
        return true;
      });
    },
  ],
  [
    "rolling back reuses the old ReplicaSet with a new revision",
    "deployment controller: revisions",
    async (t) => {
      await t.create("deployments", { metadata: { name: "a" }, spec: workload("a", { replicas: 0 }) });
      await untilFieldsEqual(t, "deployments/a", { "status.observedGeneration": 1 });
      const image = async (name: string): Promise<CaseResponse> =>
        t.patch("strategic", "deployments/a", {
          spec: { template: { spec: { containers: [{ name: "main", image: name }] } } },
        });
      await image("other:2");
      await untilFieldsEqual(t, "deployments/a", { "status.observedGeneration": 2 });
      await image("example.invalid/app:1.0");
      await eventually("the first has revision 3", async () => {
        const sets = await replicaSets(t);
        const found = sets.find(
          (set) => valueAt(set, "spec.template.spec.containers.0.image") === "example.invalid/app:1.0",
        );
        return (
          sets.length === 2 &&
          (valueAt(found, "metadata.annotations") as Record<string, string>)["deployment.kubernetes.io/revision"] ===
            "3"
        );
      });
    },
  ],
  [
    "a deleted Deployment is deleted with its ReplicaSets and pods",
    "docs: garbage collection",
    async (t) => {
      await t.create("deployments", { metadata: { name: "a" }, spec: workload("a", { replicas: 1 }) });
      await eventually("there is a pod", async () => (await activePods(t, "app=a")).length === 1);
      await t.delete("deployments/a");
      await eventually(
        "all are gone",
        async () => (await replicaSets(t)).length === 0 && (await t.get("pods", app("a"))).names.length === 0,
      );
    },
  ],
  [
    "a ReplicaSet replaces a pod that is deleted",
    "docs: ReplicaSet",
    async (t) => {
      await t.create("replicasets", { metadata: { name: "a" }, spec: workload("a", { replicas: 1 }) });
      await eventually("there is a pod", async () => (await activePods(t, "app=a")).length === 1);
      const [first] = await activePods(t, "app=a");
      await t.delete(`pods/${nameOf(first)}`, { gracePeriodSeconds: 0 });
      await eventually("there is another", async () => {
        const pods = await activePods(t, "app=a");
        return pods.length === 1 && nameOf(pods[0]) !== nameOf(first);
      });
      await untilFieldsEqual(t, "replicasets/a", {
        "status.replicas": 1,
        "status.fullyLabeledReplicas": 1,
        "status.observedGeneration": 1,
      });
    },
  ],
  [
    "a ReplicaSet adopts a matching pod and releases one that no longer matches",
    "docs: ReplicaSet, non-template pod acquisitions",
    async (t) => {
      await createPod(t, "stray", {}, { labels: { app: "a" } });
      const set = await t.create("replicasets", { metadata: { name: "a" }, spec: workload("a", { replicas: 1 }) });
      await eventually(
        "it is adopted",
        async () => (await t.get("pods/stray")).at("metadata.ownerReferences.0.uid") === set.at("metadata.uid"),
      );
      assert.equal((await activePods(t, "app=a")).length, 1);
      await t.patch("merge", "pods/stray", { metadata: { labels: { app: "b" } } });
      await eventually(
        "the pod is released and replaced",
        async () =>
          (await t.get("pods/stray")).at("metadata.ownerReferences") === undefined &&
          (await activePods(t, "app=a")).length === 1,
      );
    },
  ],
  [
    "a ReplicationController creates pods",
    "docs: ReplicationController",
    async (t) => {
      await t.create("replicationcontrollers", {
        metadata: { name: "a" },
        spec: { replicas: 2, selector: { app: "a" }, template: template("a") },
      });
      await eventually("there are two pods", async () => (await activePods(t, "app=a")).length === 2);
      await untilFieldsEqual(t, "replicationcontrollers/a", { "status.replicas": 2 });
    },
  ],
]);
