import assert from "node:assert/strict";
import { refused } from "../suite/answer.ts";
import { group } from "../suite/case.ts";
import type { Case } from "../suite/case.ts";
import { at, match } from "../suite/match.ts";
import { createPod, template, workload } from "../suite/objects.ts";
import { until } from "../suite/until.ts";

/** What hangs below an object. */
export const SUBRESOURCE: readonly Case[] = group("subresources", "requests", [
  [
    "a Deployment's scale is read and replaced",
    "API reference: scale of a Deployment",
    async (t) => {
      await t.create("deployments", { metadata: { name: "a" }, spec: workload("a", { replicas: 0 }) });
      const scale = await t.get("deployments/a/scale");
      scale.is({
        kind: "Scale",
        apiVersion: "autoscaling/v1",
        metadata: { name: "a", namespace: t.namespace, uid: /-/u },
        spec: {},
        status: { selector: "app=a" },
      });
      const answer = await t.send("PUT", "deployments/a/scale", {
        body: { ...(scale.json as object), metadata: { name: "a", namespace: t.namespace }, spec: { replicas: 3 } },
      });
      answer.has(200).is({ kind: "Scale", spec: { replicas: 3 } });
      (await t.get("deployments/a")).is({ spec: { replicas: 3 }, metadata: { generation: 2 } });
    },
  ],
  [
    "a scale is patched",
    "kubectl scale; API reference: patch scale",
    async (t) => {
      await t.create("statefulsets", {
        metadata: { name: "a" },
        spec: workload("a", { replicas: 0, serviceName: "a" }),
      });
      (await t.patch("merge", "statefulsets/a/scale", { spec: { replicas: 2 } })).is({
        kind: "Scale",
        spec: { replicas: 2 },
      });
      (await t.get("statefulsets/a")).is({ spec: { replicas: 2 } });
    },
  ],
  [
    "a negative scale is invalid, and one with an old resourceVersion a conflict",
    "autoscaling: scale validation",
    async (t) => {
      const set = await t.create("replicasets", { metadata: { name: "a" }, spec: workload("a", { replicas: 0 }) });
      await refused(t.patch("merge", "replicasets/a/scale", { spec: { replicas: -1 } }), 422, "Invalid", {
        causes: ["spec.replicas: FieldValueInvalid"],
      });
      await t.patch("merge", "replicasets/a", { metadata: { labels: { x: "y" } } });
      const metadata = { resourceVersion: set.str("metadata.resourceVersion") };
      await refused(t.patch("merge", "replicasets/a/scale", { metadata, spec: { replicas: 0 } }), 409, "Conflict");
    },
  ],
  [
    "a replication controller has a scale",
    "API reference: scale of a ReplicationController",
    async (t) => {
      await t.create("replicationcontrollers", {
        metadata: { name: "a" },
        spec: { replicas: 0, selector: { app: "a" }, template: template("a") },
      });
      (await t.get("replicationcontrollers/a/scale")).is({
        kind: "Scale",
        apiVersion: "autoscaling/v1",
        status: { selector: "app=a" },
      });
    },
  ],
  [
    "a binding gives a pod its node, once",
    "API reference: binding of a pod",
    async (t) => {
      await createPod(t, "a");
      const target = { apiVersion: "v1", kind: "Node", name: t.unique("node") };
      const body = { apiVersion: "v1", kind: "Binding", metadata: { name: "a" }, target };
      (await t.send("POST", "pods/a/binding", { body })).has(201).is({ kind: "Status", status: "Success" });
      const pod = (await t.get("pods/a")).is({ spec: { nodeName: t.unique("node") } });
      match(
        pod.list("status.conditions").find((item) => at(item, "type") === "PodScheduled"),
        { status: "True" },
      );
      await refused(t.send("POST", "pods/a/binding", { body }), 409, "Conflict", {
        message: /is already assigned to node/u,
      });
    },
  ],
  [
    "a binding can be posted to the namespace",
    "API reference: bindings",
    async (t) => {
      await createPod(t, "a");
      await t.create("bindings", {
        metadata: { name: "a" },
        target: { apiVersion: "v1", kind: "Node", name: t.unique("node") },
      });
      (await t.get("pods/a")).is({ spec: { nodeName: t.unique("node") } });
    },
  ],
  [
    "an eviction deletes the pod",
    "docs: API-initiated eviction",
    async (t) => {
      await createPod(t, "a");
      const body = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "a" } };
      (await t.send("POST", "pods/a/eviction", { body })).has(201).is({ kind: "Status", status: "Success" });
      await t.gone("pods/a");
    },
  ],
  [
    "an eviction that a budget forbids is too many requests",
    "docs: API-initiated eviction; disruption budgets",
    async (t) => {
      await t.create("poddisruptionbudgets", {
        metadata: { name: "b" },
        spec: { minAvailable: 1, selector: { matchLabels: { app: "a" } } },
      });
      await createPod(t, "a", { nodeName: t.unique("node") }, { labels: { app: "a" } });
      await t.patch("merge", "pods/a/status", {
        status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] },
      });
      await until(
        "the budget has been looked at",
        async () => (await t.get("poddisruptionbudgets/b")).at("status.currentHealthy") === 1,
      );
      const body = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "a" } };
      await refused(t.send("POST", "pods/a/eviction", { body }), 429, "TooManyRequests", {
        message: "Cannot evict pod as it would violate the pod's disruption budget.",
        details: {
          causes: [
            {
              reason: "DisruptionBudget",
              message: /The disruption budget b needs 1 healthy pods and has 1 currently/u,
            },
          ],
        },
      });
      await t.delete("pods/a", { gracePeriodSeconds: 0 });
    },
  ],
  [
    "a token is issued for a service account, and the server knows who shows it",
    "docs: TokenRequest",
    async (t) => {
      await t.create("serviceaccounts", { metadata: { name: "a" } });
      const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { expirationSeconds: 3600 } };
      const answer = (await t.send("POST", "serviceaccounts/a/token", { body })).has(201);
      answer.is({
        kind: "TokenRequest",
        spec: { expirationSeconds: 3600 },
        status: { token: /^[\w-]+\.[\w-]+\.[\w-]+$/u, expirationTimestamp: /Z$/u },
      });
      const review = await t.send("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", {
        body: { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" },
        headers: { authorization: `Bearer ${answer.str("status.token")}` },
      });
      review.has(201).is({ status: { userInfo: { username: `system:serviceaccount:${t.namespace}:a` } } });
      const groups = review.list("status.userInfo.groups");
      for (const name of ["system:serviceaccounts", `system:serviceaccounts:${t.namespace}`, "system:authenticated"])
        assert.ok(groups.includes(name), name);
    },
  ],
  [
    "a token that lives for less than ten minutes is invalid",
    "authentication: validation of TokenRequest",
    async (t) => {
      await t.create("serviceaccounts", { metadata: { name: "a" } });
      const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { expirationSeconds: 10 } };
      await refused(t.send("POST", "serviceaccounts/a/token", { body }), 422, "Invalid", {
        causes: ["spec.expirationSeconds: FieldValueInvalid"],
      });
    },
  ],
  [
    "a token of a deleted service account is no longer good",
    "docs: service account tokens, validity",
    async (t) => {
      await t.create("serviceaccounts", { metadata: { name: "a" } });
      const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
      const token = (await t.send("POST", "serviceaccounts/a/token", { body })).str("status.token");
      await t.delete("serviceaccounts/a");
      await until(
        "it is refused",
        async () => (await t.send("GET", "/api", { headers: { authorization: `Bearer ${token}` } })).status === 401,
      );
    },
  ],
  [
    "a status of a pod is written on its own path",
    "API reference: status of a pod",
    async (t) => {
      await createPod(t, "a");
      (await t.patch("strategic", "pods/a/status", { status: { phase: "Running", podIP: "10.0.0.1" } })).is({
        status: { phase: "Running", podIP: "10.0.0.1", podIPs: [{ ip: "10.0.0.1" }] },
      });
      (await t.patch("merge", "pods/a", { status: { phase: "Failed" } })).is({ status: { phase: "Running" } });
    },
  ],
  [
    "an unknown subresource is not found",
    "apiserver: the mux answers what no handler takes",
    async (t) => {
      await t.create("configmaps", { metadata: { name: "a" } });
      assert.equal((await t.send("GET", "configmaps/a/status")).status, 404);
      assert.equal((await t.send("GET", "configmaps/a/scale")).status, 404);
    },
  ],
  [
    "ephemeral containers are added on their own path",
    "docs: ephemeral containers",
    async (t) => {
      await createPod(t, "a");
      const spec = { ephemeralContainers: [{ name: "debug", image: "debug:1" }] };
      (await t.patch("strategic", "pods/a/ephemeralcontainers", { spec })).is({
        kind: "Pod",
        spec: { ephemeralContainers: [{ name: "debug" }] },
      });
    },
  ],
]);
