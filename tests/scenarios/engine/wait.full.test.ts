import { ConfigMap, Deployment, kind, Pod, s } from "@levelset/core";
import type { Fetch, Kind, NewOf, ObjectOf } from "@levelset/core";
import { Client, installCrd } from "@levelset/operator";
import type { WaitProgress } from "@levelset/operator";
import { describe, expect, test } from "vitest";
import { onRealCluster } from "../../support/real-cluster.ts";
import { connectSession } from "../../support/test-server.ts";

const Widget = kind({
  group: "wait.levelset.dev",
  version: "v1",
  kind: "Widget",
  spec: s.object({ size: s.int32().default(1) }),
});
const namespace = "default";
const TIMEOUT_MS = 60_000;

function web(image: string): NewOf<typeof Deployment> {
  const labels = { app: "web" };
  return {
    metadata: { namespace, name: "web" },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "web", image }] } },
    },
  };
}

/** Simulates a kubelet: makes all pods with an image ready. */
async function startPods(client: Client, image: string): Promise<void> {
  const { items } = await client.list(Pod, { namespace, labels: "app=web" });
  const time = new Date().toISOString();
  const conditions = ["Ready", "ContainersReady", "Initialized", "PodScheduled"].map((type) => ({
    type,
    status: "True",
    lastTransitionTime: time,
  }));
  for (const { metadata, spec } of items.filter(({ spec: pod }) => pod?.containers[0]?.image === image)) {
    const { name } = metadata;
    const ready = { name: "web", image: spec?.containers[0]?.image, imageID: "", ready: true, restartCount: 0 };
    const status = { phase: "Running", startTime: time, conditions, containerStatuses: [ready] };
    await client.mergePatch(Pod, { namespace, name }, { status }, { subresource: "status" });
  }
}

await onRealCluster("waiting on Kubernetes", (start) => {
  describe("waiting on Kubernetes", () => {
    test("waits for a rollout, a custom object and a deletion, with permissions for one name only", async () => {
      await using target = await start({ controllerManager: true });
      await using connected = await connectSession(target);
      const { clock, signal, fetch } = connected.world;
      const client = new Client({ fetch, fieldManager: "test" });
      await installCrd(client, Widget, { clock, signal });
      expect(await rollOut(client)).toMatchObject({ observedGeneration: 2, updatedReplicas: 2, replicas: 2 });
      await reconcile(client);
      await remove(client);
      await withOneName(client, fetch);
    });
  });
});

async function rollOut(client: Client): Promise<unknown> {
  const states = new Set<string>();
  const onProgress = ({ state }: WaitProgress<ObjectOf<typeof Deployment>>): void => void states.add(state);
  const key = { namespace, name: "web" };
  const options = { onProgress, timeoutMs: TIMEOUT_MS };
  await client.create(Deployment, web("web:1"));
  const waiting = client.waitUntilReady(Deployment, key, options);
  const kubelet = poll(() => startPods(client, "web:1"));
  const ready = await waiting;
  expect(ready.status).toMatchObject({ observedGeneration: 1, availableReplicas: 2 });
  const changed = await client.apply(Deployment, web("web:2"), { force: true });
  kubelet.stop();
  const second = client.waitUntilReady(Deployment, key, { ...options, generation: changed.metadata.generation });
  const next = poll(() => startPods(client, "web:2"));
  const rolled = await second;
  next.stop();
  expect(await client.waitUntilReady(Deployment, key, { for: "available", timeoutMs: TIMEOUT_MS })).toBeDefined();
  expect([...states]).toContain("Progressing");
  return rolled.status;
}

/** Calls a function repeatedly in the background. */
function poll(act: () => Promise<void>): { readonly stop: () => void } {
  const state = { isStopped: false };
  const run = async (): Promise<void> => {
    while (!state.isStopped) {
      await act().catch(() => {});
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  void run();
  return { stop: () => (state.isStopped = true) };
}

async function reconcile(client: Client): Promise<void> {
  const key = { namespace, name: "a" };
  await client.create(Widget, { metadata: key, spec: {} });
  const seen: string[] = [];
  const onProgress = async ({ message, generation }: WaitProgress<ObjectOf<typeof Widget>>): Promise<void> => {
    seen.push(message);
    const condition = { type: "Ready", status: "True", reason: "Test", message: "", lastTransitionTime: new Date() };
    const status = { observedGeneration: generation, conditions: [condition] };
    await client.mergePatch(Widget, key, { status }, { subresource: "status" });
  };
  const ready = await client.waitUntilReady(Widget, key, {
    onProgress: (progress) => void onProgress(progress),
    timeoutMs: TIMEOUT_MS,
  });
  expect(seen).toEqual(["no controller has observed it yet"]);
  expect(ready.status?.observedGeneration).toBe(1);
}

async function remove(client: Client): Promise<void> {
  const key = { namespace, name: "held" };
  const { metadata } = await client.create(ConfigMap, { metadata: { ...key, finalizers: ["example.com/f"] } });
  await client.delete(ConfigMap, key);
  const seen: string[] = [];
  const last = await client.waitUntilReady(ConfigMap, key, {
    for: "deleted",
    timeoutMs: TIMEOUT_MS,
    onProgress: ({ message }) => {
      seen.push(message);
      void client.mergePatch(ConfigMap, key, { metadata: { finalizers: null } });
    },
  });
  expect(seen).toEqual(["held by example.com/f"]);
  expect(last?.metadata.uid).toBe(metadata.uid);
}

/** A kind without a schema. */
function plain(name: string, plural: string): Kind {
  const singular = name.toLowerCase();
  const names = { kind: name, plural, singular, shortNames: [] };
  const group = "rbac.authorization.k8s.io";
  return { ...names, group, version: "v1", scope: "Namespaced", hasStatus: false, schema: {} };
}

async function withOneName(client: Client, fetch: Fetch): Promise<void> {
  const metadata = { namespace, name: "waiter" };
  const rules = [{ apiGroups: [""], resources: ["configmaps"], resourceNames: ["mine"], verbs: ["list", "watch"] }];
  await client.create(plain("Role", "roles"), { metadata, rules } as never);
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "waiter" };
  const subjects = [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "waiter" }];
  await client.create(plain("RoleBinding", "rolebindings"), { metadata, roleRef, subjects } as never);
  const asWaiter: Fetch = (request) => {
    const headers = new Headers(request.headers);
    headers.set("impersonate-user", "waiter");
    return fetch(new Request(request, { headers }));
  };
  const waiter = new Client({ fetch: asWaiter, fieldManager: "test" });
  await client.create(ConfigMap, { metadata: { namespace, name: "mine" } });
  const options = { timeoutMs: TIMEOUT_MS };
  // The server's authorizer sees permissions a moment after they are stored.
  await expect
    .poll(async () => waiter.waitUntilReady(ConfigMap, { namespace, name: "mine" }, options), { timeout: 30_000 })
    .toBeDefined();
  await expect(waiter.waitUntilReady(ConfigMap, { namespace, name: "other" }, options)).rejects.toMatchObject({
    reason: "Forbidden",
  });
}
