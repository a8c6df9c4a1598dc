import { ConfigMap, Secret, silentLogger } from "@levelset/core";
import type { Kind, ObjectOf } from "@levelset/core";
import { isWatch, seededRandom } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import { describe, expect, test } from "vitest";
import { metadataOnly } from "../client/index.ts";
import { Cache } from "./index.ts";
import type { Informer } from "./index.ts";

/** A cache on a cluster, closed with it. */
function cacheOf(cluster: TestCluster): Cache {
  const { clock, faults } = cluster;
  return new Cache({ fetch: faults.fetch, clock, random: seededRandom(1), logger: silentLogger });
}

const names = <K extends Kind>(informer: Informer<K>): readonly string[] =>
  informer
    .list()
    .map((object: ObjectOf<K>) => object.metadata.name)
    .toSorted();

const meta = (name: string, labels: Readonly<Record<string, string>> = {}) => ({ namespace: "default", name, labels });

describe("a cache", () => {
  test("shares one watch per kind and selector, and stops it with the last handle", async () => {
    await using cluster = await testCluster();
    const cache = cacheOf(cluster);
    const all = [cache.watch(ConfigMap), cache.watch(ConfigMap), cache.watch(ConfigMap, { namespaces: ["default"] })];
    await Promise.all(all.map(({ synced }) => synced));
    expect(cluster.faults.count(isWatch)).toBe(2);
    all[0]?.close();
    all[0]?.close();
    expect(cache.health).toHaveLength(2);
    all[1]?.close();
    expect(cache.health.map(({ selection }) => selection)).toEqual([{ namespace: "default" }]);
    const again = cache.watch(ConfigMap);
    await again.synced;
    expect(cluster.faults.count(isWatch)).toBe(3);
    await cache.close();
    expect(cache.health).toEqual([]);
  });

  test("sends a late subscriber all cached objects, then live changes", async () => {
    await using cluster = await testCluster();
    await cluster.create(Secret, { name: "a" });
    const cache = cacheOf(cluster);
    await cache.watch(Secret).synced;
    const reported: string[] = [];
    const late = cache.watch(Secret);
    late.subscribe(({ kind, object }, { origin }) => reported.push(`${kind} ${object.metadata.name} ${origin}`));
    await cluster.create(Secret, { name: "b" });
    await cluster.untilIdle();
    late.close();
    await cluster.create(Secret, { name: "c" });
    await cluster.untilIdle();
    expect(reported).toEqual(["added a initial", "added b live"]);
    await cache.close();
  });

  test("returns our own writes before the watch delivers them, in every informer that selects them", async () => {
    await using cluster = await testCluster();
    const cache = cacheOf(cluster);
    const client = cache.client("test");
    const blue = cache.watch(Secret, { labels: "colour=blue" });
    const all = cache.watch(Secret);
    const slim = cache.watch(metadataOnly(Secret));
    await Promise.all([blue.synced, all.synced, slim.synced]);
    // From here on the watches deliver no events: all changes come from the writes.
    cluster.faults.freezeWatches();
    await client.create(Secret, { metadata: meta("a", { colour: "blue" }), stringData: { x: "1" } });
    expect([names(blue), names(all), names(slim)]).toEqual([["a"], ["a"], ["a"]]);
    expect(slim.get(meta("a"))).not.toHaveProperty("data");
    await client.mergePatch(Secret, meta("a"), { metadata: { labels: { colour: "red" } } });
    expect([names(blue), names(all)]).toEqual([[], ["a"]]);
    await client.mergePatch(Secret, meta("a"), { metadata: { labels: { colour: "blue" } } });
    expect([names(blue), names(all)]).toEqual([["a"], ["a"]]);
    await client.create(Secret, { metadata: meta("b") }, { dryRun: true });
    expect(names(all)).toEqual(["a"]);
    await client.delete(Secret, meta("a"));
    expect([names(blue), names(all), names(slim)]).toEqual([[], [], []]);
    expect(cache.isConsistent).toBe(true);
    await cache.close();
  });

  test("removes an object when our write removes its last finalizer, before the watch delivers the deletion", async () => {
    await using cluster = await testCluster();
    await cluster.create(ConfigMap, { name: "a" });
    await cluster.patch(ConfigMap, "a", { metadata: { finalizers: ["test.dev/a"] } });
    await cluster.delete(ConfigMap, "a");
    const cache = cacheOf(cluster);
    const all = cache.watch(ConfigMap);
    await all.synced;
    cluster.faults.freezeWatches();
    const key = { namespace: "default", name: "a" };
    expect(all.get(key)?.metadata.deletionTimestamp).toBeDefined();
    await cache.client("test").mergePatch(ConfigMap, key, { metadata: { finalizers: null } });
    expect(all.get(key)).toBeUndefined();
    await cache.close();
  });

  test("becomes consistent again after a write whose response was lost", async () => {
    await using cluster = await testCluster();
    const cache = cacheOf(cluster);
    const client = cache.client("test");
    const all = cache.watch(Secret);
    await all.synced;
    cluster.faults.freezeWatches();
    cluster.faults.failNth(1, { kind: "response-lost" }, ({ method }) => method === "POST");
    await expect(client.create(Secret, { metadata: { namespace: "default", generateName: "s-" } })).rejects.toThrow(
      "reset",
    );
    expect([cache.isConsistent, all.list().length]).toEqual([false, 0]);
    await cache.waitConsistent();
    expect([cache.isConsistent, all.list().length]).toEqual([true, 1]);
    await cache.close();
  });

  test("stays consistent after a write that the server rejected", async () => {
    await using cluster = await testCluster();
    const cache = cacheOf(cluster);
    await cache.watch(Secret).synced;
    await expect(cache.client("test").mergePatch(Secret, meta("none"), {})).rejects.toThrow("not found");
    expect(cache.isConsistent).toBe(true);
    await cache.close();
  });

  test("waits for a relist that began before an informer was opened that needs it", async () => {
    await using cluster = await testCluster();
    const cache = cacheOf(cluster);
    await cache.watch(Secret, { isOptional: true }).synced;
    cluster.faults.freezeWatches();
    cluster.faults.failNth(1, { kind: "response-lost" }, ({ method }) => method === "POST");
    await expect(cache.client("test").create(Secret, { metadata: meta("a") })).rejects.toThrow("reset");
    expect(cache.isConsistent).toBe(true);
    const required = cache.watch(Secret);
    expect([cache.isConsistent, names(required)]).toEqual([false, []]);
    await cache.waitConsistent();
    expect([cache.isConsistent, names(required)]).toEqual([true, ["a"]]);
    await cache.close();
  });

  test("does not wait for a relist that fails once only optional informers need it", async () => {
    await using cluster = await testCluster();
    const cache = cacheOf(cluster);
    const optional = cache.watch(Secret, { isOptional: true });
    const required = cache.watch(Secret);
    await required.synced;
    for (let nth = 1; nth <= 20; nth++) cluster.faults.failNth(1, { kind: "status", reason: "Forbidden" });
    cache.refresh();
    await cluster.untilIdle();
    expect([cache.isConsistent, optional.phase.kind]).toEqual([false, "starting"]);
    const consistent = cache.waitConsistent();
    required.close();
    await consistent;
    expect([cache.isConsistent, cache.health.length]).toEqual([true, 1]);
    await cache.close();
  });

  test("keeps a watch that was opened after close when an earlier informer is closed", async () => {
    await using cluster = await testCluster();
    const cache = cacheOf(cluster);
    const before = cache.watch(Secret);
    await cache.close();
    await cache.watch(Secret).synced;
    before.close();
    expect(cache.health).toMatchObject([{ kind: "Secret", isSynced: true }]);
    await cache.close();
  });
});
