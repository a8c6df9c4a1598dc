import { s, kind, crdOf } from "@levelset/core";
import { expect, test } from "vitest";
import { ApiHarness, CRDS } from "./api.fixture.ts";

const PODS = "/api/v1/namespaces/default/pods";
const DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
const BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
const ACCOUNTS = "/api/v1/namespaces/default/serviceaccounts";

const template = { metadata: { labels: { app: "a" } }, spec: { containers: [{ name: "c", image: "i" }] } };
const pod = (name: string, containers: readonly object[] = template.spec.containers): object => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, labels: { app: "a" } },
  spec: { containers },
});
const deployment = (name: string, replicas: number): object => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name },
  spec: { replicas, selector: { matchLabels: { app: "a" } }, template },
});

test("the scale of a Deployment can be read, replaced and patched", async () => {
  const api = new ApiHarness();
  const { body: made } = await api.call("POST", DEPLOYMENTS, deployment("d", 2));
  const read = await api.get(`${DEPLOYMENTS}/d/scale`);
  expect(read.body).toMatchObject({
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: { name: "d", uid: made.metadata.uid, resourceVersion: made.metadata.resourceVersion },
    spec: { replicas: 2 },
    status: { replicas: 0, selector: "app=a" },
  });
  const put = await api.call("PUT", `${DEPLOYMENTS}/d/scale`, { ...read.body, spec: { replicas: 3 } });
  expect(put.body.spec).toEqual({ replicas: 3 });
  expect((await api.call("PUT", `${DEPLOYMENTS}/d/scale`, { ...read.body, spec: { replicas: 4 } })).code).toBe(409);
  const patched = await api.merge(`${DEPLOYMENTS}/d/scale`, { spec: { replicas: 5 } });
  expect(patched.body.spec).toEqual({ replicas: 5 });
  const { body } = await api.get(`${DEPLOYMENTS}/d`);
  expect([body.spec?.["replicas"], body.metadata.generation]).toEqual([5, 3]);
});

test("a negative scale returns 422, and a scale can be neither created nor deleted", async () => {
  const api = new ApiHarness();
  await api.call("POST", DEPLOYMENTS, deployment("d", 2));
  const refused = await api.merge(`${DEPLOYMENTS}/d/scale`, { spec: { replicas: -1 } });
  expect([refused.code, refused.body.message]).toEqual([
    422,
    'Scale.autoscaling "d" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
  ]);
  expect((await api.call("DELETE", `${DEPLOYMENTS}/d/scale`)).code).toBe(405);
  expect((await api.get(`${DEPLOYMENTS}/none/scale`)).code).toBe(404);
  expect((await api.get(`${PODS}/p/scale`)).code).toBe(404);
});

const Group = kind({
  group: "examples.levelset.dev",
  version: "v1",
  kind: "Group",
  spec: s.object({ size: s.int32().optional() }),
  status: s.object({ size: s.int32().optional(), selector: s.string().optional() }),
  scale: { specReplicasPath: ".spec.size", statusReplicasPath: ".status.size", labelSelectorPath: ".status.selector" },
});

test("a custom resource is scaled at the paths of its CRD", async () => {
  const api = new ApiHarness();
  await api.call("POST", CRDS, crdOf(Group));
  const groups = "/apis/examples.levelset.dev/v1/namespaces/default/groups";
  const group = { apiVersion: "examples.levelset.dev/v1", kind: "Group", metadata: { name: "g" }, spec: { size: 2 } };
  await api.call("POST", groups, group);
  await api.merge(`${groups}/g/status`, { status: { size: 1, selector: "a=b" } });
  const patched = await api.merge(`${groups}/g/scale`, { spec: { replicas: 7 } });
  expect(patched.body).toMatchObject({ spec: { replicas: 7 }, status: { replicas: 1, selector: "a=b" } });
  expect((await api.get(`${groups}/g`)).body.spec).toEqual({ size: 7 });
  await api.merge(`${groups}/g`, { spec: { size: null } });
  expect((await api.get(`${groups}/g/scale`)).body.message).toBe(
    'Internal error occurred: the spec replicas field ".spec.size" does not exist',
  );
});

