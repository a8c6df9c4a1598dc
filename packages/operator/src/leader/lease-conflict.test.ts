import { Lease, silentLogger } from "@levelset/core";
import type { Fetch } from "@levelset/core";
import { seededRandom } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import { expect, test } from "vitest";
import { Client } from "../client/index.ts";
import { LeaderElector, Fence } from "./index.ts";

const key = { namespace: "default", name: "lease" };

/** Starts a candidate. Calls `before` before each write of the lease. */
function candidate(
  cluster: TestCluster,
  before: () => Promise<unknown>,
): { readonly ends: string[]; readonly stop: () => Promise<void> } {
  const { clock } = cluster;
  const fetch: Fetch = async (request) => {
    if (request.method === "PUT") await before();
    return cluster.fetch(request);
  };
  const client = new Client({ fetch, fieldManager: "a" });
  const fence = new Fence(fetch, clock);
  const random = seededRandom(1);
  const elector = new LeaderElector({ client, fence, clock, random, logger: silentLogger, key, identity: "a" });
  const stop = new AbortController();
  const lead = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  const ends: string[] = [];
  const ended = elector.run(stop.signal, lead).then(
    () => ends.push("stopped"),
    (error: unknown) => ends.push(String(error)),
  );
  return {
    ends,
    stop: async () => {
      stop.abort();
      await ended;
    },
  };
}

async function pass(cluster: TestCluster, seconds: number): Promise<void> {
  for (let n = 0; n < seconds * 2; n++) {
    await cluster.clock.advance(500);
    await cluster.untilIdle();
  }
}

test("a leader keeps its lease when another client annotates it while it is renewed", async () => {
  await using cluster = await testCluster();
  let renewals = 0;
  const annotate = async (): Promise<void> => {
    renewals += 1;
    if (renewals % 2 === 1)
      await cluster.patch(Lease, "lease", { metadata: { annotations: { tick: String(renewals) } } });
  };
  const { ends, stop } = candidate(cluster, annotate);
  await pass(cluster, 60);
  expect(renewals).toBeGreaterThan(10);
  expect(ends).toEqual([]);
  const lease = await cluster.get(Lease, "lease");
  expect(lease?.spec?.holderIdentity).toBe("a");
  await stop();
});

test("a leader whose every renewal conflicts steps down at its deadline", async () => {
  await using cluster = await testCluster();
  let renewals = 0;
  const annotate = (): Promise<unknown> =>
    cluster.patch(Lease, "lease", { metadata: { annotations: { tick: String(++renewals) } } });
  const { ends } = candidate(cluster, annotate);
  await pass(cluster, 60);
  expect(ends).toEqual(["Error: the lease could not be renewed in time"]);
});
