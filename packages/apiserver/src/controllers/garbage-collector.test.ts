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
import { Cluster } from "./cluster.fixture.ts";

const Widget = kind({ group: "examples.levelset.dev", version: "v1", kind: "Widget", spec: s.object({}) });

function ownedBy(owner: KubeObject, fields: Partial<OwnerReference> = {}): OwnerReference {
  return { ...controllerReference(owner), controller: false, blockOwnerDeletion: false, ...fields };
}

async function configMap(
  cluster: Cluster,
  name: string,
  owners: readonly OwnerReference[] = [],
  extra = {},
): Promise<KubeObject> {
  const metadata = { name, ...(owners.length === 0 ? {} : { ownerReferences: owners }), ...extra };
  return cluster.create(ConfigMap, { metadata });
}

/** a ← b ← c, each owned by the one before. */
async function chain(cluster: Cluster, block = true): Promise<void> {
  const a = await configMap(cluster, "a");
  const b = await configMap(cluster, "b", [ownedBy(a, { blockOwnerDeletion: block })]);
  await configMap(cluster, "c", [ownedBy(b, { blockOwnerDeletion: block })]);
}

function maps(cluster: Cluster): readonly string[] {
  return cluster.names(ConfigMap, "default");
}

describe("in the background", () => {
  test("dependents of all depths go after their owner", async () => {
    using cluster = await Cluster.start();
    await chain(cluster);
    await cluster.delete(ConfigMap, "a", { propagationPolicy: "Background" });
    await cluster.rest();
    expect(maps(cluster)).toEqual([]);
  });

  test("an object whose owner was never there goes", async () => {
    using cluster = await Cluster.start();
    const ghost = { apiVersion: "v1", kind: "ConfigMap", name: "ghost", uid: "no-such" };
    await configMap(cluster, "a", [ghost]);
    await cluster.rest();
    expect(maps(cluster)).toEqual([]);
  });

  test("another object under the owner's name is not the owner", async () => {
    using cluster = await Cluster.start();
    const first = await configMap(cluster, "a");
    await cluster.delete(ConfigMap, "a");
    await configMap(cluster, "a");
    await configMap(cluster, "b", [ownedBy(first)]);
    await cluster.rest();
    expect(maps(cluster)).toEqual(["a"]);
  });

  test("as long as one owner is left an object stays, and forgets the others", async () => {
    using cluster = await Cluster.start();
    const [a, b] = [await configMap(cluster, "a"), await configMap(cluster, "b")];
    await configMap(cluster, "c", [ownedBy(a), ownedBy(b)]);
    await cluster.delete(ConfigMap, "a");
    await cluster.rest();
    expect(cluster.get(ConfigMap, "c")?.metadata.ownerReferences?.map(({ name }) => name)).toEqual(["b"]);
    await cluster.delete(ConfigMap, "b");
    await cluster.rest();
    expect(maps(cluster)).toEqual([]);
  });

  test("a finalizer holds a dependent, not its owner", async () => {
    using cluster = await Cluster.start();
    const a = await configMap(cluster, "a");
    await configMap(cluster, "b", [ownedBy(a, { blockOwnerDeletion: true })], { finalizers: ["x.dev/y"] });
    await cluster.delete(ConfigMap, "a", { propagationPolicy: "Background" });
    await cluster.rest();
    expect(maps(cluster)).toEqual(["b"]);
    expect(cluster.get(ConfigMap, "b")?.metadata.deletionTimestamp).toBeDefined();
  });
});

