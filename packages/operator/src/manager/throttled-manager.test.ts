import { ConfigMap, Event, kind, Lease, s } from "@levelset/core";
import type { Fetch, Runnable } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import type { RecordedRequest } from "@levelset/core/testing";
import { describe, expect, test } from "vitest";
import { fail, ok, step } from "../engine/index.ts";
import { manager, operator } from "./index.ts";
import "./metrics.ts";

const make = (name: string) => kind({ group: "test.levelset.dev", version: "v1", kind: name, spec: s.object({}) });
const Apple = make("Apple");
const Pear = make("Pear");

const apples = operator(Apple, [
  step(Apple, "Ripen", {
    do: (req) => {
      req.event({ reason: "Ripened", message: "it is red" });
      return ok();
    },
  }),
]);
const pears = operator(Pear, [step(Pear, "Ripen", { do: () => ok() })]);
const leaderElection = { namespace: "default", name: "fruit", identity: "one" };

const isLease = ({ path }: RecordedRequest): boolean => path.includes("/leases");
const isStatusWrite = ({ method, path }: RecordedRequest): boolean => method !== "GET" && path.endsWith("/status");

/** Creates Apples, which the first operator reconciles with one status write and one Event each. */
async function createApples(cluster: TestCluster, count: number): Promise<void> {
  for (let n = 0; n < count; n++) await cluster.apply(Apple, { name: `a${n}`, spec: {} });
}

async function readyApples(cluster: TestCluster, count: number): Promise<number> {
  const all = await Promise.all(Array.from({ length: count }, (_, n) => cluster.get(Apple, `a${n}`)));
  return all.filter((apple) => apple?.status?.observedGeneration === 1).length;
}

/** Returns the number of requests so far without those for the lease. */
function sentBy(cluster: TestCluster): number {
  return cluster.faults.count((request) => !isLease(request));
}

/** A server that rejects all requests except those for leases while it is overloaded. */
class OverloadedServer {
  isOverloaded = false;
  rejected = 0;

