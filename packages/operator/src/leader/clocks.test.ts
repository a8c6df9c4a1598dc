import { ConfigMap, Lease, silentLogger } from "@levelset/core";
import type { Fetch } from "@levelset/core";
import { seededRandom, VirtualClock } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import { describe, expect, test } from "vitest";
import { Client } from "../client/index.ts";
import { DEFAULT_ELECTION_TIMES, LeaderElector, Fence } from "./index.ts";

const key = { namespace: "default", name: "lease" };
const { leaseDurationMs, renewDeadlineMs, retryPeriodMs } = DEFAULT_ELECTION_TIMES;
const MINUTE = 60_000;

/**
 * A candidate on a machine with its own clocks. Its work ignores the abort signal, so only the fence prevents its
 * writes.
 */
class Machine implements AsyncDisposable {
  readonly clock = new VirtualClock();
  readonly elector: LeaderElector;
  /** Delay of the response to a renewal that the server has executed. */
  answerMs = 0;
  readonly #cluster: TestCluster;
  readonly #identity: string;
  readonly #writer: Client;
  readonly #stop = new AbortController();
  readonly #work = Promise.withResolvers<void>();
  readonly #ended: Promise<unknown>;
  #isCut = false;
  #writes = 0;

  constructor(cluster: TestCluster, identity: string) {
    this.#cluster = cluster;
    this.#identity = identity;
    const { clock } = this;
    const fetch: Fetch = (request) => this.#send(request);
    const fence = new Fence(fetch, clock);
    const client = new Client({ fetch, fieldManager: identity });
    const world = { clock, random: seededRandom(1), logger: silentLogger };
    this.elector = new LeaderElector({ ...world, client, fence, key, identity });
    this.#writer = new Client({ fetch: fence.fetch, fieldManager: identity });
    this.#ended = this.elector.run(this.#stop.signal, () => this.#work.promise).catch(() => {});
  }

  /** Requests for leases get no response from now on; other requests do. */
  cutLease(): void {
    this.#isCut = true;
  }

  /** Tries to write. Returns whether the write succeeded. */
  async write(): Promise<boolean> {
    const name = `${this.#identity}-${this.#writes++}`;
    try {
      await this.#writer.create(ConfigMap, { metadata: { namespace: "default", name } });
      return true;
    } catch {
      return false;
    }
  }

  /** Advances the clock by `ms` and tries to write every half second. Returns the number of successful writes. */
  async writeFor(ms: number): Promise<number> {
    let passed = 0;
    for (let at = 0; at < ms; at += 500) {
      if (await this.write()) passed++;
      await pass(500, this);
    }
    return passed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#work.resolve();
    this.#stop.abort();
    for (let turn = 0; turn < 4; turn++) await pass(leaseDurationMs, this);
    await this.#ended;
  }

  async rest(): Promise<void> {
    await this.#cluster.untilIdle();
  }

  async #send(request: Request): Promise<Response> {
    if (!new URL(request.url).pathname.includes("/leases")) return this.#cluster.fetch(request);
    if (this.#isCut) return unanswered(request);
    const response = await this.#cluster.fetch(request);
    if (this.answerMs > 0 && request.method === "PUT") await this.clock.sleep(this.answerMs);
    return response;
  }
}

/** Returns a request that gets no response and rejects when it is aborted. */
function unanswered({ signal }: Request): Promise<never> {
  return new Promise((_, reject) => {
    const end = (): void => reject(signal.reason as Error);
    if (signal.aborted) end();
    signal.addEventListener("abort", end, { once: true });
  });
}

/** Advances the clocks of several machines together, in small steps, so that each can act in between. */
async function pass(ms: number, ...machines: readonly Machine[]): Promise<void> {
  for (let left = ms; left > 0; left -= 500) {
    for (const machine of machines) {
      await machine.clock.advance(Math.min(500, left));
      await machine.rest();
    }
  }
}

/** Gives the lease to another holder, as if it had expired. An empty holder means that it was released again. */
async function takeOver(cluster: TestCluster, holderIdentity = "other"): Promise<void> {
  const lease = await cluster.get(Lease, "lease");
  if (lease === undefined) throw new Error("the lease is missing");
  const client = new Client({ fetch: cluster.fetch, fieldManager: "other" });
  await client.update(Lease, { ...lease, spec: { ...lease.spec, holderIdentity } });
}

async function leader(cluster: TestCluster): Promise<Machine> {
  const machine = new Machine(cluster, "one");
  await pass(1_000, machine);
  expect([machine.elector.isLeader, await machine.write()]).toEqual([true, true]);
  return machine;
}