describe("in the foreground", () => {
  test("an owner goes last", async () => {
    using cluster = await Cluster.start();
    await chain(cluster);
    await cluster.change(ConfigMap, "c", (old) => ({ ...old, metadata: { ...old.metadata, finalizers: ["x.dev/y"] } }));
    await cluster.delete(ConfigMap, "a", { propagationPolicy: "Foreground" });
    await cluster.rest();
    expect(maps(cluster)).toEqual(["a", "b", "c"]);
    expect(cluster.get(ConfigMap, "a")?.metadata.finalizers).toEqual(["foregroundDeletion"]);
    expect(cluster.get(ConfigMap, "b")?.metadata.finalizers).toEqual(["foregroundDeletion"]);
    await cluster.change(ConfigMap, "c", (old) => ({ ...old, metadata: { ...old.metadata, finalizers: [] } }));
    await cluster.rest();
    expect(maps(cluster)).toEqual([]);
  });

  test("only dependents that block hold up the owner", async () => {
    using cluster = await Cluster.start();
    const a = await configMap(cluster, "a");
    await configMap(cluster, "b", [ownedBy(a)], { finalizers: ["x.dev/y"] });
    await cluster.delete(ConfigMap, "a", { propagationPolicy: "Foreground" });
    await cluster.rest();
    expect(maps(cluster)).toEqual(["b"]);
  });

  test("a dependent with another owner stays, and no longer holds up the first", async () => {
    using cluster = await Cluster.start();
    const [a, b] = [await configMap(cluster, "a"), await configMap(cluster, "b")];
    await configMap(cluster, "c", [ownedBy(a, { blockOwnerDeletion: true }), ownedBy(b)]);
    await cluster.delete(ConfigMap, "a", { propagationPolicy: "Foreground" });
    await cluster.rest();
    expect(maps(cluster)).toEqual(["b", "c"]);
    expect(cluster.get(ConfigMap, "c")?.metadata.ownerReferences?.map(({ name }) => name)).toEqual(["b"]);
  });

  test("owners in a circle all go", async () => {
    using cluster = await Cluster.start();
    await chain(cluster);
    const c = cluster.get(ConfigMap, "c");
    if (c === undefined) throw new Error("c is there");
    const circle = [ownedBy(c, { blockOwnerDeletion: true })];
    await cluster.change(ConfigMap, "a", (old) => ({ ...old, metadata: { ...old.metadata, ownerReferences: circle } }));
    await cluster.delete(ConfigMap, "a", { propagationPolicy: "Foreground" });
    await cluster.rest();
    expect(maps(cluster)).toEqual([]);
  });
});

describe("with orphans", () => {
  test("dependents stay and forget their owner", async () => {
    using cluster = await Cluster.start();
    await chain(cluster);
    await cluster.delete(ConfigMap, "a", { propagationPolicy: "Orphan" });
    await cluster.rest();
    expect(maps(cluster)).toEqual(["b", "c"]);
    expect(cluster.get(ConfigMap, "b")?.metadata.ownerReferences).toBeUndefined();
    expect(cluster.get(ConfigMap, "c")?.metadata.ownerReferences).toHaveLength(1);
  });

  test("replication controllers orphan unless told otherwise", async () => {
    using cluster = await Cluster.start();
    const template = { metadata: { labels: { app: "a" } }, spec: { containers: [{ name: "c", image: "i" }] } };
    const body = { metadata: { name: "rc" }, spec: { replicas: 0, selector: { app: "a" }, template } };
    const owner = await cluster.create(ReplicationController, body);
    await configMap(cluster, "a", [ownedBy(owner)]);
    await cluster.delete(ReplicationController, "rc");
    await cluster.rest();
    expect(maps(cluster)).toEqual(["a"]);
    expect(cluster.get(ConfigMap, "a")?.metadata.ownerReferences).toBeUndefined();
  });
});

describe("across scopes", () => {
  test("an owner in another namespace counts as absent, and an event says so", async () => {
    using cluster = await Cluster.start();
    const owner = await cluster.create(ConfigMap, { metadata: { name: "a" } }, "kube-public");
    await configMap(cluster, "b", [ownedBy(owner)]);
    await cluster.rest();
    expect(maps(cluster)).toEqual([]);
    expect(cluster.actor.list(Event, "default").map(({ reason, type }) => [reason, type])).toEqual([
      ["OwnerRefInvalidNamespace", "Warning"],
    ]);
  });

  test("a cluster-scoped object with a namespaced owner is never collected", async () => {
    using cluster = await Cluster.start();
    const owner = await configMap(cluster, "a");
    await cluster.create(Node, { metadata: { name: "n", ownerReferences: [ownedBy(owner)] } });
    await cluster.delete(ConfigMap, "a");
    await cluster.rest();
    expect(cluster.names(Node)).toEqual(["n"]);
  });

  test("a namespaced object goes with its cluster-scoped owner", async () => {
    using cluster = await Cluster.start();
    const owner = await cluster.create(Node, { metadata: { name: "n" } });
    await configMap(cluster, "a", [ownedBy(owner)]);
    await cluster.delete(Node, "n");
    await cluster.rest();
    expect(maps(cluster)).toEqual([]);
  });

  test("an owner of an unknown kind keeps its dependents until the kind is known", async () => {
    using cluster = await Cluster.start();
    const ghost = { apiVersion: "examples.levelset.dev/v1", kind: "Widget", name: "w", uid: "no-such" };
    await configMap(cluster, "a", [ghost]);
    await cluster.rest();
    expect(maps(cluster)).toEqual(["a"]);
    await cluster.apply(crdOf(Widget) as never);
    await cluster.rest();
    expect(maps(cluster)).toEqual([]);
  });

  test("objects of declared kinds own and are owned", async () => {
    using cluster = await Cluster.start();
    await cluster.apply(crdOf(Widget) as never);
    const owner = await cluster.create(Widget, { metadata: { name: "w" }, spec: {} });
    await configMap(cluster, "a", [ownedBy(owner)]);
    const reference = ownedBy(cluster.get(ConfigMap, "a") ?? owner);
    await cluster.create(Widget, { metadata: { name: "v", ownerReferences: [reference] }, spec: {} });
    await cluster.delete(Widget, "w");
    await cluster.rest();
    expect([maps(cluster), cluster.names(Widget)]).toEqual([[], []]);
  });
});

