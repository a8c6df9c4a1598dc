import { ConfigMap, silentLogger } from "@levelset/core";
import type { Fetch, JsonObject } from "@levelset/core";
import { isWatch, isWrite, seededRandom } from "@levelset/core/testing";
import type { Fault, RequestFilter } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import { Cache } from "@levelset/operator";
import { describe, expect, test } from "vitest";
import { isClaimed } from "../ownership.ts";
import type { OwnerClaim } from "../ownership.ts";
import { AdapterTransportError } from "../adapter-transport-error.ts";
import type { ObjectLocator } from "../transport.ts";
import { KubernetesTransport } from "./kubernetes-transport.ts";

const { signal } = new AbortController();

const CLAIM: OwnerClaim = { owner: { adapter: "dns", resourceId: "c1", generation: 1 }, adopt: false };
const TARGET: ObjectLocator = {
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

/** A cluster where `race` runs right before the adapter's first write. */
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
  const live = found.find((object) => isClaimed(transport.ownership(object, CLAIM.owner), CLAIM));
  if (action === "delete") {
    if (live !== undefined) await transport.delete(TARGET, live, { ...CLAIM, policy: "Background", signal });
    return "deleted";
  }
  const options = { ...CLAIM, recreate: action === "recreate", signal };
  return (await transport.apply(TARGET, settings("2"), live, options)).as;
}

describe("an object that appears between an adapter's read and write is left unchanged", () => {
  test.each<[string, boolean, "apply" | "recreate" | "delete", string]>([
    ["a create", false, "apply", "NotOurs"],
    ["a change", true, "apply", "NotOurs"],
    ["a recreation", true, "recreate", "NotOurs"],
    ["a deletion", true, "delete", "deleted"],
  ])("%s", async (_, isThere, action, expected) => {
    await using cluster = await testCluster();
    if (isThere)
      await transportOn(cluster).apply(TARGET, settings("1"), undefined, { ...CLAIM, recreate: false, signal });
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
    await transportOn(cluster).apply(TARGET, settings("1"), undefined, { ...CLAIM, recreate: false, signal });
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

  test("a concurrent change of our own object by another writer does not block", async () => {
    await using cluster = await testCluster();
    await transportOn(cluster).apply(TARGET, settings("1"), undefined, { ...CLAIM, recreate: false, signal });
    const change = (): Promise<unknown> => cluster.patch(ConfigMap, "settings", { data: { more: "x" } });
    expect(await act(transportOn(cluster, racing(cluster, change)), "apply")).toBe("updated");
    expect((await cluster.get(ConfigMap, "settings"))?.data).toEqual({ text: "2", more: "x" });
    expect(await act(transportOn(cluster, racing(cluster, change)), "delete")).toBe("deleted");
    expect(await cluster.get(ConfigMap, "settings")).toBeUndefined();
  });
});

const isCall: RequestFilter = (request) => !isWatch(request);

/** Advances the clock until the promise settles: reads are retried with delays. */
async function passing<Out>(cluster: TestCluster, work: Promise<Out>): Promise<Out> {
  const state = { isEnded: false };
  const ended = work.finally(() => {
    state.isEnded = true;
  });
  ended.catch(() => {});
  for (let round = 0; round < 100 && !state.isEnded; round += 1) {
    await cluster.untilIdle();
    if (!state.isEnded) await cluster.clock.advance(10_000);
  }
  return ended;
}

/** Repeats an action until it succeeds; a crashed process is replaced by a new one. */
async function until(cluster: TestCluster, action: "apply" | "recreate" | "delete"): Promise<void> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const transport = transportOn(cluster, cluster.faults.fetch);
    try {
      await passing(cluster, act(transport, action));
      return;
    } catch (error) {
      if (!(error instanceof AdapterTransportError)) throw error;
    } finally {
      transport.close();
      cluster.faults.restart();
    }
  }
  throw new Error(`${action} does not succeed`);
}

/**
 * Creates, changes, recreates and deletes an object next to a foreign one under faults. Returns the number of calls.
 */
async function runLifecycle(addFaults: (cluster: TestCluster) => void): Promise<number> {
  await using cluster = await testCluster();
  const foreign = await cluster.create(ConfigMap, { name: "theirs", data: { text: "theirs" } });
  addFaults(cluster);
  await until(cluster, "apply");
  expect((await cluster.get(ConfigMap, "settings"))?.data).toEqual({ text: "2" });
  await until(cluster, "recreate");
  expect((await cluster.get(ConfigMap, "settings"))?.data).toEqual({ text: "2" });
  await until(cluster, "delete");
  expect((await cluster.list(ConfigMap, "default")).map(({ metadata }) => metadata.name)).toEqual(["theirs"]);
  expect(await cluster.get(ConfigMap, "theirs")).toEqual(foreign);
  return cluster.faults.count(isCall);
}

describe("with a fault at any request, no foreign object is touched and none of ours is left", () => {
  test.each<Fault>([{ kind: "crash" }, { kind: "response-lost" }, { kind: "refused" }])("%j", async (fault) => {
    const calls = await runLifecycle(() => {});
    expect(calls).toBeGreaterThan(5);
    for (let nth = 1; nth <= calls; nth += 1) await runLifecycle(({ faults }) => faults.failNth(nth, fault, isCall));
  });

  test.each<Fault>([{ kind: "crash" }, { kind: "response-lost" }, { kind: "refused" }])(
    "%j, with a foreign object of our name",
    async (fault) => {
      for (let nth = 1; nth <= 12; nth += 1) {
        await using cluster = await testCluster();
        const foreign = await cluster.create(ConfigMap, { name: "settings", data: { precious: "yes" } });
        cluster.faults.failNth(nth, fault, isCall);
        await expect(until(cluster, "apply")).rejects.toThrow("does not succeed");
        await expect(until(cluster, "recreate")).rejects.toThrow("does not succeed");
        await until(cluster, "delete");
        expect(await cluster.get(ConfigMap, "settings")).toEqual(foreign);
        expect(cluster.faults.count(isWrite)).toBe(0);
      }
    },
  );
});
