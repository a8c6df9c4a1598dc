import { expect, test } from "vitest";
import { ApiHarness } from "./api.fixture.ts";

const pathIn = (group: string, resource: string): string => `/apis/${group}/v1/namespaces/default/${resource}`;
const EVENTS = pathIn("events.k8s.io", "events");
const CORE_EVENTS = "/api/v1/namespaces/default/events";
const SCALERS = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";

test("an event written through one group is readable through the other, with its fields renamed", async () => {
  const api = new ApiHarness();
  const regarding = { kind: "Pod", name: "p", namespace: "default" };
  const facts = { reason: "Done", action: "Do", type: "Normal", reportingInstance: "i" };
  const newer = {
    ...facts,
    note: "well",
    regarding,
    eventTime: "2026-01-01T00:00:00.000000Z",
    reportingController: "a.b/c",
  };
  const { code, body } = await api.call("POST", EVENTS, { metadata: { name: "n" }, ...newer });
  expect([code, body["note"], body["deprecatedSource"]]).toEqual([201, "well", {}]);
  const core = await api.get(`${CORE_EVENTS}/n`);
  expect(core.body).toMatchObject({
    apiVersion: "v1",
    message: "well",
    involvedObject: regarding,
    reportingComponent: "a.b/c",
  });
  await api.call("POST", CORE_EVENTS, {
    metadata: { name: "o" },
    involvedObject: regarding,
    message: "older",
    count: 3,
  });
  const listed = await api.get(EVENTS);
  expect(listed.body.items?.map((event) => [event["note"], event["deprecatedCount"]])).toEqual([
    ["well", undefined],
    ["older", 3],
  ]);
  const patched = await api.merge(`${EVENTS}/n`, {
    series: { count: 2, lastObservedTime: "2026-01-01T00:00:01.000000Z" },
  });
  expect(patched.code).toBe(200);
  const refused = await api.merge(`${EVENTS}/n`, { note: "other" });
  expect(refused.body.details?.causes?.[0]?.field).toBe("message");
  await api.call("DELETE", `${EVENTS}/n`);
  expect((await api.get(`${CORE_EVENTS}/n`)).code).toBe(404);
});

test("a watch of one group receives writes made through the other", async () => {
  const api = new ApiHarness();
  const watching = await api.watch(`${EVENTS}?watch=true&resourceVersion=${api.store.revision}`);
  const involvedObject = { kind: "Pod", name: "p", namespace: "default" };
  await api.call("POST", CORE_EVENTS, { metadata: { name: "o" }, involvedObject, message: "hello" });
  const [event] = await watching.take(1);
  await watching.cancel();
  expect([event?.type, event?.object.apiVersion, event?.object["note"]]).toEqual([
    "ADDED",
    "events.k8s.io/v1",
    "hello",
  ]);
});

test.each([
  [
    "a role binding",
    pathIn("rbac.authorization.k8s.io", "rolebindings"),
    { roleRef: { kind: "Role", name: "r" }, subjects: [{ kind: "User", name: "u" }] },
    { roleRef: { name: "other" } },
    "roleRef",
  ],
  [
    "an ingress class",
    "/apis/networking.k8s.io/v1/ingressclasses",
    { spec: { controller: "a.b/c" } },
    { spec: { controller: "a.b/d" } },
    "spec.controller",
  ],
  ["a priority class", "/apis/scheduling.k8s.io/v1/priorityclasses", { value: 1 }, { value: 2 }, "value"],
  [
    "a storage class",
    "/apis/storage.k8s.io/v1/storageclasses",
    { provisioner: "a.b/c" },
    { reclaimPolicy: "Retain" },
    "reclaimPolicy",
  ],
  [
    "a slice",
    pathIn("discovery.k8s.io", "endpointslices"),
    { addressType: "IPv4", endpoints: [] },
    { addressType: "IPv6" },
    "addressType",
  ],
])("immutable fields of %s are rejected on update", async (_what, path, fields, change, field) => {
  const api = new ApiHarness();
  expect((await api.call("POST", path, { metadata: { name: "a" }, ...fields })).code).toBe(201);
  const refused = await api.merge(`${path}/a`, change);
  expect([refused.code, refused.body.details?.causes?.[0]?.field]).toEqual([422, field]);
  expect((await api.merge(`${path}/a`, { metadata: { labels: { a: "b" } } })).code).toBe(200);
});

test("omitted fields are defaulted", async () => {
  const api = new ApiHarness();
  const scaler = await api.call("POST", SCALERS, {
    metadata: { name: "a" },
    spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" }, maxReplicas: 3 },
  });
  expect(scaler.body.spec).toMatchObject({ minReplicas: 1, metrics: [{ type: "Resource" }] });
  const policy = await api.call("POST", pathIn("networking.k8s.io", "networkpolicies"), {
    metadata: { name: "a" },
    spec: { podSelector: {}, egress: [{ ports: [{ port: 53 }] }] },
  });
  expect(policy.body.spec).toMatchObject({
    policyTypes: ["Ingress", "Egress"],
    egress: [{ ports: [{ protocol: "TCP" }] }],
  });
});

test("an autoscaling/v1 autoscaler is readable as v2 and keeps the fields that v1 cannot express", async () => {
  const api = new ApiHarness();
  const older = SCALERS.replace("/v2/", "/v1/");
  const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "d" };
  const made = await api.call("POST", older, {
    metadata: { name: "a" },
    spec: { scaleTargetRef, maxReplicas: 3, targetCPUUtilizationPercentage: 60 },
  });
  expect([made.code, made.body.apiVersion, made.body.spec]).toEqual([
    201,
    "autoscaling/v1",
    { scaleTargetRef, minReplicas: 1, maxReplicas: 3, targetCPUUtilizationPercentage: 60 },
  ]);
  const memory = {
    type: "Resource",
    resource: { name: "memory", target: { type: "AverageValue", averageValue: "1Gi" } },
  };
  const cpu = { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 60 } } };
  expect((await api.get(`${SCALERS}/a`)).body.spec).toMatchObject({ metrics: [cpu] });
  await api.merge(`${SCALERS}/a`, { spec: { metrics: [memory, cpu] } });
  await api.merge(`${older}/a`, { spec: { targetCPUUtilizationPercentage: 70 } });
  const { body } = await api.get(`${SCALERS}/a`);
  expect(body.spec?.["metrics"]).toMatchObject([memory, { resource: { target: { averageUtilization: 70 } } }]);
  expect(body.metadata.annotations).toBeUndefined();
});
