import { ConfigMap, silentLogger } from "@levelset/core";
import type { Fetch, JsonObject } from "@levelset/core";
import { isWatch, isWrite, seededRandom } from "@levelset/core/testing";
import type { Fault, RequestFilter } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import { Cache } from "@levelset/operator";
import { describe, expect, test } from "vitest";
import { isClaimed } from "../ownership.ts";
import type { Claim } from "../ownership.ts";
import { TransportFailure } from "../transport-failure.ts";
import type { Target } from "../transport.ts";
import { KubernetesTransport } from "./kubernetes-transport.ts";

const { signal } = new AbortController();

const CLAIM: Claim = { mark: { adapter: "dns", resourceId: "c1", generation: 1 }, adopt: false };
const TARGET: Target = {
  apiVersion: "v1",
  kind: "ConfigMap",
  namespace: "default",
  by: { kind: "name", name: "settings" },
};

function settings(text: string): JsonObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings", namespace: "default" }, data: { text } };
}

function transportOn(cluster: TestCluster, fetch: Fetch = cluster.fetch): KubernetesTransport {
  const { clock } = cluster;
  const cache = new Cache({ fetch, clock, random: seededRandom(1), logger: silentLogger });
  return new KubernetesTransport({ cache, adapter: "dns", clock });
}

/** A cluster where something happens right before the first write that an adapter sends. */
function racing(cluster: TestCluster, race: () => Promise<unknown>): Fetch {
  let isRaced = false;
  return async (request) => {
    const { pathname, search } = new URL(request.url);
    if (!isRaced && isWrite({ method: request.method, path: pathname, query: search })) {
      isRaced = true;
      await race();
    }
    return cluster.fetch(request);
  };
}

async function replaceByTheirs(cluster: TestCluster): Promise<void> {
  if ((await cluster.get(ConfigMap, "settings")) !== undefined) await cluster.delete(ConfigMap, "settings");
  await cluster.create(ConfigMap, { name: "settings", data: { precious: "yes" } });
}

/** Finds, then applies or deletes, as a run does. */
async function act(transport: KubernetesTransport, action: "apply" | "recreate" | "delete"): Promise<string> {
  const found = await transport.find(TARGET, signal);
  const live = found.find((object) => isClaimed(transport.ownership(object, CLAIM.mark), CLAIM));
  if (action === "delete") {
    if (live !== undefined) await transport.remove(TARGET, live, { ...CLAIM, policy: "Background", signal });
    return "deleted";
  }
  const options = { ...CLAIM, isRecreated: action === "recreate", signal };
  return (await transport.apply(TARGET, settings("2"), live, options)).as;
}

describe("an object that appears between the read and the write of an adapter is left as it is", () => {
  test.each<[string, boolean, "apply" | "recreate" | "delete", string]>([
    ["a create", false, "apply", "NotOurs"],
    ["a change", true, "apply", "NotOurs"],
    ["a recreation", true, "recreate", "NotOurs"],
    ["a deletion", true, "delete", "deleted"],
  ])("%s", async (_, isThere, action, expected) => {
    await using cluster = await testCluster();
    if (isThere)
      await transportOn(cluster).apply(TARGET, settings("1"), undefined, { ...CLAIM, isRecreated: false, signal });
    const transport = transportOn(
      cluster,
      racing(cluster, () => replaceByTheirs(cluster)),
    );
    const result = await act(transport, action).catch((error: unknown) => String(error));
    expect(result).toContain(expected);
    const there = await cluster.get(ConfigMap, "settings");
    expect(there?.data).toEqual({ precious: "yes" });
    expect(there?.metadata.labels).toBeUndefined();
    transport.close();
  });

  test("a foreign object created while ours is being recreated", async () => {
    await using cluster = await testCluster();
    await transportOn(cluster).apply(TARGET, settings("1"), undefined, { ...CLAIM, isRecreated: false, signal });
    let isGone = false;
    const transport = transportOn(cluster, async (request) => {
      if (isGone && request.method === "PATCH")
        await cluster.create(ConfigMap, { name: "settings", data: { theirs: "x" } });
      isGone ||= request.method === "DELETE";
      return cluster.fetch(request);
    });
    await expect(act(transport, "recreate")).rejects.toThrow("NotOurs: ConfigMap default/settings");
    expect((await cluster.get(ConfigMap, "settings"))?.data).toEqual({ theirs: "x" });
  });

  test("a change by another writer of our own object is no obstacle", async () => {
    await using cluster = await testCluster();
    await transportOn(cluster).apply(TARGET, settings("1"), undefined, { ...CLAIM, isRecreated: false, signal });
    const change = (): Promise<unknown> => cluster.patch(ConfigMap, "settings", { data: { more: "x" } });
    expect(await act(transportOn(cluster, racing(cluster, change)), "apply")).toBe("updated");
    expect((await cluster.get(ConfigMap, "settings"))?.data).toEqual({ text: "2", more: "x" });
    expect(await act(transportOn(cluster, racing(cluster, change)), "delete")).toBe("deleted");
    expect(await cluster.get(ConfigMap, "settings")).toBeUndefined();
  });
});

