import { ConfigMap, Lease, silentLogger } from "@levelset/core";
import type { Fetch } from "@levelset/core";
import { seededRandom, VirtualClock } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import { describe, expect, test } from "vitest";
import { Client } from "../client/index.ts";
import { ELECTION_TIMES, Elector, Fence } from "./index.ts";

const key = { namespace: "default", name: "lease" };
const { leaseMs, renewDeadlineMs, retryMs } = ELECTION_TIMES;
const MINUTE = 60_000;

/** A process that wants to lead, on a machine with clocks of its own. Its work does not stop when asked to: only the fence keeps it from writing. */
class Machine implements AsyncDisposable {
  readonly clock = new VirtualClock();
  readonly elector: Elector;
  /** How long the answer to a renewal takes, once the server has carried it out. */
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
    this.elector = new Elector({ ...world, client, fence, key, identity });
    this.#writer = new Client({ fetch: fence.fetch, fieldManager: identity });
    this.#ended = this.elector.run(this.#stop.signal, () => this.#work.promise).catch(() => {});
  }

  /** From now on the server does not answer requests for leases; all others it does. */
  cutLease(): void {
    this.#isCut = true;
  }

  /** Tries to write. Returns whether the write passed. */
  async write(): Promise<boolean> {
    const name = `${this.#identity}-${this.#writes++}`;
    try {
      await this.#writer.create(ConfigMap, { metadata: { namespace: "default", name } });
      return true;
    } catch {
      return false;
    }
  }

  /** Lets `ms` pass and tries to write every half second. Returns how many writes passed. */
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
    for (let turn = 0; turn < 4; turn++) await pass(leaseMs, this);
    await this.#ended;
  }

  async rest(): Promise<void> {
    await this.#cluster.rest();
  }

  async #send(request: Request): Promise<Response> {
    if (!new URL(request.url).pathname.includes("/leases")) return this.#cluster.fetch(request);
    if (this.#isCut) return unanswered(request);
    const response = await this.#cluster.fetch(request);
    if (this.answerMs > 0 && request.method === "PUT") await this.clock.sleep(this.answerMs);
    return response;
  }
}

/** A request that gets no answer; it ends when it is aborted. */
function unanswered({ signal }: Request): Promise<never> {
  return new Promise((_, reject) => {
    const end = (): void => reject(signal.reason as Error);
    if (signal.aborted) end();
    signal.addEventListener("abort", end, { once: true });
  });
}

/** Lets time pass on several machines at once, in small steps, so that each acts in between. */
async function pass(ms: number, ...machines: readonly Machine[]): Promise<void> {
  for (let left = ms; left > 0; left -= 500) {
    for (const machine of machines) {
      await machine.clock.advance(Math.min(500, left));
      await machine.rest();
    }
  }
}

/** Another process takes the lease, as if it had waited long enough; or has taken it and released it. */
async function takeOver(cluster: TestCluster, holderIdentity = "other"): Promise<void> {
  const lease = await cluster.get(Lease, "lease");
  if (lease === undefined) throw new Error("the lease is missing");
  const client = new Client({ fetch: cluster.fetch, fieldManager: "other" });
  await client.update(Lease, { ...lease, spec: { ...lease.spec, holderIdentity } });
}

async function leader(cluster: TestCluster): Promise<Machine> {
  const machine = new Machine(cluster, "one");
  await pass(1_000, machine);
  expect([machine.elector.isLeading, await machine.write()]).toEqual([true, true]);
  return machine;
}