  /** Returns a runnable that uses this server. */
  serve(runnable: Runnable): Runnable {
    return { ...runnable, start: (world) => runnable.start({ ...world, fetch: this.#before(world.fetch) }) };
  }

  #before(server: Fetch): Fetch {
    return async (request) => {
      if (!this.isOverloaded || request.url.includes("/leases")) return server(request);
      this.rejected++;
      const headers = { "retry-after": "1" };
      return new Response("Too many requests, please try again later.\n", { status: 429, headers });
    };
  }
}

describe("with qps, a manager", () => {
  test("sends at most burst plus qps requests, renews its lease in time, and writes all objects and Events", async () => {
    await using cluster = await testCluster();
    await cluster.install(Apple);
    await createApples(cluster, 20);
    cluster.run(manager([apples], { qps: 2, burst: 4, leaderElection }));
    await cluster.untilIdle();
    const renewals: number[] = [];
    for (let second = 1; second <= 30; second++) {
      await cluster.clock.advance(1_000);
      expect(sentBy(cluster)).toBeLessThanOrEqual(4 + 2 * second);
      renewals.push(cluster.clock.now() - Date.parse((await cluster.get(Lease, "fruit"))?.spec?.renewTime ?? ""));
    }
    expect(Math.max(...renewals)).toBeLessThanOrEqual(2_000);
    expect(await readyApples(cluster, 20)).toBe(20);
    expect(await cluster.list(Event)).toHaveLength(20);
    const settled = sentBy(cluster);
    await cluster.clock.advance(30_000);
    expect(sentBy(cluster)).toBe(settled);
  });

  test("streams lists that wait longer than a server may take to start one", async () => {
    await using cluster = await testCluster();
    cluster.run(manager([apples, pears], { qps: 0.05, burst: 1 }));
    await cluster.clock.advance(25_000);
    await cluster.untilIdle();
    expect(cluster.faults.count(({ query }) => query.includes("sendInitialEvents=true"))).toBe(2);
    expect(cluster.faults.count(({ query }) => query.includes("limit="))).toBe(0);
  });
});

describe("while the API server rejects requests, a manager", () => {
  test("sends about one request per Retry-After, renews its lease, and continues afterwards", async () => {
    await using cluster = await testCluster();
    const server = new OverloadedServer();
    cluster.run(server.serve(manager([apples, pears], { leaderElection })));
    await cluster.untilIdle();
    server.isOverloaded = true;
    await createApples(cluster, 40);
    await cluster.untilIdle();
    // One request of each of the four workers, which are sent before the first response.
    const first = server.rejected;
    expect(first).toBeLessThanOrEqual(5);
    await cluster.clock.advance(20_000);
    expect(server.rejected - first).toBeLessThanOrEqual(20);
    expect((await cluster.get(Lease, "fruit"))?.spec?.holderIdentity).toBe("one");
    server.isOverloaded = false;
    await cluster.clock.advance(60_000);
    await cluster.untilIdle();
    expect(await readyApples(cluster, 40)).toBe(40);
  });

  test("requeues an object after a long Retry-After, and sends nothing until then", async () => {
    await using cluster = await testCluster();
    cluster.run(manager([apples], {}));
    await cluster.untilIdle();
    cluster.faults.failNth(1, { kind: "status", reason: "TooManyRequests", retryAfterSeconds: 60 }, isStatusWrite);
    await createApples(cluster, 1);
    await cluster.untilIdle();
    const before = sentBy(cluster);
    await createApples(cluster, 3);
    await cluster.clock.advance(47_000);
    await cluster.untilIdle();
    expect(sentBy(cluster)).toBe(before);
    await cluster.clock.advance(60_000);
    await cluster.untilIdle();
    expect(await readyApples(cluster, 3)).toBe(3);
  });

  test("does not run an object again during a long pause, also if its step hides the response", async () => {
    await using cluster = await testCluster();
    let runs = 0;
    const hiding = operator(
      Apple,
      [
        step(Apple, "Read", {
          do: async ({ client, signal }) => {
            const key = { namespace: "default", name: "settings" };
            return client.get(ConfigMap, key, { signal }).then(
              () => ok(),
              () => fail("cannot read the settings"),
            );
          },
        }),
      ],
      { onRun: () => runs++ },
    );
    await cluster.create(ConfigMap, { name: "settings" });
    cluster.run(manager([hiding]));
    await cluster.untilIdle();
    const isSettings = ({ path }: RecordedRequest): boolean => path.endsWith("/settings");
    // The first failure is written to the status. The second is the same, so its run writes nothing.
    cluster.faults.failNth(1, { kind: "status", reason: "Forbidden" }, isSettings);
    cluster.faults.failNth(1, { kind: "status", reason: "TooManyRequests", retryAfterSeconds: 60 }, isSettings);
    await createApples(cluster, 1);
    await cluster.clock.advance(59_000);
    expect(runs).toBe(2);
    await cluster.clock.advance(14_000);
    await cluster.untilIdle();
    expect(await readyApples(cluster, 1)).toBe(1);
  });
});

test("a write that fails with a 500 and Retry-After is not repeated before that time, and delays no other object", async () => {
  await using cluster = await testCluster();
  let runs = 0;
  const counted = operator(Apple, [step(Apple, "Ripen", { do: () => ok() })], { onRun: () => runs++ });
  cluster.run(counted);
  await cluster.untilIdle();
  cluster.faults.failNth(1, { kind: "status", reason: "InternalError", retryAfterSeconds: 30 }, isStatusWrite);
  await createApples(cluster, 2);
  await cluster.untilIdle();
  await cluster.clock.advance(29_000);
  expect([runs, await readyApples(cluster, 2)]).toEqual([2, 1]);
  await cluster.clock.advance(1_000);
  await cluster.untilIdle();
  expect([runs, await readyApples(cluster, 2)]).toEqual([3, 2]);
});

test("the requests of a step are limited too, however many it sends at once", async () => {
  await using cluster = await testCluster();
  const reads = operator(Apple, [
    step(Apple, "Read", {
      do: async ({ client, signal }) => {
        const key = { namespace: "default", name: "missing" };
        await Promise.allSettled(Array.from({ length: 30 }, () => client.get(ConfigMap, key, { signal })));
        return ok();
      },
    }),
  ]);
  cluster.run(manager([reads], { qps: 10, burst: 5 }));
  await cluster.clock.advance(5_000);
  await createApples(cluster, 1);
  const sent: number[] = [];
  for (const ms of [0, 1_000, 1_000, 1_000]) {
    await cluster.clock.advance(ms);
    sent.push(cluster.faults.count(({ path }) => path.endsWith("/missing")));
  }
  expect(sent).toEqual([5, 15, 25, 30]);
});