const isCall: RequestFilter = (request) => !isWatch(request);

/** Lets time pass until something has ended: reads are retried after a while. */
async function passing<Out>(cluster: TestCluster, work: Promise<Out>): Promise<Out> {
  const state = { isEnded: false };
  const ended = work.finally(() => {
    state.isEnded = true;
  });
  ended.catch(() => {});
  for (let round = 0; round < 100 && !state.isEnded; round += 1) {
    await cluster.rest();
    if (!state.isEnded) await cluster.clock.advance(10_000);
  }
  return ended;
}

/** Does one thing until it succeeds; a crashed process is replaced by a new one. */
async function until(cluster: TestCluster, action: "apply" | "recreate" | "delete"): Promise<void> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const transport = transportOn(cluster, cluster.faults.fetch);
    try {
      await passing(cluster, act(transport, action));
      return;
    } catch (error) {
      if (!(error instanceof TransportFailure)) throw error;
    } finally {
      transport.close();
      cluster.faults.revive();
    }
  }
  throw new Error(`${action} does not succeed`);
}

/** Creates, changes, recreates and deletes an object beside a foreign one, while something goes wrong. Returns the number of calls. */
async function life(trouble: (cluster: TestCluster) => void): Promise<number> {
  await using cluster = await testCluster();
  const theirs = await cluster.create(ConfigMap, { name: "theirs", data: { text: "theirs" } });
  trouble(cluster);
  await until(cluster, "apply");
  expect((await cluster.get(ConfigMap, "settings"))?.data).toEqual({ text: "2" });
  await until(cluster, "recreate");
  expect((await cluster.get(ConfigMap, "settings"))?.data).toEqual({ text: "2" });
  await until(cluster, "delete");
  expect((await cluster.list(ConfigMap, "default")).map(({ metadata }) => metadata.name)).toEqual(["theirs"]);
  expect(await cluster.get(ConfigMap, "theirs")).toEqual(theirs);
  return cluster.faults.count(isCall);
}

describe("at every request, whatever goes wrong, nothing foreign is touched and nothing of ours is left", () => {
  test.each<Fault>([{ kind: "crash" }, { kind: "answer-lost" }, { kind: "refused" }])("%j", async (fault) => {
    const calls = await life(() => {});
    expect(calls).toBeGreaterThan(5);
    for (let nth = 1; nth <= calls; nth += 1) await life(({ faults }) => faults.failNth(nth, fault, isCall));
  });

  test.each<Fault>([{ kind: "crash" }, { kind: "answer-lost" }, { kind: "refused" }])(
    "%j, with a foreign object of our name",
    async (fault) => {
      for (let nth = 1; nth <= 12; nth += 1) {
        await using cluster = await testCluster();
        const theirs = await cluster.create(ConfigMap, { name: "settings", data: { precious: "yes" } });
        cluster.faults.failNth(nth, fault, isCall);
        await expect(until(cluster, "apply")).rejects.toThrow("does not succeed");
        await expect(until(cluster, "recreate")).rejects.toThrow("does not succeed");
        await until(cluster, "delete");
        expect(await cluster.get(ConfigMap, "settings")).toEqual(theirs);
        expect(cluster.faults.count(isWrite)).toBe(0);
      }
    },
  );
});
