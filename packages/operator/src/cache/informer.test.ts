import { ConfigMap, silentLogger } from "@levelset/core";
import type { Fetch, KubeObject } from "@levelset/core";
import { seededRandom } from "@levelset/core/testing";
import type { RequestFilter } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import { describe, expect, test } from "vitest";
import { Client } from "../client/index.ts";
import { Informer } from "./index.ts";

const isWatch: RequestFilter = ({ query }) => query.includes("watch=true");
const isList: RequestFilter = (request) => request.method === "GET" && !isWatch(request);

interface Following {
  readonly informer: Informer<typeof ConfigMap>;
  readonly changes: readonly string[];
  /** Ends the streams of all watches that are open now, in the middle of an event. */
  cut(): void;
}

/** Follows the ConfigMaps of a cluster, over a connection that the test can cut. */
function follow(cluster: TestCluster): Following {
  const changes: string[] = [];
  const cutters = new Set<() => void>();
  const cuttable =
    (inner: Fetch): Fetch =>
    async (request) => {
      const response = await inner(request);
      if (!request.url.includes("watch=true") || response.body === null) return response;
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      const stop = new AbortController();
      cutters.add(() => stop.abort());
      response.body.pipeTo(writable, { signal: stop.signal }).catch(() => {});
      return new Response(readable, response);
    };
  let informer: Informer<typeof ConfigMap> | undefined;
  cluster.run({
    name: "follower",
    start: (world) => {
      const client = new Client({ fetch: cuttable(world.fetch), fieldManager: "test" });
      const { clock, signal } = world;
      informer = new Informer({ client, kind: ConfigMap, clock, random: seededRandom(1), logger: silentLogger });
      informer.subscribe((change) => changes.push(`${change.kind} ${change.object.metadata.name}`));
      return informer.run(signal);
    },
  });
  return {
    get informer() {
      if (informer === undefined) throw new Error("not started yet");
      return informer;
    },
    changes,
    cut: () => {
      for (const cutter of cutters) cutter();
      cutters.clear();
    },
  };
}

function names(informer: Informer<typeof ConfigMap>): readonly string[] {
  return informer
    .list()
    .map((object: KubeObject) => object.metadata.name)
    .toSorted();
}

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

  test("lists page by page, and readers never see half a list", async () => {
    await using cluster = await testCluster();
    for (let i = 0; i < 1_100; i++) await cluster.create(ConfigMap, { name: `c${i}` });
    const following = follow(cluster);
    await cluster.rest();
    expect(following.informer.list()).toHaveLength(1_100);
    expect(cluster.faults.count(isList)).toBe(3);
  });

  test("goes on where it was after its connection is cut, without a list and without missing anything", async () => {
    await using cluster = await testCluster();
    const following = follow(cluster);
    await cluster.rest();
    for (let round = 0; round < 10; round++) {
      following.cut();
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
    following.cut();
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
});