test("a binding assigns a pod to a node, once", async () => {
  const api = new ApiHarness();
  await api.call("POST", PODS, pod("p"));
  const binding = { metadata: { name: "p" }, target: { kind: "Node", name: "n1" } };
  const { code, body } = await api.call("POST", `${PODS}/p/binding`, binding);
  expect([code, body.status]).toEqual([201, "Success"]);
  const bound = await api.get(`${PODS}/p`);
  expect(bound.body).toMatchObject({
    spec: { nodeName: "n1" },
    status: { conditions: [{ type: "PodScheduled", status: "True" }] },
  });
  const again = await api.call("POST", "/api/v1/namespaces/default/bindings", binding);
  expect([again.code, again.body.message]).toEqual([
    409,
    'Operation cannot be fulfilled on pods/binding "p": pod p is already assigned to node "n1"',
  ]);
});

async function runningPod(api: ApiHarness, name: string): Promise<void> {
  await api.call("POST", PODS, pod(name));
  const status = { phase: "Running", conditions: [{ type: "Ready", status: "True" }] };
  await api.merge(`${PODS}/${name}/status`, { status });
}

test("an eviction consumes the disruption budget of a pod, and is rejected when it is exhausted", async () => {
  const api = new ApiHarness();
  await runningPod(api, "p");
  await runningPod(api, "q");
  const budget = { metadata: { name: "b" }, spec: { maxUnavailable: 1, selector: { matchLabels: { app: "a" } } } };
  await api.call("POST", BUDGETS, budget);
  const early = await api.call("POST", `${PODS}/p/eviction`, { metadata: { name: "p" } });
  expect([early.code, early.headers.get("retry-after"), early.body.details?.causes]).toEqual([
    429,
    "10",
    [{ reason: "DisruptionBudget", message: "The disruption budget b is still being processed by the server." }],
  ]);
  const status = {
    observedGeneration: 1,
    disruptionsAllowed: 1,
    currentHealthy: 2,
    desiredHealthy: 1,
    expectedPods: 2,
  };
  await api.merge(`${BUDGETS}/b/status`, { status });
  expect((await api.call("POST", `${PODS}/p/eviction`, { metadata: { name: "p" } })).code).toBe(201);
  expect((await api.get(`${PODS}/p`)).code).toBe(404);
  const spent = (await api.get(`${BUDGETS}/b`)).body;
  expect(spent).toMatchObject({ status: { disruptionsAllowed: 0, disruptedPods: { p: expect.any(String) } } });
  const late = await api.call("POST", `${PODS}/q/eviction`, { metadata: { name: "q" } });
  expect([late.code, late.body.message]).toEqual([
    429,
    "Cannot evict pod as it would violate the pod's disruption budget.",
  ]);
  expect((await api.get(`${PODS}/q`)).code).toBe(200);
});

test("a dry-run eviction does not change anything, and a pod that is not running needs no budget", async () => {
  const api = new ApiHarness();
  await api.call("POST", PODS, pod("p"));
  const { resourceVersion } = (await api.get(`${PODS}/p`)).body.metadata;
  const dry = await api.call("POST", `${PODS}/p/eviction?dryRun=All`, { metadata: { name: "p" } });
  expect([dry.code, (await api.get(`${PODS}/p`)).body.metadata.resourceVersion]).toEqual([201, resourceVersion]);
  const budget = { metadata: { name: "b" }, spec: { minAvailable: 1, selector: {} } };
  await api.call("POST", BUDGETS, budget);
  expect((await api.call("POST", `${PODS}/p/eviction`, { metadata: { name: "p" } })).code).toBe(201);
});

test("a service account token is valid until it expires or its account is deleted", async () => {
  const api = new ApiHarness();
  const { body: account } = await api.call("POST", ACCOUNTS, { metadata: { name: "s" } });
  const { code, body } = await api.call("POST", `${ACCOUNTS}/s/token`, { spec: { expirationSeconds: 600 } });
  const { token } = (body.status ?? {}) as unknown as { readonly token: string };
  expect([code, body.kind]).toEqual([201, "TokenRequest"]);
  const reviews = "/apis/authentication.k8s.io/v1/tokenreviews";
  const review = { kind: "TokenReview", apiVersion: "authentication.k8s.io/v1", spec: { token } };
  const known = await api.call("POST", reviews, review);
  expect(known.body).toMatchObject({
    status: {
      authenticated: true,
      user: { username: "system:serviceaccount:default:s", uid: account.metadata.uid },
      audiences: ["https://kubernetes.default.svc.cluster.local"],
    },
  });
  const other = await api.call("POST", reviews, { spec: { token, audiences: ["vault"] } });
  expect(other.body).toMatchObject({ status: { error: expect.any(String) } });
  await api.clock.advance(660_001);
  expect((await api.call("POST", reviews, review)).body).not.toMatchObject({ status: { authenticated: true } });
});

