import {
  ConfigMap,
  controllerReference,
  crdOf,
  CustomResourceDefinition,
  Event,
  kind,
  Namespace,
  Node,
  ReplicationController,
  s,
} from "@levelset/core";
import type { KubeObject, OwnerReference } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { ControllerHarness } from "./controller-harness.fixture.ts";

const Widget = kind({ group: "examples.levelset.dev", version: "v1", kind: "Widget", spec: s.object({}) });

function ownedBy(owner: KubeObject, fields: Partial<OwnerReference> = {}): OwnerReference {
  return { ...controllerReference(owner), controller: false, blockOwnerDeletion: false, ...fields };
}

async function configMap(
  cluster: ControllerHarness,
  name: string,
  owners: readonly OwnerReference[] = [],
  extra = {},
): Promise<KubeObject> {
  const metadata = { name, ...(owners.length === 0 ? {} : { ownerReferences: owners }), ...extra };
  return cluster.create(ConfigMap, { metadata });
}

/** Creates a ← b ← c, each owned by the previous one. */
async function chain(cluster: ControllerHarness, block = true): Promise<void> {
  const a = await configMap(cluster, "a");
  const b = await configMap(cluster, "b", [ownedBy(a, { blockOwnerDeletion: block })]);
  await configMap(cluster, "c", [ownedBy(b, { blockOwnerDeletion: block })]);
}

function maps(cluster: ControllerHarness): readonly string[] {
  return cluster.names(ConfigMap, "default");
}

describe("background deletion", () => {
  test("deletes dependents of all depths after the owner", async () => {
    using cluster = await ControllerHarness.start();
    await chain(cluster);
    await cluster.delete(ConfigMap, "a", { propagationPolicy: "Background" });
    await cluster.untilIdle();
    expect(maps(cluster)).toEqual([]);
  });

  test("deletes an object whose owner never existed", async () => {
    using cluster = await ControllerHarness.start();
    const ghost = { apiVersion: "v1", kind: "ConfigMap", name: "ghost", uid: "no-such" };
    await configMap(cluster, "a", [ghost]);
    await cluster.untilIdle();
    expect(maps(cluster)).toEqual([]);
  });

  test("keeps an object whose owner exists elsewhere, and releases its other owners", async () => {
    using cluster = await ControllerHarness.start({ garbageCollector: { externalOwners: new Set(["elsewhere"]) } });
    const external = { apiVersion: "v1", kind: "ConfigMap", name: "not-here", uid: "elsewhere" };
    const ghost = { apiVersion: "v1", kind: "ConfigMap", name: "ghost", uid: "no-such" };
    await configMap(cluster, "a", [external]);
    await configMap(cluster, "b", [external, ghost]);
    await configMap(cluster, "c", [ghost]);
    await cluster.untilIdle();
    expect(maps(cluster)).toEqual(["a", "b"]);
    const { object } = cluster.store.get({ resource: "configmaps", namespace: "default", name: "b" }) ?? {};
    expect(object?.metadata.ownerReferences).toEqual([external]);
  });

  test("collects an object without owners after the set time only", async () => {
    using cluster = await ControllerHarness.start({ garbageCollector: { collectAfterMs: 250 } });
    await configMap(cluster, "a", [{ apiVersion: "v1", kind: "ConfigMap", name: "ghost", uid: "no-such" }]);
    await cluster.advance(200);
    expect(maps(cluster)).toEqual(["a"]);
    await cluster.advance(100);
    expect(maps(cluster)).toEqual([]);
  });

  describe("gives an object that loses its owners twice the whole time each time", () => {
    const setOwners = (cluster: ControllerHarness, ownerReferences: readonly OwnerReference[]): Promise<void> =>
      cluster.update(ConfigMap, "a", (old) => ({ ...old, metadata: { ...old.metadata, ownerReferences } }));

    test("if it had another owner in between", async () => {
      using cluster = await ControllerHarness.start({ garbageCollector: { collectAfterMs: 250 } });
      const [first, second] = [await configMap(cluster, "first"), await configMap(cluster, "second")];
      await configMap(cluster, "a", [ownedBy(first)]);
      await cluster.delete(ConfigMap, "first");
      await cluster.advance(100);
      await setOwners(cluster, [ownedBy(second)]);
      await cluster.advance(100);
      await cluster.delete(ConfigMap, "second");
      await cluster.advance(200);
      expect(maps(cluster)).toEqual(["a"]);
      await cluster.advance(100);
      expect(maps(cluster)).toEqual([]);
    });

    test("if it had no owner references in between", async () => {
      using cluster = await ControllerHarness.start({ garbageCollector: { collectAfterMs: 250 } });
      const owners = [ownedBy(await configMap(cluster, "owner"))];
      await configMap(cluster, "a", owners);
      await cluster.delete(ConfigMap, "owner");
      await cluster.advance(100);
      await setOwners(cluster, []);
      await cluster.advance(100);
      await setOwners(cluster, owners);
      await cluster.advance(200);
      expect(maps(cluster)).toEqual(["a"]);
      await cluster.advance(100);
      expect(maps(cluster)).toEqual([]);
    });
  });

  test("gives a new object under the name of a deleted one the whole time", async () => {
    using cluster = await ControllerHarness.start({ garbageCollector: { collectAfterMs: 250 } });
    const ghost = { apiVersion: "v1", kind: "ConfigMap", name: "ghost", uid: "no-such" };
    await configMap(cluster, "a", [ghost]);
    await cluster.advance(200);
    await cluster.delete(ConfigMap, "a");
    await configMap(cluster, "a", [ghost]);
    await cluster.advance(200);
    expect(maps(cluster)).toEqual(["a"]);
    await cluster.advance(100);
    expect(maps(cluster)).toEqual([]);
  });

  test("does not accept a recreated object as the owner", async () => {
    using cluster = await ControllerHarness.start();
    const first = await configMap(cluster, "a");
    await cluster.delete(ConfigMap, "a");
    await configMap(cluster, "a");
    await configMap(cluster, "b", [ownedBy(first)]);
    await cluster.untilIdle();
    expect(maps(cluster)).toEqual(["a"]);
  });

  test("keeps an object with a remaining owner, and drops its dangling references", async () => {
    using cluster = await ControllerHarness.start();
    const [a, b] = [await configMap(cluster, "a"), await configMap(cluster, "b")];
    await configMap(cluster, "c", [ownedBy(a), ownedBy(b)]);
    await cluster.delete(ConfigMap, "a");
    await cluster.untilIdle();
    expect(cluster.get(ConfigMap, "c")?.metadata.ownerReferences?.map(({ name }) => name)).toEqual(["b"]);
    await cluster.delete(ConfigMap, "b");
    await cluster.untilIdle();
    expect(maps(cluster)).toEqual([]);
  });

  test("a finalizer blocks the dependent, not its owner", async () => {
    using cluster = await ControllerHarness.start();
    const a = await configMap(cluster, "a");
    await configMap(cluster, "b", [ownedBy(a, { blockOwnerDeletion: true })], { finalizers: ["x.dev/y"] });
    await cluster.delete(ConfigMap, "a", { propagationPolicy: "Background" });
    await cluster.untilIdle();
    expect(maps(cluster)).toEqual(["b"]);
    expect(cluster.get(ConfigMap, "b")?.metadata.deletionTimestamp).toBeDefined();
  });
});

