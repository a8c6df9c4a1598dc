import { ConfigMap, Lease, silentLogger } from "@levelset/core";
import type { Fetch } from "@levelset/core";
import { seededRandom } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import { describe, expect, test } from "vitest";
import { Client } from "../client/index.ts";
import { LeaderElector, Fence } from "./index.ts";

const key = { namespace: "default", name: "lease" };

interface Candidate {
  readonly elector: LeaderElector;
  /** Writes through the fence, as the leader does. */
  write(name: string): Promise<unknown>;
  readonly ended: Promise<Error | undefined>;
  /** Disconnects the process: its requests get no response from now on. */
  cut(): void;
  stop(): Promise<void>;
}

/** Starts a candidate. */
function candidate(cluster: TestCluster, identity: string, seed: number): Candidate {
  const { clock } = cluster;
  let isCut = false;
  const fetch: Fetch = (request) => {
    if (!isCut) return cluster.fetch(request);
    return new Promise((_, reject) => {
      request.signal.addEventListener("abort", () => reject(request.signal.reason as Error), { once: true });
    });
  };
  const fence = new Fence(fetch, clock);
  const client = new Client({ fetch, fieldManager: identity });
  const options = { client, fence, clock, random: seededRandom(seed), logger: silentLogger, key, identity };
  const elector = new LeaderElector(options);
  const stop = new AbortController();
  const lead = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  const ended = elector.run(stop.signal, lead).then(
    () => undefined,
    (error: unknown) => error as Error,
  );
  const leader = new Client({ fetch: fence.fetch, fieldManager: identity });
  return {
    elector,
    ended,
    write: (name) => leader.create(ConfigMap, { metadata: { namespace: "default", name } }),
    cut: () => {
      isCut = true;
    },
    stop: async () => {
      stop.abort();
      await ended;
    },
  };
}

const holder = async (cluster: TestCluster): Promise<string | undefined> =>
  (await cluster.get(Lease, "lease"))?.spec?.holderIdentity;

/** Advances the clock in small steps, so that each candidate can act in between. */
async function pass(cluster: TestCluster, seconds: number): Promise<void> {
  for (let n = 0; n < seconds * 2; n++) {
    await cluster.clock.advance(500);
    await cluster.untilIdle();
  }
}

describe("an election", () => {
  test("has one winner, which holds the lease as long as it runs", async () => {
    await using cluster = await testCluster();
    const all = [1, 2, 3].map((n) => candidate(cluster, `p${n}`, n));
    for (let round = 0; round < 30; round++) {
      await pass(cluster, 2);
      expect(all.filter(({ elector }) => elector.isLeader)).toHaveLength(1);
    }
    expect((await cluster.get(Lease, "lease"))?.spec?.leaseTransitions).toBe(0);
    await Promise.all(all.map((each) => each.stop()));
  });

  test("elects another candidate at once when the leader stops, because it releases the lease", async () => {
    await using cluster = await testCluster();
    const one = candidate(cluster, "one", 1);
    await pass(cluster, 1);
    const two = candidate(cluster, "two", 2);
    await pass(cluster, 5);
    expect([one.elector.isLeader, two.elector.isLeader]).toEqual([true, false]);
    await one.stop();
    expect(await holder(cluster)).toBe("");
    await pass(cluster, 3);
    expect([await holder(cluster), two.elector.isLeader]).toEqual(["two", true]);
    await two.stop();
  });

  test("elects another candidate within the lease duration if the leader is disconnected, which then sends no writes", async () => {
    await using cluster = await testCluster();
    const one = candidate(cluster, "one", 1);
    await pass(cluster, 1);
    const two = candidate(cluster, "two", 2);
    await pass(cluster, 4);
    one.cut();
    await pass(cluster, 18);
    expect([await holder(cluster), one.elector.isLeader, two.elector.isLeader]).toEqual(["two", false, true]);
    expect((await one.ended)?.message).toMatch(/could not be renewed/u);
    await expect(one.write("late")).rejects.toThrow("no longer leads");
    await two.write("fine");
    await two.stop();
  });

  test("rejects and aborts writes as soon as the lease ends, even before the holder steps down", async () => {
    await using cluster = await testCluster();
    const { clock } = cluster;
    const seen: AbortSignal[] = [];
    const fence = new Fence((request) => {
      seen.push(request.signal);
      return new Promise((_, reject) => {
        request.signal.addEventListener("abort", () => reject(request.signal.reason as Error));
      });
    }, clock);
    const post = (): Promise<Response> => fence.fetch(new Request("http://cluster.invalid/", { method: "POST" }));
    await expect(post()).rejects.toThrow("no longer leads");
    fence.openFor(1_000);
    const pending = post();
    const reading = fence.fetch(new Request("http://cluster.invalid/"));
    const outcome = pending.catch((error: unknown) => String(error));
    await clock.advance(1_000);
    expect(await outcome).toContain("no longer leads");
    expect(seen.map(({ aborted }) => aborted)).toEqual([true, false]);
    await expect(post()).rejects.toThrow("no longer leads");
    reading.catch(() => {});
  });

  test("rejects writes through the raw fetch too", async () => {
    await using cluster = await testCluster();
    const sent: string[] = [];
    const raw = (request: { readonly method: string }): Promise<{ readonly status: number }> => {
      sent.push(request.method);
      return Promise.resolve({ status: 200 });
    };
    const fence = new Fence(Object.assign(cluster.fetch, { raw }), cluster.clock);
    // The fence wraps the raw fetch of the inner fetch, which has this type.
    const fenced = (fence.fetch as unknown as { readonly raw: typeof raw }).raw;
    await fenced({ method: "GET" });
    await expect(fenced({ method: "PATCH" })).rejects.toThrow("no longer leads");
    fence.openFor(1_000);
    await fenced({ method: "PATCH" });
    await cluster.clock.advance(1_000);
    await expect(fenced({ method: "PATCH" })).rejects.toThrow("no longer leads");
    expect(sent).toEqual(["GET", "PATCH"]);
  });

  test("never has two leaders that may write, with any process disconnected at any time", async () => {
    for (let seed = 1; seed <= 15; seed++) {
      await using cluster = await testCluster({ seed });
      const random = seededRandom(seed);
      const all = [1, 2, 3].map((n) => candidate(cluster, `p${n}`, seed * 10 + n));
      let writes = 0;
      for (let round = 0; round < 40; round++) {
        await pass(cluster, 1);
        if (random.next() < 0.1) all.find(({ elector }) => elector.isLeader)?.cut();
        const attempts = all.map((each, n) =>
          each.write(`w-${seed}-${round}-${n}`).then(
            () => 1,
            () => 0,
          ),
        );
        // The write of a disconnected leader is pending until its lease ends.
        const settled = await Promise.all(
          attempts.map((attempt) => Promise.race([attempt, cluster.untilIdle().then(() => 0)])),
        );
        writes += settled.reduce<number>((sum, each) => sum + each, 0);
        expect(settled.reduce<number>((sum, each) => sum + each, 0)).toBeLessThanOrEqual(1);
      }
      expect(writes).toBeGreaterThan(0);
      for (const each of all) void each.stop();
    }
  });
});