test("what an earlier server began, the next one finishes", async () => {
  const first = await Cluster.start({ garbageCollector: false });
  await chain(first);
  await first.delete(ConfigMap, "a", { propagationPolicy: "Foreground" });
  await first.rest();
  expect(maps(first)).toEqual(["a", "b", "c"]);
  first[Symbol.dispose]();
  using second = await Cluster.start({ store: first.store, clock: first.clock });
  await second.rest();
  expect(maps(second)).toEqual([]);
});

describe("namespaces", () => {
  async function namespace(cluster: Cluster, name: string): Promise<void> {
    await cluster.create(Namespace, { metadata: { name } });
  }

  test("a namespace takes its content with it", async () => {
    using cluster = await Cluster.start();
    await namespace(cluster, "n");
    await cluster.create(ConfigMap, { metadata: { name: "a" } }, "n");
    await cluster.delete(Namespace, "n");
    await cluster.rest();
    expect([cluster.names(Namespace).includes("n"), cluster.names(ConfigMap, "n")]).toEqual([false, []]);
  });

  test("conditions tell what holds it, and nothing new comes in", async () => {
    using cluster = await Cluster.start();
    await namespace(cluster, "n");
    for (const name of ["a", "b"]) {
      await cluster.create(ConfigMap, { metadata: { name, finalizers: ["x.dev/y"] } }, "n");
    }
    await cluster.delete(Namespace, "n");
    await cluster.rest();
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
      await cluster.actor.change(ConfigMap, map, (old) => ({ ...old, metadata: { ...old.metadata, finalizers: [] } }));
    }
    await cluster.rest();
    expect(cluster.names(Namespace)).not.toContain("n");
  });

  test("a finalizer of its own holds an empty namespace", async () => {
    using cluster = await Cluster.start();
    await cluster.create(Namespace, { metadata: { name: "n", finalizers: ["x.dev/y"] } });
    await cluster.delete(Namespace, "n");
    await cluster.rest();
    const held = cluster.get(Namespace, "n");
    expect([held?.spec?.finalizers, held?.metadata.finalizers]).toEqual([undefined, ["x.dev/y"]]);
    await cluster.change(Namespace, "n", (old) => ({ ...old, metadata: { ...old.metadata, finalizers: [] } }));
    await cluster.rest();
    expect(cluster.names(Namespace)).not.toContain("n");
  });
});

describe("declared kinds", () => {
  test("a declaration goes after its objects", async () => {
    using cluster = await Cluster.start();
    await cluster.apply(crdOf(Widget) as never);
    await cluster.create(Widget, { metadata: { name: "w", finalizers: ["x.dev/y"] }, spec: {} });
    await cluster.create(Widget, { metadata: { name: "v" }, spec: {} });
    await cluster.delete(CustomResourceDefinition, "widgets.examples.levelset.dev");
    await cluster.rest();
    expect(cluster.names(Widget)).toEqual(["w"]);
    const crd = cluster.get(CustomResourceDefinition, "widgets.examples.levelset.dev");
    expect(crd?.status?.conditions?.at(-1)).toMatchObject({
      type: "Terminating",
      status: "True",
      reason: "InstanceDeletionInProgress",
    });
    await cluster.change(Widget, "w", (old) => ({ ...old, metadata: { ...old.metadata, finalizers: [] } }));
    await cluster.rest();
    expect(cluster.names(CustomResourceDefinition)).toEqual([]);
  });
});
