import { Deployment, Namespace } from "@levelset/core";
import { availableOf, FleetApiError, readyOf, adapterConditionOf } from "@levelset/fleet/client";
import { describe, expect, test } from "vitest";
import { namespaceForCluster } from "../../../../examples/06-fleet/kinds.ts";
import { deletionOrder, untilDeleted, imageOf, namespacesLeft, untilReadyAt } from "./observations.ts";
import type { OpenSystemHarness } from "./system-harness.ts";

/** Scenarios of a complete fleet with the adapters of the example, for all environments. */
export function defineScenarios(open: OpenSystemHarness): void {
  describe("creating and changing", () => {
    defineChanges(open);
  });
  describe("deleting", () => {
    defineDeletions(open);
  });
}

function defineChanges(open: OpenSystemHarness): void {
  test("clusters created together all become Ready, each in a separate namespace", async () => {
    await using harness = await open();
    const { system } = harness;
    const names = ["eu-1", "eu-2", "eu-3", "us-1", "us-2"];
    const clusters = await Promise.all(names.map((name) => system.cluster(name)));
    const took = await untilReadyAt(harness, clusters, 1);
    expect(took).toBeLessThan(harness.readyMaxMs);
    expect(await namespacesLeft(harness)).toHaveLength(names.length);
    for (const { id } of clusters) expect(adapterConditionOf(await system.get(id), "validation")?.status).toBe("True");
  });

  test("a node pool is Ready in the namespace of its cluster, and one that is too large reports it", async () => {
    await using harness = await open();
    const { system, kube } = harness;
    const cluster = await system.cluster("eu-1");
    const [small, large] = await Promise.all([
      system.pool(cluster, "small", { replicas: 1 }),
      system.pool(cluster, "large", { replicas: 1_000 }),
    ]);
    await untilReadyAt(harness, [cluster, small], 1);
    const machines = await kube.get(Deployment, {
      name: `pool-${small.id}`,
      namespace: namespaceForCluster(cluster.id),
    });
    expect(machines.spec?.replicas).toBe(1);
    expect(adapterConditionOf(await system.get(large.id), "validation")).toMatchObject({
      status: "False",
      message: "SizeAllowed: spec.replicas: 1000 is not between 0 and 50",
    });
    expect(readyOf(await system.get(large.id))?.status).toBe("False");
  });

  test("a change is not Ready before it runs, and the previous version stays Available", async () => {
    await using harness = await open();
    const { system } = harness;
    const cluster = await system.cluster("eu-1", { version: "1.0" });
    await untilReadyAt(harness, [cluster], 1);
    const { resource } = await system.clusters.patch(cluster.id, { spec: { version: "does-not-exist" } });
    expect(readyOf(resource)?.status).toBe("False");
    await harness.until(
      "the new version is applied",
      async () => (await imageOf(harness, cluster))?.endsWith("exist") === true,
    );
    await harness.until("the other adapters have reported", async () => {
      return adapterConditionOf(await system.get(cluster.id), "validation")?.observed_generation === 2;
    });
    const stuck = await system.get(cluster.id);
    expect(readyOf(stuck)?.status).toBe("False");
    expect(availableOf(stuck)).toMatchObject({ status: "True", observed_generation: 1 });
    await system.clusters.patch(cluster.id, { spec: { version: "1.1" } });
    await untilReadyAt(harness, [cluster], 3);
    expect(await imageOf(harness, cluster)).toBe("registry.example/control-plane:1.1");
  });

  test("three quick changes converge on the last", async () => {
    await using harness = await open();
    const { system } = harness;
    const cluster = await system.cluster("eu-1");
    for (const version of ["1.1", "1.2", "1.3"]) await system.clusters.patch(cluster.id, { spec: { version } });
    await untilReadyAt(harness, [cluster], 4);
    expect(await imageOf(harness, cluster)).toBe("registry.example/control-plane:1.3");
  });
}

function defineDeletions(open: OpenSystemHarness): void {
  test("children are removed first, the cluster last, and no objects are left behind", async () => {
    await using harness = await open();
    const { system } = harness;
    const stop = new AbortController();
    const removed = deletionOrder(harness, stop.signal);
    const cluster = await system.cluster("eu-1");
    const pool = await system.pool(cluster, "blue");
    await untilReadyAt(harness, [cluster, pool], 1);
    await system.clusters.delete(cluster.id);
    await untilDeleted(harness, [cluster, pool]);
    await harness.until("the watch has reported", async () => removed.length === 2);
    stop.abort();
    expect(removed).toEqual([pool.id, cluster.id]);
    expect(await namespacesLeft(harness)).toEqual([]);
  });

  test("a deletion during creation or a change leaves no orphans", async () => {
    await using harness = await open();
    const { system } = harness;
    const fresh = await system.cluster("eu-1");
    await system.clusters.delete(fresh.id);
    const changed = await system.cluster("eu-2");
    await untilReadyAt(harness, [changed], 1);
    await system.clusters.patch(changed.id, { spec: { version: "2.0" } });
    await system.clusters.delete(changed.id);
    await untilDeleted(harness, [fresh, changed]);
    expect(await namespacesLeft(harness)).toEqual([]);
  });

  test("a stuck finalizer blocks only its own cluster, which refuses changes until it is removed", async () => {
    await using harness = await open();
    const { system, kube } = harness;
    const [held, free] = await Promise.all([system.cluster("eu-1"), system.cluster("eu-2")]);
    await untilReadyAt(harness, [held, free], 1);
    const key = { name: "control-plane", namespace: namespaceForCluster(held.id) };
    await kube.mergePatch(Deployment, key, { metadata: { finalizers: ["test.levelset.dev/hold"] } });
    await Promise.all([system.clusters.delete(held.id), system.clusters.delete(free.id)]);
    await untilDeleted(harness, [free]);
    expect(readyOf(await system.get(held.id))?.status).toBe("False");
    const change = system.clusters.patch(held.id, { spec: { version: "2.0" } });
    await expect(change).rejects.toSatisfy((error) => error instanceof FleetApiError && error.kind === "conflict");
    await kube.mergePatch(Deployment, key, { metadata: { finalizers: null } });
    await untilDeleted(harness, [held]);
    expect(await namespacesLeft(harness)).toEqual([]);
  });

  test("objects deleted by a third party are recreated, and count as removed on deletion", async () => {
    await using harness = await open();
    const { system, kube } = harness;
    const cluster = await system.cluster("eu-1");
    await untilReadyAt(harness, [cluster], 1);
    await kube.delete(Deployment, { name: "control-plane", namespace: namespaceForCluster(cluster.id) });
    await harness.until("the Deployment is recreated", async () => (await imageOf(harness, cluster)) !== undefined);
    await kube.delete(Namespace, { name: namespaceForCluster(cluster.id) });
    await system.clusters.delete(cluster.id);
    await untilDeleted(harness, [cluster]);
    expect(await namespacesLeft(harness)).toEqual([]);
  });
}
