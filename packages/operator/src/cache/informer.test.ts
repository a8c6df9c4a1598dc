import { ConfigMap } from "@levelset/core";
import type { Fetch } from "@levelset/core";
import { isWatch } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import { describe, expect, test } from "vitest";
import { follow, isList, names } from "./follow.fixture.ts";

/** A server of old that does not know streamed lists, and refuses or ignores the question. */
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
  test("has what was there, then follows what changes, in order", async () => {
    await using cluster = await testCluster();
    await cluster.create(ConfigMap, { name: "a" });
    const following = follow(cluster);
    await cluster.rest();
    await following.informer.synced;
    await cluster.create(ConfigMap, { name: "b" });
    await cluster.patch(ConfigMap, "a", { data: { x: "1" } });
    await cluster.delete(ConfigMap, "b");
    await cluster.rest();
    expect(following.changes).toEqual(["added a", "added b", "updated a", "removed b"]);
    expect(following.informer.get({ namespace: "default", name: "a" })?.data).toEqual({ x: "1" });
    expect(cluster.faults.count(isList)).toBe(1);
  });

  test("gets all there is in one stream, which goes on as the watch", async () => {
    await using cluster = await testCluster();
    for (let i = 0; i < 1_100; i++) await cluster.create(ConfigMap, { name: `c${i}` });
    const following = follow(cluster);
    await cluster.rest();
    await cluster.create(ConfigMap, { name: "late" });
    await cluster.rest();
    expect(following.informer.list()).toHaveLength(1_101);
    expect(cluster.faults.seen.filter(({ path }) => path.endsWith("/configmaps"))).toHaveLength(1);
  });

  test.each(["refuses", "ignores"] as const)(
    "lists page by page where the server %s streamed lists, and readers never see half a list",
    async (manner) => {
      await using cluster = await testCluster();
      for (let i = 0; i < 1_100; i++) await cluster.create(ConfigMap, { name: `c${i}` });
      const following = follow(cluster, withoutStreams(manner));
      await cluster.rest();
      await cluster.clock.advance(11_000);
      await cluster.rest();
      expect(following.informer.list()).toHaveLength(1_100);
      expect(cluster.faults.count(({ query }) => query.includes("limit=500"))).toBe(3);
      await cluster.create(ConfigMap, { name: "late" });
      await cluster.rest();
      expect(following.informer.list()).toHaveLength(1_101);
    },
  );

  test("notices a connection that died without a word, and goes on from where it was", async () => {
    await using cluster = await testCluster();
    const following = follow(cluster);
    await cluster.rest();
    await cluster.clock.advance(150_000);
    await cluster.rest();
    cluster.faults.freezeWatches();
    await cluster.create(ConfigMap, { name: "unseen" });
    await cluster.clock.advance(200_000);
    await cluster.rest();
    expect(names(following.informer)).toContain("unseen");
    expect(cluster.faults.count(isList)).toBe(1);
  });

  test("misses nothing and invents nothing, whatever goes wrong at whichever event", async () => {
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
        const following = follow(cluster);
        await cluster.rest();
        for (const name of ["a", "b", "c"]) await cluster.create(ConfigMap, { name });
        await cluster.rest();
        await cluster.patch(ConfigMap, "kept", { data: { x: "1" } });
        await cluster.delete(ConfigMap, "b");
        await cluster.clock.advance(10_000);
        await cluster.rest();
        expect(names(following.informer)).toEqual(["a", "c", "kept"]);
        expect(following.informer.get({ namespace: "default", name: "kept" })?.data).toEqual({ x: "1" });
      }
    }
  });

  test("starts over when asked, and tells when the new list is here", async () => {
    await using cluster = await testCluster();
    const following = follow(cluster);
    await cluster.rest();
    cluster.faults.freezeWatches();
    await cluster.create(ConfigMap, { name: "unseen" });
    const refreshed = following.informer.refresh();
    await cluster.rest();
    await refreshed;
    expect(names(following.informer)).toContain("unseen");
  });

  test("goes on where it was after its connection is cut, without a list and without missing anything", async () => {
    await using cluster = await testCluster();
    const following = follow(cluster);
    await cluster.rest();
    for (let round = 0; round < 10; round++) {
      cluster.faults.cutWatches();
      await cluster.create(ConfigMap, { name: `c${round}` });
      await cluster.clock.advance(5_000);
      await cluster.rest();
    }
    expect(following.changes).toEqual(Array.from({ length: 10 }, (_, round) => `added c${round}`));
    expect(cluster.faults.count(isList)).toBe(1);
  });

  test("lists again when its revision has expired, and forgets what went meanwhile", async () => {
    await using cluster = await testCluster();
    await cluster.create(ConfigMap, { name: "goes" });
    await cluster.create(ConfigMap, { name: "stays" });
    const following = follow(cluster);
    await cluster.rest();
    cluster.faults.failNth(1, { kind: "status", reason: "Expired" }, isWatch);
    cluster.faults.cutWatches();
    await cluster.delete(ConfigMap, "goes");
    await cluster.create(ConfigMap, { name: "comes" });
    await cluster.clock.advance(5_000);
    await cluster.rest();
    expect(names(following.informer)).toEqual(["comes", "stays"]);
    expect(following.changes.slice(2)).toEqual(["removed goes", "added comes"]);
    expect(cluster.faults.count(isList)).toBe(2);
  });

  test("waits longer and longer while the server fails, so a broken server is not stormed", async () => {
    await using cluster = await testCluster();
    for (let nth = 1; nth <= 20; nth++) cluster.faults.failNth(1, { kind: "status", reason: "InternalError" }, isList);
    const following = follow(cluster);
    await cluster.rest();
    await cluster.clock.advance(60_000);
    expect(cluster.faults.count(isList)).toBeLessThan(12);
    await cluster.clock.advance(600_000);
    await following.informer.synced;
    expect(cluster.faults.count(isList)).toBe(21);
  });

  test("honours Retry-After", async () => {
    await using cluster = await testCluster();
    cluster.faults.failNth(1, { kind: "status", reason: "TooManyRequests", retryAfterSeconds: 40 }, isList);
    follow(cluster);
    await cluster.rest();
    await cluster.clock.advance(39_000);
    expect(cluster.faults.count(isList)).toBe(1);
    await cluster.clock.advance(1_000);
    expect(cluster.faults.count(isList)).toBe(2);
  });

  test("is quiet through quiet hours: a handful of watches, no list, and news still arrive", async () => {
    await using cluster = await testCluster();
    const following = follow(cluster);
    await cluster.rest();
    await cluster.clock.advance(3_600_000);
    expect(cluster.faults.count(isList)).toBe(1);
    expect(cluster.faults.count(isWatch)).toBeLessThanOrEqual(13);
    await cluster.create(ConfigMap, { name: "late" });
    await cluster.rest();
    expect(following.changes).toEqual(["added late"]);
  });

  test("tells what it failed with until a watch is open again, also while nothing happens on that", async () => {
    await using cluster = await testCluster();
    const following = follow(cluster);
    await cluster.rest();
    expect(following.informer.health.failure).toBeUndefined();
    cluster.faults.cutWatches();
    await cluster.rest();
    expect(following.informer.health.failure?.message).toContain("cut");
    await cluster.clock.advance(5_000);
    await cluster.rest();
    expect(following.informer.health.failure).toBeUndefined();
  });

  test("takes a server that lost its history as it is, though all it knew was newer", async () => {
    await using before = await testCluster();
    await using after = await testCluster();
    for (let i = 0; i < 50; i++) await before.create(ConfigMap, { name: `old-${i}` });
    await before.create(ConfigMap, { name: "both", data: { of: "before" } });
    await after.create(ConfigMap, { name: "both", data: { of: "after" } });
    let isReplaced = false;
    const following = follow(before, (fetch) => (request) => (isReplaced ? after.fetch : fetch)(request));
    await before.rest();
    isReplaced = true;
    before.faults.cutWatches();
    await before.clock.advance(60_000);
    await before.rest();
    expect(names(following.informer)).toEqual(["both"]);
    expect(following.informer.get({ namespace: "default", name: "both" })?.data).toEqual({ of: "after" });
    await after.create(ConfigMap, { name: "new" });
    await after.rest();
    expect(names(following.informer)).toEqual(["both", "new"]);
  });

  test("takes another server as it is when told so, though that is further on", async () => {
    await using before = await testCluster();
    await using after = await testCluster();
    await after.create(ConfigMap, { name: "both", data: { of: "after" } });
    await after.create(ConfigMap, { name: "back" });
    for (let i = 0; i < 50; i++) await after.create(ConfigMap, { name: `new-${i}` });
    for (const name of ["gone", "back"]) await before.create(ConfigMap, { name });
    await before.create(ConfigMap, { name: "both", data: { of: "before" } });
    let isReplaced = false;
    const following = follow(before, (fetch) => (request) => (isReplaced ? after.fetch : fetch)(request));
    await before.rest();
    await before.delete(ConfigMap, "back");
    await before.rest();
    isReplaced = true;
    void following.informer.refresh();
    await before.rest();
    expect(following.informer.list()).toHaveLength(52);
    expect(following.informer.get({ namespace: "default", name: "both" })?.data).toEqual({ of: "after" });
  });
});