test("a token with too short a duration is rejected, and a bound token becomes invalid with its pod", async () => {
  const api = new ApiHarness();
  await api.call("POST", ACCOUNTS, { metadata: { name: "s" } });
  const short = await api.call("POST", `${ACCOUNTS}/s/token`, { spec: { expirationSeconds: 10 } });
  expect([short.code, short.body.details?.causes?.[0]?.field]).toEqual([422, "spec.expirationSeconds"]);
  await api.call("POST", PODS, { ...pod("p"), spec: { ...template.spec, serviceAccountName: "s" } });
  const boundObjectRef = { kind: "Pod", apiVersion: "v1", name: "p" };
  const { body } = await api.call("POST", `${ACCOUNTS}/s/token`, { spec: { boundObjectRef } });
  const { token } = (body.status ?? {}) as unknown as { readonly token: string };
  const isKnown = async (): Promise<boolean> => {
    const response = await api.call("POST", "/apis/authentication.k8s.io/v1/tokenreviews", { spec: { token } });
    return (response.body.status as unknown as { readonly authenticated?: boolean }).authenticated === true;
  };
  expect(await isKnown()).toBe(true);
  await api.call("DELETE", `${PODS}/p`);
  expect(await isKnown()).toBe(false);
});

test("access reviews allow everything and return the user", async () => {
  const api = new ApiHarness();
  const may = await api.call("POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", {
    spec: { resourceAttributes: { verb: "get", resource: "pods", namespace: "default" } },
  });
  expect([may.code, may.body.status]).toEqual([201, { allowed: true }]);
  const neither = await api.call("POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", { spec: {} });
  expect([neither.code, neither.body.details?.causes?.[0]?.field]).toEqual([422, "spec.resourceAttributes"]);
  const who = await api.call("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", {});
  expect(who.body.status).toMatchObject({ userInfo: { username: "system:admin" } });
  const rules = await api.call("POST", "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews", {
    spec: { namespace: "default" },
  });
  expect(rules.body.status).toMatchObject({ resourceRules: [{ verbs: ["*"] }], incomplete: false });
  expect((await api.get("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews")).code).toBe(405);
});

test("the log of a pod is empty, and returns 400 for an unknown container", async () => {
  const api = new ApiHarness();
  await api.call("POST", PODS, pod("p"));
  await api.call(
    "POST",
    PODS,
    pod("two", [
      { name: "a", image: "i" },
      { name: "b", image: "i" },
    ]),
  );
  const log = await api.get(`${PODS}/p/log`);
  expect(log.code).toBe(204);
  await api.call("POST", `${PODS}/p/binding`, { metadata: { name: "p" }, target: { name: "n" } });
  const { code, body } = await api.get(`${PODS}/p/log`);
  expect([code, body]).toEqual([200, { text: "" }]);
  expect((await api.get(`${PODS}/p/log?container=x`)).body.message).toBe("container x is not valid for pod p");
  expect((await api.get(`${PODS}/two/log`)).body.message).toBe(
    "a container name must be specified for pod two, choose one of: [a b]",
  );
  expect((await api.get(`${PODS}/none/log`)).code).toBe(404);
});

test("ephemeral containers are added through the subresource only, and cannot be removed", async () => {
  const api = new ApiHarness();
  await api.call("POST", PODS, pod("p"));
  const debug = { name: "debug", image: "busybox" };
  const added = await api.merge(`${PODS}/p/ephemeralcontainers`, {
    spec: { ephemeralContainers: [debug], nodeName: "x" },
  });
  expect(added.body.spec).toMatchObject({ ephemeralContainers: [debug] });
  expect(added.body.spec?.["nodeName"]).toBeUndefined();
  const removed = await api.merge(`${PODS}/p/ephemeralcontainers`, { spec: { ephemeralContainers: null } });
  expect([removed.code, removed.body.details?.causes?.[0]?.field]).toEqual([422, "spec.ephemeralContainers"]);
});

test("a terminating namespace is removed when its finalizers are removed", async () => {
  const api = new ApiHarness();
  const { body } = await api.call("POST", "/api/v1/namespaces", { metadata: { name: "n" } });
  const kept = await api.call("PUT", "/api/v1/namespaces/n/finalize", {
    ...body,
    spec: { finalizers: ["x.dev/y", "kubernetes"] },
  });
  expect(kept.body.spec).toEqual({ finalizers: ["x.dev/y", "kubernetes"] });
  expect((await api.call("PATCH", "/api/v1/namespaces/n/finalize", {})).code).toBe(405);
  expect((await api.call("DELETE", "/api/v1/namespaces")).code).toBe(405);
});
