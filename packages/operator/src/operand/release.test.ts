import { ConfigMap } from "@levelset/core";
import type { OwnerReference } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import { expect, test } from "vitest";
import { Client } from "../client/index.ts";
import { INHERITED, MANAGED_LABEL, partLabel, PRUNE_AFTER, PRUNING } from "./marks.ts";
import { deleteObject, markObject, releaseObject, unmarkObject } from "./release.ts";

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

test("an object that is about to be deleted is marked in the version that was decided about, once", async () => {
  await using at = await scene();
  const marking = await markObject(ConfigMap, at.object, "p", at.reach);
  const metadata = await at.metadata();
  expect(metadata?.annotations).toEqual({ [PRUNING]: "p" });
  expect(marking).toMatchObject({
    kind: "marked",
    object: { metadata: { resourceVersion: metadata?.resourceVersion } },
  });
  expect(await markObject(ConfigMap, at.object, "p", at.reach)).toEqual({ kind: "changed" });
  if (marking.kind !== "marked") return;
  expect(await markObject(ConfigMap, marking.object, "p", at.reach)).toEqual(marking);
  expect((await at.metadata())?.resourceVersion).toBe(metadata?.resourceVersion);
  await at.cluster.delete(ConfigMap, "x");
  expect(await markObject(ConfigMap, at.object, "p", at.reach)).toEqual({ kind: "gone" });
});

test("an install that removes the marks makes the deletion fail; another object of that name keeps its own", async () => {
  await using at = await scene();
  await at.cluster.patch(ConfigMap, "x", { metadata: { annotations: { [PRUNE_AFTER]: "confirm", [PRUNING]: "p" } } });
  const marked = await at.cluster.get(ConfigMap, "x");
  if (marked === undefined) return;
  expect((await unmarkObject(ConfigMap, marked, at.reach))?.metadata.annotations).toBeUndefined();
  expect(await deleteObject(ConfigMap, marked, at.reach)).toMatchObject({ reason: "Conflict" });
  await at.cluster.delete(ConfigMap, "x");
  expect(await unmarkObject(ConfigMap, marked, at.reach)).toBeUndefined();
  const copy = await at.cluster.create(ConfigMap, { name: "x", annotations: { [PRUNING]: "p" } });
  expect(await unmarkObject(ConfigMap, marked, at.reach)).toBeUndefined();
  // An object that no Operand has.
  expect(await unmarkObject(ConfigMap, copy, at.reach)).toEqual(copy);
  expect((await at.metadata())?.annotations).toEqual({ [PRUNING]: "p" });
});

test.each([
  ["stays keeps no mark of a prune that was about to delete it", { leaves: "p" }, undefined],
  ["another inventory decides about keeps the mark of its prune", {}, { [PRUNING]: "p" }],
])("an object that %s", async (_, parting, annotations) => {
  await using at = await scene();
  const marking = await markObject(ConfigMap, at.object, "p", at.reach);
  if (marking.kind === "marked") await releaseObject(ConfigMap, marking.object, GOING, parting, at.reach);
  expect((await at.metadata())?.annotations).toEqual(annotations);
});