describe("foreground deletion", () => {
  test("deletes the owner last", async () => {
    using cluster = await ControllerHarness.start();
    await chain(cluster);
    await cluster.update(ConfigMap, "c", (old) => ({ ...old, metadata: { ...old.metadata, finalizers: ["x.dev/y"] } }));
    await cluster.delete(ConfigMap, "a", { propagationPolicy: "Foreground" });
    await cluster.untilIdle();
    expect(maps(cluster)).toEqual(["a", "b", "c"]);
    expect(cluster.get(ConfigMap, "a")?.metadata.finalizers).toEqual(["foregroundDeletion"]);
    expect(cluster.get(ConfigMap, "b")?.metadata.finalizers).toEqual(["foregroundDeletion"]);
    await cluster.update(ConfigMap, "c", (old) => ({ ...old, metadata: { ...old.metadata, finalizers: [] } }));
    await cluster.untilIdle();
    expect(maps(cluster)).toEqual([]);
  });

  test("waits only for dependents with blockOwnerDeletion", async () => {
    using cluster = await ControllerHarness.start();
    const a = await configMap(cluster, "a");
    await configMap(cluster, "b", [ownedBy(a)], { finalizers: ["x.dev/y"] });
    await cluster.delete(ConfigMap, "a", { propagationPolicy: "Foreground" });
    await cluster.untilIdle();
    expect(maps(cluster)).toEqual(["b"]);
  });

  test("keeps a dependent with another owner, and does not wait for it", async () => {
    using cluster = await ControllerHarness.start();
    const [a, b] = [await configMap(cluster, "a"), await configMap(cluster, "b")];
    await configMap(cluster, "c", [ownedBy(a, { blockOwnerDeletion: true }), ownedBy(b)]);
    await cluster.delete(ConfigMap, "a", { propagationPolicy: "Foreground" });
    await cluster.untilIdle();
    expect(maps(cluster)).toEqual(["b", "c"]);
    expect(cluster.get(ConfigMap, "c")?.metadata.ownerReferences?.map(({ name }) => name)).toEqual(["b"]);
  });

  test("deletes owners in a cycle", async () => {
    using cluster = await ControllerHarness.start();
    await chain(cluster);
    const c = cluster.get(ConfigMap, "c");
    if (c === undefined) throw new Error("c is missing");
    const cycle = [ownedBy(c, { blockOwnerDeletion: true })];
    await cluster.update(ConfigMap, "a", (old) => ({ ...old, metadata: { ...old.metadata, ownerReferences: cycle } }));
    await cluster.delete(ConfigMap, "a", { propagationPolicy: "Foreground" });
    await cluster.untilIdle();
    expect(maps(cluster)).toEqual([]);
  });
});

