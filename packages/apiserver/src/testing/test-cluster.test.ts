import { addFinalizerPatch, CLUSTER_ORIGIN, removeFinalizerPatch } from "@levelset/core/internal";
import { ConfigMap, kind, s } from "@levelset/core";
import type { Fetch, KubeObject, Runnable, World } from "@levelset/core";
import { isWrite } from "@levelset/core/testing";
import { expect, test } from "vitest";
import { testCluster } from "./test-cluster.ts";
import "./vitest.ts";

const Simple = kind({
  group: "examples.levelset.dev",
  version: "v1",
  kind: "Simple",
  spec: s.object({ replicas: s.int32().default(1), note: s.string().optional() }),
});

const PATH = "/apis/examples.levelset.dev/v1/namespaces/default/simples";
const FINALIZER = "examples.levelset.dev/simple";

async function send(fetch: Fetch, method: string, path: string, body: unknown, type: string): Promise<Response> {
  const headers = { "content-type": type };
  return fetch(new Request(CLUSTER_ORIGIN + path, { method, headers, body: JSON.stringify(body) }));
}

interface Seen extends KubeObject {
  readonly status?: { readonly observedGeneration?: number };
}

/** A minimal operator: adds a finalizer, then sets Ready one second after each change of the spec. */
async function reconcile(world: World, object: Seen): Promise<void> {
  const path = `${PATH}/${object.metadata.name}`;
  const jsonPatch = "application/json-patch+json";
  if (object.metadata.deletionTimestamp !== undefined) {
    await send(world.fetch, "PATCH", path, removeFinalizerPatch(object, FINALIZER), jsonPatch);
    return;
  }
  const add = addFinalizerPatch(object, FINALIZER);
  if (add.length > 0) {
    await send(world.fetch, "PATCH", path, add, jsonPatch);
    return;
  }
  const { generation } = object.metadata;
  if (object.status?.observedGeneration === generation) return;
  await world.clock.sleep(1000, world.signal);
  const now = new Date(world.clock.now()).toISOString();
  const ready = { type: "Ready", status: "True", reason: "Ready", message: "done", lastTransitionTime: now };
  const status = { status: { observedGeneration: generation, conditions: [ready] } };
  await send(world.fetch, "PATCH", `${path}/status`, status, "application/merge-patch+json");
}

const operator: Runnable = {
  name: "simple operator",
  start: async (world) => {
    const request = new Request(`${CLUSTER_ORIGIN}${PATH}?watch=true`, { signal: world.signal });
    const response = await world.fetch(request);
    let rest = "";
    for await (const chunk of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const event = JSON.parse(line) as { readonly type: string; readonly object: Seen };
        if (event.type !== "DELETED") await reconcile(world, event.object);
      }
    }
  },
};

test("an operator in a test cluster makes an object ready, and removes its finalizer on deletion", async () => {
  await using cluster = await testCluster({ kinds: [Simple] });
  cluster.run(operator);
  await cluster.apply(Simple, { name: "a", spec: { replicas: 3 } });
  expect(await cluster.untilSettled(Simple, "a")).not.toBeReady();
  await cluster.clock.advance(1000);
  const ready = await cluster.untilSettled(Simple, "a");
  expect(ready).toBeReady();
  expect(ready).toHaveCondition("Ready", "True", { reason: "Ready", message: /done/u });
  expect(ready.spec.replicas).toBe(3);
  expect(cluster.writes(Simple, "a")).toBe(2);
  expect(cluster.history(Simple, "a").map(({ metadata }) => metadata.generation)).toEqual([1, 1, 1]);
  await cluster.delete(Simple, "a");
  await cluster.untilDeleted(Simple, "a");
});

test("an injected connection reset affects the operator, not the test", async () => {
  await using cluster = await testCluster({ kinds: [Simple] });
  cluster.faults.failNth(1, { kind: "response-lost" }, isWrite);
  const running = cluster.run(operator);
  await cluster.create(Simple, { name: "a", spec: {} });
  await expect(cluster.untilSettled(Simple, "a")).rejects.toThrow(
    "simple operator failed: connection reset (injected)",
  );
  expect((await cluster.get(Simple, "a"))?.metadata.finalizers).toEqual([FINALIZER]);
  await running.stop();
});

test("a cluster that never becomes idle reports the latest requests", async () => {
  await using cluster = await testCluster();
  await cluster.create(ConfigMap, { name: "busy", data: {} });
  let count = 0;
  cluster.run({
    name: "busy body",
    start: async (world) => {
      const type = "application/merge-patch+json";
      while (!world.signal.aborted) {
        const patch = { data: { count: String(count++) } };
        await send(world.fetch, "PATCH", "/api/v1/namespaces/default/configmaps/busy", patch, type);
      }
    },
  });
  await expect(cluster.untilIdle()).rejects.toThrow(/does not become idle: .*PATCH .*configmaps\/busy/u);
});

test("the same seed generates the same uids, another seed different ones", async () => {
  const uids = await Promise.all(
    [5, 5, 6].map(async (seed) => {
      await using cluster = await testCluster({ seed });
      return (await cluster.create(ConfigMap, { name: "a" })).metadata.uid;
    }),
  );
  expect(uids[0]).toBe(uids[1]);
  expect(uids[0]).not.toBe(uids[2]);
});

test("a runnable that ignores its signal is reported when the cluster is disposed", async () => {
  const cluster = await testCluster();
  cluster.run({ name: "stubborn", start: () => new Promise(() => {}) });
  await expect(cluster[Symbol.asyncDispose]()).rejects.toThrow("stubborn did not end after its signal aborted");
});

test("a test reads and writes objects with one call each", async () => {
  await using cluster = await testCluster({ kinds: [Simple] });
  await cluster.create(Simple, { name: "a", labels: { x: "y" }, finalizers: ["x.dev/y"], spec: { replicas: 2 } });
  await cluster.apply(Simple, { name: "a", annotations: { n: "1" }, spec: { note: "hi" } });
  await cluster.patch(Simple, "a", { spec: { replicas: 3 } });
  const object = await cluster.patchStatus(Simple, "a", { observedGeneration: 3 });
  expect(object).toMatchObject({
    metadata: { labels: { x: "y" }, annotations: { n: "1" }, generation: 3 },
    spec: { replicas: 3, note: "hi" },
    status: { observedGeneration: 3 },
  });
  expect((await cluster.list(Simple)).map(({ metadata }) => metadata.name)).toEqual(["a"]);
  expect(await cluster.list(Simple, "kube-system")).toEqual([]);
  expect(await cluster.get(Simple, "b")).toBeUndefined();
  expect(cluster.requests()).toEqual([]);
  await cluster.delete(Simple, "a");
  await expect(cluster.untilDeleted(Simple, "a")).rejects.toThrow(
    "simples.examples.levelset.dev a still exists: waits for finalizers x.dev/y",
  );
  await expect(cluster.untilSettled(Simple, "b")).rejects.toThrow("b does not exist after the cluster became idle");
  await expect(cluster.create(Simple, { name: "B", spec: {} })).rejects.toThrow("RFC 1123");
});

test("a create by the operator counts as a write of the created object", async () => {
  await using cluster = await testCluster();
  cluster.run({
    name: "creator",
    start: async (world) => {
      const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "made" } };
      await send(world.fetch, "POST", "/api/v1/namespaces/default/configmaps", body, "application/json");
    },
  });
  await cluster.untilSettled(ConfigMap, "made");
  expect(cluster.writes(ConfigMap, "made")).toBe(1);
  expect(cluster.writes(ConfigMap, "other")).toBe(0);
});
