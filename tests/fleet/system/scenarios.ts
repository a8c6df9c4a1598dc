import { Deployment, Namespace } from "@levelset/core";
import { availableOf, FleetProblem, readyOf, verdictOf } from "@levelset/fleet/client";
import { describe, expect, test } from "vitest";
import { namespaceOf } from "../../../examples/06-fleet/kinds.ts";
import { goings, goneFrom, imageOf, namespacesLeft, readyAt } from "./observations.ts";
import type { OpenPlace } from "./place.ts";

/** What a whole fleet does with the adapters of the example, wherever it runs. */
export function defineScenarios(open: OpenPlace, timeout: number): void {
  describe("creating and changing", { timeout }, () => {
    defineChanges(open);
  });
  describe("deleting", { timeout }, () => {
    defineDeletions(open);
  });
}

function defineChanges(open: OpenPlace): void {
  test("clusters created together are all Ready, each in a namespace of its own", async () => {
    await using place = await open();
    const { system } = place;
    const names = ["eu-1", "eu-2", "eu-3", "us-1", "us-2"];
    const made = await Promise.all(names.map((name) => system.cluster(name)));
    const took = await readyAt(place, made, 1);
    expect(took).toBeLessThan(place.readyMaxMs);
    expect(await namespacesLeft(place)).toHaveLength(names.length);
    for (const { id } of made) expect(verdictOf(await system.get(id), "validation")?.status).toBe("True");
  });

  test("a node pool is Ready in the namespace of its cluster, and one that is too large says so", async () => {
    await using place = await open();
    const { system, kube } = place;
    const cluster = await system.cluster("eu-1");
    const [small, large] = await Promise.all([
      system.pool(cluster, "small", { replicas: 1 }),
      system.pool(cluster, "large", { replicas: 1_000 }),
    ]);
    await readyAt(place, [cluster, small], 1);
    const machines = await kube.get(Deployment, { name: `pool-${small.id}`, namespace: namespaceOf(cluster.id) });
    expect(machines.spec?.replicas).toBe(1);
    expect(verdictOf(await system.get(large.id), "validation")).toMatchObject({
      status: "False",
      message: "SizeAllowed: 1000 nodes are not 0 to 50",
    });
    expect(readyOf(await system.get(large.id))?.status).toBe("False");
  });

  test("a change is not Ready before it runs, and what ran before stays Available", async () => {
    await using place = await open();
    const { system } = place;
    const cluster = await system.cluster("eu-1", { version: "1.0" });
    await readyAt(place, [cluster], 1);
    const { resource } = await system.clusters.patch(cluster.id, { spec: { version: "does-not-exist" } });
    expect(readyOf(resource)?.status).toBe("False");
    await place.until(
      "the new version is tried",
      async () => (await imageOf(place, cluster))?.endsWith("exist") === true,
    );
    await place.until("the others have judged it", async () => {
      return verdictOf(await system.get(cluster.id), "validation")?.observed_generation === 2;
    });
    const stuck = await system.get(cluster.id);
    expect(readyOf(stuck)?.status).toBe("False");
    expect(availableOf(stuck)).toMatchObject({ status: "True", observed_generation: 1 });
    await system.clusters.patch(cluster.id, { spec: { version: "1.1" } });
    await readyAt(place, [cluster], 3);
    expect(await imageOf(place, cluster)).toBe("registry.example/control-plane:1.1");
  });

  test("three quick changes converge on the last", async () => {
    await using place = await open();
    const { system } = place;
    const cluster = await system.cluster("eu-1");
    for (const version of ["1.1", "1.2", "1.3"]) await system.clusters.patch(cluster.id, { spec: { version } });
    await readyAt(place, [cluster], 4);
    expect(await imageOf(place, cluster)).toBe("registry.example/control-plane:1.3");
  });
}

function defineDeletions(open: OpenPlace): void {
  test("what is below goes first, the cluster last, and nothing stays behind", async () => {
    await using place = await open();
    const { system } = place;
    const stop = new AbortController();
    const gone = goings(place, stop.signal);
    const cluster = await system.cluster("eu-1");
    const pool = await system.pool(cluster, "blue");
    await readyAt(place, [cluster, pool], 1);
    await system.clusters.delete(cluster.id);
    await goneFrom(place, [cluster, pool]);
    await place.until("the watch has told", async () => gone.length === 2);
    stop.abort();
    expect(gone).toEqual([pool.id, cluster.id]);
    expect(await namespacesLeft(place)).toEqual([]);
  });

  test("in the midst of being made or changed, it goes all the same, without an orphan", async () => {
    await using place = await open();
    const { system } = place;
    const fresh = await system.cluster("eu-1");
    await system.clusters.delete(fresh.id);
    const changed = await system.cluster("eu-2");
    await readyAt(place, [changed], 1);
    await system.clusters.patch(changed.id, { spec: { version: "2.0" } });
    await system.clusters.delete(changed.id);
    await goneFrom(place, [fresh, changed]);
    expect(await namespacesLeft(place)).toEqual([]);
  });

  test("a stuck finalizer holds only its own cluster, which refuses changes until it is gone", async () => {
    await using place = await open();
    const { system, kube } = place;
    const [held, free] = await Promise.all([system.cluster("eu-1"), system.cluster("eu-2")]);
    await readyAt(place, [held, free], 1);
    const key = { name: "control-plane", namespace: namespaceOf(held.id) };
    await kube.mergePatch(Deployment, key, { metadata: { finalizers: ["test.levelset.dev/hold"] } });
    await Promise.all([system.clusters.delete(held.id), system.clusters.delete(free.id)]);
    await goneFrom(place, [free]);
    expect(readyOf(await system.get(held.id))?.status).toBe("False");
    const change = system.clusters.patch(held.id, { spec: { version: "2.0" } });
    await expect(change).rejects.toSatisfy((error) => error instanceof FleetProblem && error.kind === "conflict");
    await kube.mergePatch(Deployment, key, { metadata: { finalizers: null } });
    await goneFrom(place, [held]);
    expect(await namespacesLeft(place)).toEqual([]);
  });

  test("what somebody else deleted is made again, and on deletion counts as gone", async () => {
    await using place = await open();
    const { system, kube } = place;
    const cluster = await system.cluster("eu-1");
    await readyAt(place, [cluster], 1);
    await kube.delete(Deployment, { name: "control-plane", namespace: namespaceOf(cluster.id) });
    await place.until("it is made again", async () => (await imageOf(place, cluster)) !== undefined);
    await kube.delete(Namespace, { name: namespaceOf(cluster.id) });
    await system.clusters.delete(cluster.id);
    await goneFrom(place, [cluster]);
    expect(await namespacesLeft(place)).toEqual([]);
  });
}
