import { ConfigMap } from "@levelset/core";
import type { Fetch } from "@levelset/core";
import { isWatch } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import { describe, expect, test } from "vitest";
import { startInformer, isList, cachedNames } from "./informer.fixture.ts";

/** A server without streamed lists (KEP-3157) that rejects or ignores sendInitialEvents. */
const withoutStreams =
  (manner: "refuses" | "ignores") =>
  (fetch: Fetch): Fetch =>
  (request) => {
    const url = new URL(request.url);
    if (!url.searchParams.has("sendInitialEvents")) return fetch(request);
    if (manner === "refuses") {
      const status = { kind: "Status", reason: "Invalid", message: "sendInitialEvents is forbidden", code: 422 };
      return Promise.resolve(new Response(JSON.stringify(status), { status: 422 }));
    }
    for (const name of ["sendInitialEvents", "resourceVersionMatch", "allowWatchBookmarks"])
      url.searchParams.delete(name);
    return fetch(new Request(url, request));
  };

describe("an informer", () => {
  test("lists existing objects, then delivers changes in order", async () => {
    await using cluster = await testCluster();
    await cluster.create(ConfigMap, { name: "a" });
    const informer = startInformer(cluster);
    await cluster.untilIdle();
    await informer.informer.synced;
    await cluster.create(ConfigMap, { name: "b" });
    await cluster.patch(ConfigMap, "a", { data: { x: "1" } });
    await cluster.delete(ConfigMap, "b");
    await cluster.untilIdle();
    expect(informer.changes).toEqual(["added a", "added b", "updated a", "removed b"]);
    expect(informer.informer.get({ namespace: "default", name: "a" })?.data).toEqual({ x: "1" });
    expect(cluster.faults.count(isList)).toBe(1);
  });

  test("lists with one stream, which continues as the watch", async () => {
    await using cluster = await testCluster();
    for (let i = 0; i < 1_100; i++) await cluster.create(ConfigMap, { name: `c${i}` });
    const informer = startInformer(cluster);
    await cluster.untilIdle();
    await cluster.create(ConfigMap, { name: "late" });
    await cluster.untilIdle();
    expect(informer.informer.list()).toHaveLength(1_101);
    expect(cluster.faults.requests.filter(({ path }) => path.endsWith("/configmaps"))).toHaveLength(1);
  });

  test.each(["refuses", "ignores"] as const)(
    "lists page by page if the server %s streamed lists, and never exposes a partial list",
    async (manner) => {
      await using cluster = await testCluster();
      for (let i = 0; i < 1_100; i++) await cluster.create(ConfigMap, { name: `c${i}` });
      const informer = startInformer(cluster, withoutStreams(manner));
      await cluster.untilIdle();
      await cluster.clock.advance(11_000);
      await cluster.untilIdle();
      expect(informer.informer.list()).toHaveLength(1_100);
      expect(cluster.faults.count(({ query }) => query.includes("limit=500"))).toBe(3);
      await cluster.create(ConfigMap, { name: "late" });
      await cluster.untilIdle();
      expect(informer.informer.list()).toHaveLength(1_101);
    },
  );

  test("detects a dead connection and resumes the watch", async () => {
    await using cluster = await testCluster();
    const informer = startInformer(cluster);
    await cluster.untilIdle();
    await cluster.clock.advance(150_000);
    await cluster.untilIdle();
    cluster.faults.freezeWatches();
    await cluster.create(ConfigMap, { name: "unseen" });
    await cluster.clock.advance(200_000);
    await cluster.untilIdle();
    expect(cachedNames(informer.informer)).toContain("unseen");
    expect(cluster.faults.count(isList)).toBe(1);
  });

  test("neither misses nor invents changes with any fault at any event", async () => {
    const faults = [
      { kind: "cut" },
      { kind: "duplicate" },
      { kind: "delay", ms: 3_000 },
      { kind: "status", reason: "Expired" },
      { kind: "status", reason: "InternalError" },
    ] as const;
    for (const fault of faults) {
      for (let nth = 1; nth <= 8; nth++) {
        await using cluster = await testCluster();
        await cluster.create(ConfigMap, { name: "kept" });
        cluster.faults.failNthEvent(nth, fault);
        const informer = startInformer(cluster);
        await cluster.untilIdle();
        for (const name of ["a", "b", "c"]) await cluster.create(ConfigMap, { name });
        await cluster.untilIdle();
        await cluster.patch(ConfigMap, "kept", { data: { x: "1" } });
        await cluster.delete(ConfigMap, "b");
        await cluster.clock.advance(10_000);
        await cluster.untilIdle();
        expect(cachedNames(informer.informer)).toEqual(["a", "c", "kept"]);
        expect(informer.informer.get({ namespace: "default", name: "kept" })?.data).toEqual({ x: "1" });
      }
    }
  });

  test("relists on refresh, which resolves with the new list", async () => {
    await using cluster = await testCluster();
    const informer = startInformer(cluster);
    await cluster.untilIdle();
    cluster.faults.freezeWatches();
    await cluster.create(ConfigMap, { name: "unseen" });
    const refreshed = informer.refresh();
    await cluster.untilIdle();
    await refreshed;
    expect(cachedNames(informer.informer)).toContain("unseen");
  });

  test("resumes after a cut connection without a list and without missing a change", async () => {
    await using cluster = await testCluster();
    const informer = startInformer(cluster);
    await cluster.untilIdle();
    for (let round = 0; round < 10; round++) {
      cluster.faults.cutWatches();
      await cluster.create(ConfigMap, { name: `c${round}` });
      await cluster.clock.advance(5_000);
      await cluster.untilIdle();
    }
    expect(informer.changes).toEqual(Array.from({ length: 10 }, (_, round) => `added c${round}`));
    expect(cluster.faults.count(isList)).toBe(1);
  });

  test("relists when its resourceVersion has expired, and removes objects deleted meanwhile", async () => {
    await using cluster = await testCluster();
    await cluster.create(ConfigMap, { name: "goes" });
    await cluster.create(ConfigMap, { name: "stays" });
    const informer = startInformer(cluster);
    await cluster.untilIdle();
    cluster.faults.failNth(1, { kind: "status", reason: "Expired" }, isWatch);
    cluster.faults.cutWatches();
    await cluster.delete(ConfigMap, "goes");
    await cluster.create(ConfigMap, { name: "comes" });
    await cluster.clock.advance(5_000);
    await cluster.untilIdle();
    expect(cachedNames(informer.informer)).toEqual(["comes", "stays"]);
    expect(informer.changes.slice(2)).toEqual(["removed goes", "added comes"]);
    expect(cluster.faults.count(isList)).toBe(2);
  });

  test("retries with growing delays while the server fails", async () => {
    await using cluster = await testCluster();
    for (let nth = 1; nth <= 20; nth++) cluster.faults.failNth(1, { kind: "status", reason: "InternalError" }, isList);
    const informer = startInformer(cluster);
    await cluster.untilIdle();
    await cluster.clock.advance(60_000);
    expect(cluster.faults.count(isList)).toBeLessThan(12);
    await cluster.clock.advance(600_000);
    await informer.informer.synced;
    expect(cluster.faults.count(isList)).toBe(21);
  });

  test("honours Retry-After", async () => {
    await using cluster = await testCluster();
    cluster.faults.failNth(1, { kind: "status", reason: "TooManyRequests", retryAfterSeconds: 40 }, isList);
    startInformer(cluster);
    await cluster.untilIdle();
    await cluster.clock.advance(39_000);
    expect(cluster.faults.count(isList)).toBe(1);
    await cluster.clock.advance(1_000);
    expect(cluster.faults.count(isList)).toBe(2);
  });

  test("sends few watches and no list during idle hours, and still receives changes", async () => {
    await using cluster = await testCluster();
    const informer = startInformer(cluster);
    await cluster.untilIdle();
    await cluster.clock.advance(3_600_000);
    expect(cluster.faults.count(isList)).toBe(1);
    expect(cluster.faults.count(isWatch)).toBeLessThanOrEqual(13);
    await cluster.create(ConfigMap, { name: "late" });
    await cluster.untilIdle();
    expect(informer.changes).toEqual(["added late"]);
  });

  test("reports its failure until a watch is open again, even without events", async () => {
    await using cluster = await testCluster();
    const informer = startInformer(cluster);
    await cluster.untilIdle();
    expect(informer.informer.failure).toBeUndefined();
    cluster.faults.cutWatches();
    await cluster.untilIdle();
    expect(informer.informer.failure?.message).toContain("cut");
    await cluster.clock.advance(5_000);
    await cluster.untilIdle();
    expect(informer.informer.failure).toBeUndefined();
  });

  test("accepts a server that lost its history, although the cached versions are newer", async () => {
    await using before = await testCluster();
    await using after = await testCluster();
    for (let i = 0; i < 50; i++) await before.create(ConfigMap, { name: `old-${i}` });
    await before.create(ConfigMap, { name: "both", data: { of: "before" } });
    await after.create(ConfigMap, { name: "both", data: { of: "after" } });
    let isReplaced = false;
    const informer = startInformer(before, (fetch) => (request) => (isReplaced ? after.fetch : fetch)(request));
    await before.untilIdle();
    isReplaced = true;
    before.faults.cutWatches();
    await before.clock.advance(60_000);
    await before.untilIdle();
    expect(cachedNames(informer.informer)).toEqual(["both"]);
    expect(informer.informer.get({ namespace: "default", name: "both" })?.data).toEqual({ of: "after" });
    await after.create(ConfigMap, { name: "new" });
    await after.untilIdle();
    expect(cachedNames(informer.informer)).toEqual(["both", "new"]);
  });

  test("accepts another server after a refresh, although its versions are newer", async () => {
    await using before = await testCluster();
    await using after = await testCluster();
    await after.create(ConfigMap, { name: "both", data: { of: "after" } });
    await after.create(ConfigMap, { name: "back" });
    for (let i = 0; i < 50; i++) await after.create(ConfigMap, { name: `new-${i}` });
    for (const name of ["gone", "back"]) await before.create(ConfigMap, { name });
    await before.create(ConfigMap, { name: "both", data: { of: "before" } });
    let isReplaced = false;
    const informer = startInformer(before, (fetch) => (request) => (isReplaced ? after.fetch : fetch)(request));
    await before.untilIdle();
    await before.delete(ConfigMap, "back");
    await before.untilIdle();
    isReplaced = true;
    void informer.refresh();
    await before.untilIdle();
    expect(informer.informer.list()).toHaveLength(52);
    expect(informer.informer.get({ namespace: "default", name: "both" })?.data).toEqual({ of: "after" });
  });
});