describe("a leader", () => {
  test("writes nothing once it has seen another holder of its lease, though its work has not ended", async () => {
    await using cluster = await testCluster();
    await using one = await leader(cluster);
    await takeOver(cluster);
    await pass(retryMs, one); // it asks for the lease
    expect(one.elector.isLeading).toBe(false);
    expect(await one.writeFor(12_000)).toBe(0);
  });

  test("whose lease was taken and released by another holder writes again once it has it back, and not before", async () => {
    await using cluster = await testCluster();
    await using one = await leader(cluster);
    await takeOver(cluster, "");
    one.answerMs = 3_000;
    await pass(retryMs, one);
    expect(await one.write()).toBe(false);
    await pass(one.answerMs, one);
    expect([one.elector.isLeading, await one.write()]).toEqual([true, true]);
  });

  test("writes nothing after its lease when its wall clock is stepped back", async () => {
    await using cluster = await testCluster();
    await using one = await leader(cluster);
    one.cutLease();
    one.clock.stepWall(-MINUTE);
    await pass(leaseMs, one);
    expect(await one.writeFor(MINUTE)).toBe(0);
  });

  test("whose wall clock is stepped forward beyond its lease writes again once it has renewed the lease, and not before", async () => {
    await using cluster = await testCluster();
    await using one = await leader(cluster);
    one.clock.stepWall(MINUTE);
    expect(await one.write()).toBe(false);
    await pass(retryMs, one);
    expect([one.elector.isLeading, await one.write()]).toEqual([true, true]);
  });

  test("writes nothing after a suspension in which another holder has taken its lease", async () => {
    await using cluster = await testCluster();
    await using one = await leader(cluster);
    await takeOver(cluster);
    one.clock.suspend(leaseMs);
    expect(await one.writeFor(MINUTE)).toBe(0);
  });

  test("writes nothing after a stop of its process that is longer than its lease, though no timer has fired yet", async () => {
    await using cluster = await testCluster();
    await using one = await leader(cluster);
    one.clock.stall(leaseMs);
    expect(await one.write()).toBe(false);
  });

  test("counts its lease from the request to renew it, not from the answer", async () => {
    await using cluster = await testCluster();
    await using one = await leader(cluster);
    one.answerMs = 5_000;
    await pass(retryMs + one.answerMs, one); // other processes have seen this renewal for 5 s already
    expect(await one.write()).toBe(true);
    one.clock.stall(leaseMs - one.answerMs);
    expect(await one.write()).toBe(false);
  });

  test("steps down and writes nothing when it cannot renew its lease in time", async () => {
    await using cluster = await testCluster();
    await using one = await leader(cluster);
    one.cutLease();
    await pass(renewDeadlineMs + retryMs, one);
    expect([one.elector.isLeading, await one.writeFor(leaseMs)]).toEqual([false, 0]);
  });
});

describe("a process that stands by", () => {
  test("does not take a lease before it has ended when its wall clock is stepped forward", async () => {
    await using cluster = await testCluster();
    await using one = await leader(cluster);
    await using two = new Machine(cluster, "two");
    await pass(5_000, one, two);
    one.cutLease();
    await pass(retryMs, one, two);
    two.clock.stepWall(MINUTE);
    await pass(retryMs * 2, one, two);
    expect([one.elector.isLeading, two.elector.isLeading]).toEqual([true, false]);
    expect([await one.write(), await two.write()]).toEqual([true, false]);
  });

  test("takes the lease of a dead leader within two leases when its wall clock is stepped back", async () => {
    await using cluster = await testCluster();
    await using one = await leader(cluster);
    await using two = new Machine(cluster, "two");
    await pass(5_000, one, two);
    one.cutLease();
    await pass(retryMs, one, two);
    two.clock.stepWall(-60 * MINUTE);
    await pass(2 * leaseMs + retryMs, one, two);
    expect([one.elector.isLeading, two.elector.isLeading]).toEqual([false, true]);
    expect([await one.write(), await two.write()]).toEqual([false, true]);
  });
});

describe("a fence", () => {
  /** A write under way behind a fence that is open for a lease. */
  function writing(): { readonly clock: VirtualClock; readonly fence: Fence; readonly outcome: Promise<string> } {
    const clock = new VirtualClock();
    const fence = new Fence(unanswered, clock);
    fence.openFor(leaseMs);
    const request = new Request("http://cluster.invalid/", { method: "POST" });
    return { clock, fence, outcome: fence.fetch(request).then(String, String) };
  }

  test("aborts requests under way when it is closed", async () => {
    const { fence, outcome } = writing();
    fence.close();
    expect(await outcome).toContain("no longer leads");
  });

  test("aborts requests under way when the lease ends, also with a wall clock that was stepped back", async () => {
    const { clock, outcome } = writing();
    clock.stepWall(-MINUTE);
    await clock.advance(leaseMs);
    expect(await outcome).toContain("no longer leads");
  });

  test("aborts requests under way within a second after a suspension that is longer than the lease", async () => {
    const { clock, outcome } = writing();
    clock.suspend(leaseMs);
    await clock.advance(1_000);
    expect(await Promise.race([outcome, Promise.resolve("under way")])).toContain("no longer leads");
  });
});