describe("orphan deletion", () => {
  test("keeps dependents and removes the owner reference", async () => {
    using cluster = await ControllerHarness.start();
    await chain(cluster);
    await cluster.delete(ConfigMap, "a", { propagationPolicy: "Orphan" });
    await cluster.untilIdle();
    expect(maps(cluster)).toEqual(["b", "c"]);
    expect(cluster.get(ConfigMap, "b")?.metadata.ownerReferences).toBeUndefined();
    expect(cluster.get(ConfigMap, "c")?.metadata.ownerReferences).toHaveLength(1);
  });

  test("is the default for replication controllers", async () => {
    using cluster = await ControllerHarness.start();
    const template = { metadata: { labels: { app: "a" } }, spec: { containers: [{ name: "c", image: "i" }] } };
    const body = { metadata: { name: "rc" }, spec: { replicas: 0, selector: { app: "a" }, template } };
    const owner = await cluster.create(ReplicationController, body);
    await configMap(cluster, "a", [ownedBy(owner)]);
    await cluster.delete(ReplicationController, "rc");
    await cluster.untilIdle();
    expect(maps(cluster)).toEqual(["a"]);
    expect(cluster.get(ConfigMap, "a")?.metadata.ownerReferences).toBeUndefined();
  });
});

describe("owner references across scopes", () => {
  test("an owner in another namespace counts as absent and is reported by an event", async () => {
    using cluster = await ControllerHarness.start();
    const owner = await cluster.create(ConfigMap, { metadata: { name: "a" } }, "kube-public");
    await configMap(cluster, "b", [ownedBy(owner)]);
    await cluster.untilIdle();
    expect(maps(cluster)).toEqual([]);
    expect(cluster.actor.list(Event, "default").map(({ reason, type }) => [reason, type])).toEqual([
      ["OwnerRefInvalidNamespace", "Warning"],
    ]);
  });

  test("a cluster-scoped object with a namespaced owner is never collected", async () => {
    using cluster = await ControllerHarness.start();
    const owner = await configMap(cluster, "a");
    await cluster.create(Node, { metadata: { name: "n", ownerReferences: [ownedBy(owner)] } });
    await cluster.delete(ConfigMap, "a");
    await cluster.untilIdle();
    expect(cluster.names(Node)).toEqual(["n"]);
  });

  test("a namespaced object is deleted with its cluster-scoped owner", async () => {
    using cluster = await ControllerHarness.start();
    const owner = await cluster.create(Node, { metadata: { name: "n" } });
    await configMap(cluster, "a", [ownedBy(owner)]);
    await cluster.delete(Node, "n");
    await cluster.untilIdle();
    expect(maps(cluster)).toEqual([]);
  });

  test("an owner of an unknown kind keeps its dependents until the kind is served", async () => {
    using cluster = await ControllerHarness.start();
    const ghost = { apiVersion: "examples.levelset.dev/v1", kind: "Widget", name: "w", uid: "no-such" };
    await configMap(cluster, "a", [ghost]);
    await cluster.untilIdle();
    expect(maps(cluster)).toEqual(["a"]);
    await cluster.apply(crdOf(Widget) as never);
    await cluster.untilIdle();
    expect(maps(cluster)).toEqual([]);
  });

  test("custom resources can be owners and dependents", async () => {
    using cluster = await ControllerHarness.start();
    await cluster.apply(crdOf(Widget) as never);
    const owner = await cluster.create(Widget, { metadata: { name: "w" }, spec: {} });
    await configMap(cluster, "a", [ownedBy(owner)]);
    const reference = ownedBy(cluster.get(ConfigMap, "a") ?? owner);
    await cluster.create(Widget, { metadata: { name: "v", ownerReferences: [reference] }, spec: {} });
    await cluster.delete(Widget, "w");
    await cluster.untilIdle();
    expect([maps(cluster), cluster.names(Widget)]).toEqual([[], []]);
  });
});