describe("a leader", () => {
  test("sends no writes after it observes another holder of its lease, even if its work continues", async () => {
    await using cluster = await testCluster();
    await using one = await leader(cluster);
    await takeOver(cluster);
    await pass(retryPeriodMs, one); // the leader reads the lease
    expect(one.elector.isLeader).toBe(false);
    expect(await one.writeFor(12_000)).toBe(0);
  });

  test("whose lease another holder took and released sends writes only after it holds the lease again", async () => {
    await using cluster = await testCluster();
    await using one = await leader(cluster);
    await takeOver(cluster, "");
    one.answerMs = 3_000;
    await pass(retryPeriodMs, one);
    expect(await one.write()).toBe(false);
    await pass(one.answerMs, one);
    expect([one.elector.isLeader, await one.write()]).toEqual([true, true]);
  });

  test("sends no writes after its lease ends if its wall clock is stepped back", async () => {
    await using cluster = await testCluster();
    await using one = await leader(cluster);
    one.cutLease();
    one.clock.stepWall(-MINUTE);
    await pass(leaseDurationMs, one);
    expect(await one.writeFor(MINUTE)).toBe(0);
  });

  test("whose wall clock is stepped forward beyond its lease sends writes only after it has renewed the lease", async () => {
    await using cluster = await testCluster();
    await using one = await leader(cluster);
    one.clock.stepWall(MINUTE);
    expect(await one.write()).toBe(false);
    await pass(retryPeriodMs, one);
    expect([one.elector.isLeader, await one.write()]).toEqual([true, true]);
  });

  test("sends no writes after a suspension during which another holder took its lease", async () => {
    await using cluster = await testCluster();
    await using one = await leader(cluster);
    await takeOver(cluster);
    one.clock.suspend(leaseDurationMs);
    expect(await one.writeFor(MINUTE)).toBe(0);
  });

  test("sends no writes after its process was stopped for longer than its lease, even before a timer fires", async () => {
    await using cluster = await testCluster();
    await using one = await leader(cluster);
    one.clock.stall(leaseDurationMs);
    expect(await one.write()).toBe(false);
  });

  test("counts its lease from the renewal request, not from the response", async () => {
    await using cluster = await testCluster();
    await using one = await leader(cluster);
    one.answerMs = 5_000;
    await pass(retryPeriodMs + one.answerMs, one); // other processes observed this renewal 5 s ago
    expect(await one.write()).toBe(true);
    one.clock.stall(leaseDurationMs - one.answerMs);
    expect(await one.write()).toBe(false);
  });

  test("steps down and sends no writes if it cannot renew its lease in time", async () => {
    await using cluster = await testCluster();
    await using one = await leader(cluster);
    one.cutLease();
    await pass(renewDeadlineMs + retryPeriodMs, one);
    expect([one.elector.isLeader, await one.writeFor(leaseDurationMs)]).toEqual([false, 0]);
  });
});

describe("a standby process", () => {
  test("does not take a lease before its end if the wall clock is stepped forward", async () => {
    await using cluster = await testCluster();
    await using one = await leader(cluster);
    await using two = new Machine(cluster, "two");
    await pass(5_000, one, two);
    one.cutLease();
    await pass(retryPeriodMs, one, two);
    two.clock.stepWall(MINUTE);
    await pass(retryPeriodMs * 2, one, two);
    expect([one.elector.isLeader, two.elector.isLeader]).toEqual([true, false]);
    expect([await one.write(), await two.write()]).toEqual([true, false]);
  });

  test("takes the lease of a dead leader within two lease durations if the wall clock is stepped back", async () => {
    await using cluster = await testCluster();
    await using one = await leader(cluster);
    await using two = new Machine(cluster, "two");
    await pass(5_000, one, two);
    one.cutLease();
    await pass(retryPeriodMs, one, two);
    two.clock.stepWall(-60 * MINUTE);
    await pass(2 * leaseDurationMs + retryPeriodMs, one, two);
    expect([one.elector.isLeader, two.elector.isLeader]).toEqual([false, true]);
    expect([await one.write(), await two.write()]).toEqual([false, true]);
  });
});

describe("a fence", () => {
  /** Starts a write behind a fence that is open for one lease duration. */
  function writing(): { readonly clock: VirtualClock; readonly fence: Fence; readonly outcome: Promise<string> } {
    const clock = new VirtualClock();
    const fence = new Fence(unanswered, clock);
    fence.openFor(leaseDurationMs);
    const request = new Request("http://cluster.invalid/", { method: "POST" });
    return { clock, fence, outcome: fence.fetch(request).then(String, String) };
  }

  test("aborts requests in progress when it is closed", async () => {
    const { fence, outcome } = writing();
    fence.close();
    expect(await outcome).toContain("no longer leads");
  });

  test("aborts requests in progress when the lease ends, even if the wall clock was stepped back", async () => {
    const { clock, outcome } = writing();
    clock.stepWall(-MINUTE);
    await clock.advance(leaseDurationMs);
    expect(await outcome).toContain("no longer leads");
  });

  test("aborts requests in progress within a second after a suspension that is longer than the lease", async () => {
    const { clock, outcome } = writing();
    clock.suspend(leaseDurationMs);
    await clock.advance(1_000);
    expect(await Promise.race([outcome, Promise.resolve("under way")])).toContain("no longer leads");
  });
});
