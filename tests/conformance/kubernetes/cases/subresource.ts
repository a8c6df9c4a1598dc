import assert from "node:assert/strict";
import { expectError } from "../suite/case-response.ts";
import { group } from "../suite/case.ts";
import type { Case } from "../suite/case.ts";
import { valueAt, match } from "../suite/match.ts";
import { createPod, template, workload } from "../suite/objects.ts";
import { eventually } from "../../../support/eventually.ts";

/** Subresources. */
export const SUBRESOURCE: readonly Case[] = group("subresources", "requests", [
  [
    "a Deployment's scale is read and replaced",
    "API reference: scale of a Deployment",
    async (t) => {
      await t.create("deployments", { metadata: { name: "a" }, spec: workload("a", { replicas: 0 }) });
      const scale = await t.get("deployments/a/scale");
      scale.expectShape({
        kind: "Scale",
        apiVersion: "autoscaling/v1",
        metadata: { name: "a", namespace: t.namespace, uid: /-/u },
        spec: {},
        status: { selector: "app=a" },
      });
      const response = await t.send("PUT", "deployments/a/scale", {
        body: { ...(scale.json as object), metadata: { name: "a", namespace: t.namespace }, spec: { replicas: 3 } },
      });
      response.expectStatus(200).expectShape({ kind: "Scale", spec: { replicas: 3 } });
      (await t.get("deployments/a")).expectShape({ spec: { replicas: 3 }, metadata: { generation: 2 } });
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
      (await t.patch("merge", "statefulsets/a/scale", { spec: { replicas: 2 } })).expectShape({
        kind: "Scale",
        spec: { replicas: 2 },
      });
      (await t.get("statefulsets/a")).expectShape({ spec: { replicas: 2 } });
    },
  ],
  [
    "a negative scale is invalid, and one with an outdated resourceVersion a conflict",
    "autoscaling: scale validation",
    async (t) => {
      const set = await t.create("replicasets", { metadata: { name: "a" }, spec: workload("a", { replicas: 0 }) });
      await expectError(t.patch("merge", "replicasets/a/scale", { spec: { replicas: -1 } }), 422, "Invalid", {
        causes: ["spec.replicas: FieldValueInvalid"],
      });
      await t.patch("merge", "replicasets/a", { metadata: { labels: { x: "y" } } });
      const metadata = { resourceVersion: set.str("metadata.resourceVersion") };
      await expectError(t.patch("merge", "replicasets/a/scale", { metadata, spec: { replicas: 0 } }), 409, "Conflict");
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
      (await t.get("replicationcontrollers/a/scale")).expectShape({
        kind: "Scale",
        apiVersion: "autoscaling/v1",
        status: { selector: "app=a" },
      });
    },
  ],
  [
    "a binding assigns a pod to a node, once",
    "API reference: binding of a pod",
    async (t) => {
      await createPod(t, "a");
      const target = { apiVersion: "v1", kind: "Node", name: t.unique("node") };
      const body = { apiVersion: "v1", kind: "Binding", metadata: { name: "a" }, target };
      (await t.send("POST", "pods/a/binding", { body }))
        .expectStatus(201)
        .expectShape({ kind: "Status", status: "Success" });
      const pod = (await t.get("pods/a")).expectShape({ spec: { nodeName: t.unique("node") } });
      match(
        pod.list("status.conditions").find((item) => valueAt(item, "type") === "PodScheduled"),
        { status: "True" },
      );
      await expectError(t.send("POST", "pods/a/binding", { body }), 409, "Conflict", {
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
      (await t.get("pods/a")).expectShape({ spec: { nodeName: t.unique("node") } });
    },
  ],
  [
    "an eviction deletes the pod",
    "docs: API-initiated eviction",
    async (t) => {
      await createPod(t, "a");
      const body = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "a" } };
      (await t.send("POST", "pods/a/eviction", { body }))
        .expectStatus(201)
        .expectShape({ kind: "Status", status: "Success" });
      await t.untilDeleted("pods/a");
    },
  ],
  [
    "an eviction that violates a budget returns too many requests",
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
      await eventually(
        "the budget is observed",
        async () => (await t.get("poddisruptionbudgets/b")).at("status.currentHealthy") === 1,
      );
      const body = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "a" } };
      await expectError(t.send("POST", "pods/a/eviction", { body }), 429, "TooManyRequests", {
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
    "a token is issued for a service account and authenticates it",
    "docs: TokenRequest",
    async (t) => {
      await t.create("serviceaccounts", { metadata: { name: "a" } });
      const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { expirationSeconds: 3600 } };
      const response = (await t.send("POST", "serviceaccounts/a/token", { body })).expectStatus(201);
      response.expectShape({
        kind: "TokenRequest",
        spec: { expirationSeconds: 3600 },
        status: { token: /^[\w-]+\.[\w-]+\.[\w-]+$/u, expirationTimestamp: /Z$/u },
      });
      const review = await t.send("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", {
        body: { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" },
        headers: { authorization: `Bearer ${response.str("status.token")}` },
      });
      review
        .expectStatus(201)
        .expectShape({ status: { userInfo: { username: `system:serviceaccount:${t.namespace}:a` } } });
      const groups = review.list("status.userInfo.groups");
      for (const name of ["system:serviceaccounts", `system:serviceaccounts:${t.namespace}`, "system:authenticated"])
        assert.ok(groups.includes(name), name);
    },
  ],
  [
    "a token with a lifetime below ten minutes is invalid",
    "authentication: validation of TokenRequest",
    async (t) => {
      await t.create("serviceaccounts", { metadata: { name: "a" } });
      const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { expirationSeconds: 10 } };
      await expectError(t.send("POST", "serviceaccounts/a/token", { body }), 422, "Invalid", {
        causes: ["spec.expirationSeconds: FieldValueInvalid"],
      });
    },
  ],
  [
    "a token of a deleted service account is invalid",
    "docs: service account tokens, validity",
    async (t) => {
      await t.create("serviceaccounts", { metadata: { name: "a" } });
      const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
      const token = (await t.send("POST", "serviceaccounts/a/token", { body })).str("status.token");
      await t.delete("serviceaccounts/a");
      await eventually(
        "it is refused",
        async () => (await t.send("GET", "/api", { headers: { authorization: `Bearer ${token}` } })).status === 401,
      );
    },
  ],
  [
    "the status of a pod is written through the subresource",
    "API reference: status of a pod",
    async (t) => {
      await createPod(t, "a");
      (await t.patch("strategic", "pods/a/status", { status: { phase: "Running", podIP: "10.0.0.1" } })).expectShape({
        status: { phase: "Running", podIP: "10.0.0.1", podIPs: [{ ip: "10.0.0.1" }] },
      });
      (await t.patch("merge", "pods/a", { status: { phase: "Failed" } })).expectShape({ status: { phase: "Running" } });
    },
  ],
  [
    "an unknown subresource is not found",
    "apiserver: the mux handles paths without a handler",
    async (t) => {
      await t.create("configmaps", { metadata: { name: "a" } });
      assert.equal((await t.send("GET", "configmaps/a/status")).status, 404);
      assert.equal((await t.send("GET", "configmaps/a/scale")).status, 404);
    },
  ],
  [
    "ephemeral containers are added through the subresource",
    "docs: ephemeral containers",
    async (t) => {
      await createPod(t, "a");
      const spec = { ephemeralContainers: [{ name: "debug", image: "debug:1" }] };
      (await t.patch("strategic", "pods/a/ephemeralcontainers", { spec })).expectShape({
        kind: "Pod",
        spec: { ephemeralContainers: [{ name: "debug" }] },
      });
    },
  ],
]);