test("a collection interrupted by a restart is completed", async () => {
  const first = await ControllerHarness.start({ garbageCollector: false });
  await chain(first);
  await first.delete(ConfigMap, "a", { propagationPolicy: "Foreground" });
  await first.untilIdle();
  expect(maps(first)).toEqual(["a", "b", "c"]);
  first[Symbol.dispose]();
  using second = await ControllerHarness.start({ store: first.store, clock: first.clock });
  await second.untilIdle();
  expect(maps(second)).toEqual([]);
});

describe("namespaces", () => {
  async function namespace(cluster: ControllerHarness, name: string): Promise<void> {
    await cluster.create(Namespace, { metadata: { name } });
  }

  test("deleting a namespace deletes its content", async () => {
    using cluster = await ControllerHarness.start();
    await namespace(cluster, "n");
    await cluster.create(ConfigMap, { metadata: { name: "a" } }, "n");
    await cluster.delete(Namespace, "n");
    await cluster.untilIdle();
    expect([cluster.names(Namespace).includes("n"), cluster.names(ConfigMap, "n")]).toEqual([false, []]);
  });

  test("conditions name the remaining content, and new objects are rejected", async () => {
    using cluster = await ControllerHarness.start();
    await namespace(cluster, "n");
    for (const name of ["a", "b"]) {
      await cluster.create(ConfigMap, { metadata: { name, finalizers: ["x.dev/y"] } }, "n");
    }
    await cluster.delete(Namespace, "n");
    await cluster.untilIdle();
    const conditions = cluster.get(Namespace, "n")?.status?.conditions ?? [];
    expect(conditions.map(({ type, status, reason }) => [type, status, reason])).toEqual([
      ["NamespaceDeletionDiscoveryFailure", "False", "ResourcesDiscovered"],
      ["NamespaceDeletionGroupVersionParsingFailure", "False", "ParsedGroupVersions"],
      ["NamespaceDeletionContentFailure", "False", "ContentDeleted"],
      ["NamespaceContentRemaining", "True", "SomeResourcesRemain"],
      ["NamespaceFinalizersRemaining", "True", "SomeFinalizersRemain"],
    ]);
    expect(conditions[3]?.message).toBe("Some resources are remaining: configmaps. has 2 resource instances");
    expect(conditions[4]?.message).toBe(
      "Some content in the namespace has finalizers remaining: x.dev/y in 2 resource instances",
    );
    await expect(cluster.create(ConfigMap, { metadata: { name: "c" } }, "n")).rejects.toThrow(/being terminated/u);
    for (const map of cluster.actor.list(ConfigMap, "n")) {
      await cluster.actor.update(ConfigMap, map, (old) => ({ ...old, metadata: { ...old.metadata, finalizers: [] } }));
    }
    await cluster.untilIdle();
    expect(cluster.names(Namespace)).not.toContain("n");
  });

  test("a finalizer of its own blocks an empty namespace", async () => {
    using cluster = await ControllerHarness.start();
    await cluster.create(Namespace, { metadata: { name: "n", finalizers: ["x.dev/y"] } });
    await cluster.delete(Namespace, "n");
    await cluster.untilIdle();
    const held = cluster.get(Namespace, "n");
    expect([held?.spec?.finalizers, held?.metadata.finalizers]).toEqual([undefined, ["x.dev/y"]]);
    await cluster.update(Namespace, "n", (old) => ({ ...old, metadata: { ...old.metadata, finalizers: [] } }));
    await cluster.untilIdle();
    expect(cluster.names(Namespace)).not.toContain("n");
  });
});

describe("custom resource definitions", () => {
  test("a CRD is removed after its objects", async () => {
    using cluster = await ControllerHarness.start();
    await cluster.apply(crdOf(Widget) as never);
    await cluster.create(Widget, { metadata: { name: "w", finalizers: ["x.dev/y"] }, spec: {} });
    await cluster.create(Widget, { metadata: { name: "v" }, spec: {} });
    await cluster.delete(CustomResourceDefinition, "widgets.examples.levelset.dev");
    await cluster.untilIdle();
    expect(cluster.names(Widget)).toEqual(["w"]);
    const crd = cluster.get(CustomResourceDefinition, "widgets.examples.levelset.dev");
    expect(crd?.status?.conditions?.at(-1)).toMatchObject({
      type: "Terminating",
      status: "True",
      reason: "InstanceDeletionInProgress",
    });
    await cluster.update(Widget, "w", (old) => ({ ...old, metadata: { ...old.metadata, finalizers: [] } }));
    await cluster.untilIdle();
    expect(cluster.names(CustomResourceDefinition)).toEqual([]);
  });
});
