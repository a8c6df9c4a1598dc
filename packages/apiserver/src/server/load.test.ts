import {
  ConfigMap,
  crdOf,
  CustomResourceDefinition,
  Deployment,
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerV1,
  kind,
  Namespace,
  s,
} from "@levelset/core";
import type { AnyCustomKind, KubeObject } from "@levelset/core";
import { CLUSTER_ORIGIN } from "@levelset/core/internal";
import { seededRandom, untilIdle, VirtualClock } from "@levelset/core/testing";
import { Client } from "@levelset/operator";
import { describe, expect, test } from "vitest";
import { MemoryStore, StorageError } from "../store/index.ts";
import type { ApiObject } from "../store/index.ts";
import { createApiServer } from "./api-server.ts";
import type { ApiServer, ApiServerOptions } from "./api-server.ts";

const Widget = kind({ group: "test.levelset.dev", version: "v1", kind: "Widget", spec: s.object({ size: s.int32() }) });

interface Loaded extends Disposable {
  readonly store: MemoryStore;
  readonly server: ApiServer;
  readonly client: Client;
}

async function started(kinds: readonly AnyCustomKind[], options: ApiServerOptions = {}): Promise<Loaded> {
  const store = new MemoryStore();
  const server = createApiServer({ clock: new VirtualClock(), random: seededRandom(1), store, ...options });
  const client = new Client({ fetch: server.fetch, fieldManager: "test" });
  for (const each of kinds) await client.create(CustomResourceDefinition, crdOf(each));
  return { server, store, client, [Symbol.dispose]: () => server.close() };
}

/** An object as another server returns it. */
function live(kindOf: string, apiVersion: string, name: string, rest: object = {}, metadata: object = {}): ApiObject {
  return {
    apiVersion,
    kind: kindOf,
    metadata: { name, namespace: "default", uid: `uid-of-${name}`, resourceVersion: "987654", ...metadata },
    ...rest,
  };
}

const widget = (name: string, spec: object, metadata: object = {}): ApiObject =>
  live("Widget", "test.levelset.dev/v1", name, { spec }, metadata);

describe("a loaded object", () => {
  test("keeps everything but its resourceVersion", async () => {
    using to = await started([Widget]);
    const metadata = {
      uid: "1b0e7a52-58a1-4a0e-8f3e-3a8f6f4b1a11",
      generation: 7,
      creationTimestamp: "2020-01-01T00:00:00Z",
      deletionTimestamp: "2025-01-01T00:00:00Z",
      deletionGracePeriodSeconds: 0,
      finalizers: ["test.levelset.dev/x"],
      labels: { a: "b" },
      ownerReferences: [{ apiVersion: "other.dev/v1", kind: "Other", name: "o", uid: "o" }],
      managedFields: [
        {
          manager: "levelset-widget",
          operation: "Apply",
          apiVersion: "test.levelset.dev/v1",
          time: "2020-01-01T00:00:00Z",
          fieldsType: "FieldsV1",
          fieldsV1: { "f:spec": { "f:size": {} } },
        },
      ],
    };
    const status = { observedGeneration: 7, conditions: [] };
    const object = live("Widget", "test.levelset.dev/v1", "a", { spec: { size: 3 }, status }, metadata);
    expect(await to.server.load([object])).toEqual([]);
    const found = await to.client.get(Widget, { namespace: "default", name: "a" });
    expect({ ...found.metadata, resourceVersion: "" }).toEqual({ ...object.metadata, resourceVersion: "" });
    expect(found.metadata.resourceVersion).not.toBe("987654");
    expect(found).toMatchObject({ spec: { size: 3 }, status });
  });

  test("replaces one of the same name, such as an initial namespace", async () => {
    using to = await started([]);
    const object = {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: "default", uid: "u", resourceVersion: "1" },
    };
    expect(await to.server.load([object])).toEqual([]);
    expect((await to.client.get(Namespace, { name: "default" })).metadata.uid).toBe("u");
  });

  test("can be applied by the manager of its fields", async () => {
    using from = await started([]);
    const key = { namespace: "default", name: "web" };
    const labels = { app: "web" };
    const template = (image: string): object => ({
      metadata: { labels },
      spec: { containers: [{ name: "web", image }] },
    });
    const body = (image: string) =>
      ({ metadata: key, spec: { selector: { matchLabels: labels }, template: template(image) } }) as never; // test data
    const original = await from.client.apply(Deployment, body("web:1"));
    using to = await started([]);
    const { spec } = original as unknown as { readonly spec: { readonly template: { readonly metadata: object } } };
    // kube-apiserver before 1.35 returns this null.
    const metadata = { ...spec.template.metadata, creationTimestamp: null };
    const stored = { ...original, spec: { ...spec, template: { ...spec.template, metadata } } };
    await to.server.load([stored]);
    const { revision } = to.store;
    const unchanged = await to.client.apply(Deployment, body("web:1"));
    expect(unchanged.metadata).toMatchObject({ uid: original.metadata.uid, generation: 1 });
    expect(to.store.revision).toBe(revision);
    const changed = await to.client.apply(Deployment, body("web:2"));
    expect(changed.metadata).toMatchObject({ uid: original.metadata.uid, generation: 2 });
  });

  test("of a kind that is stored as another one is served as both", async () => {
    using to = await started([]);
    const target = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
    const spec = { scaleTargetRef: target, minReplicas: 1, maxReplicas: 3, targetCPUUtilizationPercentage: 80 };
    await to.server.load([live("HorizontalPodAutoscaler", "autoscaling/v1", "web", { spec })]);
    const key = { namespace: "default", name: "web" };
    expect(await to.client.get(HorizontalPodAutoscalerV1, key)).toMatchObject({
      metadata: { uid: "uid-of-web" },
      spec: { targetCPUUtilizationPercentage: 80 },
    });
    expect(await to.client.get(HorizontalPodAutoscaler, key)).toMatchObject({ spec: { maxReplicas: 3 } });
  });

  test("of a kind that is not served is rejected", async () => {
    using to = await started([]);
    await expect(to.server.load([widget("a", {})])).rejects.toThrow("Widget a (test.levelset.dev/v1) cannot be loaded");
  });
});

