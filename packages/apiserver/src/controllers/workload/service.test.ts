import { Endpoints, EndpointSlice, PodDisruptionBudget, Service } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { Cluster } from "../cluster.fixture.ts";
import { seen, template } from "./workload.fixture.ts";

describe("a service", () => {
  test("leads to the pods that are ready, by endpoint slice and by Endpoints", async () => {
    using cluster = await Cluster.start({ workloads: true });
    await cluster.apply({
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "web" },
      spec: { selector: { app: "web" }, ports: [{ name: "http", port: 80, targetPort: 8080 }] },
    });
    await cluster.rest();
    expect(cluster.actor.list(EndpointSlice).map(({ endpoints }) => endpoints ?? [])).toEqual([[]]);
    await cluster.apply({
      apiVersion: "apps/v1",
      kind: "ReplicaSet",
      metadata: { name: "web" },
      spec: { replicas: 2, selector: { matchLabels: { app: "web" } }, template: template("web") },
    });
    await cluster.pass(1000);
    const [slice] = cluster.actor.list(EndpointSlice);
    expect(slice?.endpoints?.map(({ conditions }) => conditions?.ready)).toEqual([true, true]);
    expect(slice?.ports).toEqual([{ name: "http", port: 8080, protocol: "TCP" }]);
    expect(slice?.metadata.labels?.["kubernetes.io/service-name"]).toBe("web");
    expect(seen(cluster, Endpoints, "web").subsets?.[0]?.addresses).toHaveLength(2);
    await cluster.delete(Service, "web");
    await cluster.rest();
    expect([cluster.names(EndpointSlice), cluster.names(Endpoints)]).toEqual([[], []]);
  });
});

test("a disruption budget counts the pods it can do without", async () => {
  using cluster = await Cluster.start({ workloads: true });
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
  await cluster.pass(1000);
  expect(seen(cluster, PodDisruptionBudget, "b").status).toMatchObject({
    expectedPods: 3,
    currentHealthy: 3,
    desiredHealthy: 2,
    disruptionsAllowed: 1,
  });
});
