import { ConfigMap } from "@levelset/core";
import type { OwnerReference } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import { expect, test } from "vitest";
import { Client } from "../client/index.ts";
import { INHERITED, MANAGED_LABEL, partLabel, PRUNE_AFTER } from "./marks.ts";
import { deleteObject, releaseObject } from "./release.ts";

function owner(name: string): OwnerReference {
  return { apiVersion: "v1", kind: "ConfigMap", name, uid: `${name}-uid` };
}

const labels = { [MANAGED_LABEL]: "true", [partLabel("p")]: "hash", mine: "yes" };
const GOING = new Set(["a-uid"]);

/** An object with two owners, and the means to change it. */
async function scene(ownerReferences = [owner("a"), owner("b")]) {
  // Without a garbage collector, which would miss these owners.
  const cluster = await testCluster({ controllers: { garbageCollector: false } });
  const object = await cluster.create(ConfigMap, { name: "x", labels, ownerReferences });
  const reach = {
    client: new Client({ fetch: cluster.fetch, fieldManager: "test" }),
    signal: new AbortController().signal,
  };
  const metadata = async () => (await cluster.get(ConfigMap, "x"))?.metadata;
  return { object, reach, metadata, cluster, [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose]() };
}

test("an inventory is taken off, and nothing else changes", async () => {
  await using at = await scene();
  expect(await releaseObject(ConfigMap, at.object, GOING, {}, at.reach)).toBe(true);
  expect(await at.metadata()).toMatchObject({ labels, ownerReferences: [owner("b")] });
});

test("the label goes with the Operand, and another one gets its own", async () => {
  await using at = await scene([owner("a")]);
  const parting = { leaves: "p", inherits: "q" };
  expect(await releaseObject(ConfigMap, at.object, GOING, parting, at.reach)).toBe(true);
  const after = await at.metadata();
  expect(after?.ownerReferences).toBeUndefined();
  expect(after?.labels).toEqual({ [MANAGED_LABEL]: "true", [partLabel("q")]: INHERITED, mine: "yes" });
});

test("the last Operand takes all marks with it", async () => {
  await using at = await scene([owner("a")]);
  await releaseObject(ConfigMap, at.object, GOING, { leaves: "p" }, at.reach);
  const after = await at.metadata();
  expect(after?.labels).toEqual({ mine: "yes" });
  expect(after?.ownerReferences).toBeUndefined();
});

test("a time is put on it, and goes with the Operand", async () => {
  await using at = await scene();
  await releaseObject(ConfigMap, at.object, GOING, { pruneAfter: "confirm" }, at.reach);
  const marked = await at.cluster.get(ConfigMap, "x");
  expect(marked?.metadata.annotations).toEqual({ [PRUNE_AFTER]: "confirm" });
  if (marked === undefined) return;
  await releaseObject(ConfigMap, marked, GOING, {}, at.reach);
  expect((await at.metadata())?.resourceVersion).toBe(marked.metadata.resourceVersion);
  await releaseObject(ConfigMap, marked, GOING, { leaves: "p" }, at.reach);
  expect((await at.metadata())?.annotations).toBeUndefined();
});

test("what needs no change costs no write", async () => {
  await using at = await scene([owner("b")]);
  expect(await releaseObject(ConfigMap, at.object, GOING, {}, at.reach)).toBe(true);
  expect((await at.metadata())?.resourceVersion).toBe(at.object.metadata.resourceVersion);
});

test("another version of the object is neither released nor deleted, and one that is gone is done", async () => {
  await using at = await scene();
  await at.cluster.patch(ConfigMap, "x", { data: { a: "1" } });
  expect(await releaseObject(ConfigMap, at.object, GOING, {}, at.reach)).toBe(false);
  expect(await deleteObject(ConfigMap, at.object, at.reach)).toMatchObject({ reason: "Conflict" });
  expect((await at.metadata())?.ownerReferences).toHaveLength(2);
  await at.cluster.delete(ConfigMap, "x");
  expect(await releaseObject(ConfigMap, at.object, GOING, {}, at.reach)).toBe(true);
  expect(await deleteObject(ConfigMap, at.object, at.reach)).toBeUndefined();
});
