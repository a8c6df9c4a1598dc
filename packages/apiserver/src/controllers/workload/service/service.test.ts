import { Endpoints, EndpointSlice, PodDisruptionBudget, Service } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { ControllerHarness } from "../../controller-harness.fixture.ts";
import { mustGet, template } from "../workload.fixture.ts";

describe("a service", () => {
  test("publishes its ready pods in endpoint slices and Endpoints", async () => {
    using cluster = await ControllerHarness.start({ workloads: true });
    await cluster.apply({
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "web" },
      spec: { selector: { app: "web" }, ports: [{ name: "http", port: 80, targetPort: 8080 }] },
    });
    await cluster.untilIdle();
    expect(cluster.actor.list(EndpointSlice).map(({ endpoints }) => endpoints ?? [])).toEqual([[]]);
    await cluster.apply({
      apiVersion: "apps/v1",
      kind: "ReplicaSet",
      metadata: { name: "web" },
      spec: { replicas: 2, selector: { matchLabels: { app: "web" } }, template: template("web") },
    });
    await cluster.advance(1000);
    const [slice] = cluster.actor.list(EndpointSlice);
    expect(slice?.endpoints?.map(({ conditions }) => conditions?.ready)).toEqual([true, true]);
    expect(slice?.ports).toEqual([{ name: "http", port: 8080, protocol: "TCP" }]);
    expect(slice?.metadata.labels?.["kubernetes.io/service-name"]).toBe("web");
    expect(mustGet(cluster, Endpoints, "web").subsets?.[0]?.addresses).toHaveLength(2);
    await cluster.delete(Service, "web");
    await cluster.untilIdle();
    expect([cluster.names(EndpointSlice), cluster.names(Endpoints)]).toEqual([[], []]);
  });
});

test("a disruption budget reports its allowed disruptions", async () => {
  using cluster = await ControllerHarness.start({ workloads: true });
  await cluster.apply({
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name: "b" },
    spec: { minAvailable: "50%", selector: { matchLabels: { app: "web" } } },
  });
  await cluster.apply({
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: { name: "web" },
    spec: { replicas: 3, selector: { matchLabels: { app: "web" } }, template: template("web") },
  });
  await cluster.advance(1000);
  expect(mustGet(cluster, PodDisruptionBudget, "b").status).toMatchObject({
    expectedPods: 3,
    currentHealthy: 3,
    desiredHealthy: 2,
    disruptionsAllowed: 1,
  });
});