describe("with a changed schema", () => {
  const Stricter = kind({
    group: "test.levelset.dev",
    version: "v1",
    kind: "Widget",
    spec: s.object({ size: s.int32().max(5), color: s.string().default("red") }),
  });

  test("objects that are not valid are loaded and reported", async () => {
    using to = await started([Stricter]);
    const [good, bad] = [widget("good", { size: 1 }), widget("bad", { size: 9 })];
    const problems = await to.server.load([good, bad]);
    expect(problems).toMatchObject([{ object: bad, dropped: [] }]);
    expect(problems[0]?.errors.map(({ field }) => field)).toEqual(["spec.size"]);
    const found = await to.client.list(Stricter, { namespace: "default" });
    expect(found.items.map(({ spec }) => spec)).toEqual([
      { size: 9, color: "red" },
      { size: 1, color: "red" },
    ]);
  });

  test("fields that it does not declare are reported and not served", async () => {
    using to = await started([Stricter]);
    const problems = await to.server.load([widget("a", { size: 1, shape: "round" })]);
    expect(problems).toMatchObject([{ errors: [], dropped: ["spec.shape"] }]);
    expect((await to.client.get(Stricter, { namespace: "default", name: "a" })).spec).toEqual({
      size: 1,
      color: "red",
    });
  });
});

describe("the garbage collector", () => {
  const dependentOf = (owner: KubeObject): ApiObject =>
    live(
      "ConfigMap",
      "v1",
      "child",
      {},
      {
        ownerReferences: [
          { apiVersion: owner.apiVersion, kind: owner.kind, name: owner.metadata.name, uid: owner.metadata.uid },
        ],
      },
    );

  async function children({ client }: Loaded): Promise<number> {
    for (let turn = 0; turn < 10; turn++) await untilIdle();
    return (await client.list(ConfigMap, { namespace: "default" })).items.length;
  }

  test("keeps a dependent that is listed before its owner, and collects it with the owner", async () => {
    using to = await started([Widget]);
    const owner = widget("a", { size: 1 });
    await to.server.load([dependentOf(owner), owner]);
    expect(await children(to)).toBe(1);
    await to.client.delete(Widget, { namespace: "default", name: "a" });
    expect(await children(to)).toBe(0);
  });

  test("keeps a dependent of an owner that is not loaded", async () => {
    const owner = live("ReplicaSet", "apps/v1", "web");
    const externalOwners = new Set([owner.metadata.uid]);
    using to = await started([], { controllers: { garbageCollector: { externalOwners } } });
    await to.server.load([dependentOf(owner)]);
    expect(await children(to)).toBe(1);
  });
});

test("a server that is closed loads nothing", async () => {
  const { server } = await started([]);
  await server.fetch(new Request(`${CLUSTER_ORIGIN}/version`));
  server.close();
  await expect(server.load([live("ConfigMap", "v1", "a")])).rejects.toBeInstanceOf(StorageError);
});
