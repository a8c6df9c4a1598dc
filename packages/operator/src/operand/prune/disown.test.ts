import { ConfigMap } from "@levelset/core";
import type { OwnerReference } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import { expect, test } from "vitest";
import { Client } from "../../client/index.ts";
import {
  INHERITED,
  MANAGED_LABEL,
  partLabel,
  PRUNE_AFTER_ANNOTATION,
  PRUNING,
} from "../spec/labels-and-annotations.ts";
import { deleteUnchanged, markObject, disownObject, unmarkObject } from "./disown.ts";

function owner(name: string): OwnerReference {
  return { apiVersion: "v1", kind: "ConfigMap", name, uid: `${name}-uid` };
}

const labels = { [MANAGED_LABEL]: "true", [partLabel("p")]: "hash", mine: "yes" };
const REMOVING = new Set(["a-uid"]);

/** Creates an object with two owners. */
async function scenario(ownerReferences = [owner("a"), owner("b")]) {
  // Without the garbage collector, which would delete the object because these owners do not exist.
  const cluster = await testCluster({ controllers: { garbageCollector: false } });
  const object = await cluster.create(ConfigMap, { name: "x", labels, ownerReferences });
  const context = {
    client: new Client({ fetch: cluster.fetch, fieldManager: "test" }),
    signal: new AbortController().signal,
  };
  const metadata = async () => (await cluster.get(ConfigMap, "x"))?.metadata;
  return { object, context, metadata, cluster, [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose]() };
}

test("removes the owner reference of an inventory and changes nothing else", async () => {
  await using at = await scenario();
  expect(await disownObject(ConfigMap, at.object, REMOVING, {}, at.context)).toBe(true);
  expect(await at.metadata()).toMatchObject({ labels, ownerReferences: [owner("b")] });
});

test("replaces the label of an Operand by that of another one", async () => {
  await using at = await scenario([owner("a")]);
  const ownerChange = { removeOperand: "p", addOperand: "q" };
  expect(await disownObject(ConfigMap, at.object, REMOVING, ownerChange, at.context)).toBe(true);
  const after = await at.metadata();
  expect(after?.ownerReferences).toBeUndefined();
  expect(after?.labels).toEqual({ [MANAGED_LABEL]: "true", [partLabel("q")]: INHERITED, mine: "yes" });
});

test("the last Operand removes all labels and annotations", async () => {
  await using at = await scenario([owner("a")]);
  await disownObject(ConfigMap, at.object, REMOVING, { removeOperand: "p" }, at.context);
  const after = await at.metadata();
  expect(after?.labels).toEqual({ mine: "yes" });
  expect(after?.ownerReferences).toBeUndefined();
});

test("sets a prune time, and removes it with the Operand", async () => {
  await using at = await scenario();
  await disownObject(ConfigMap, at.object, REMOVING, { pruneAfter: "confirm" }, at.context);
  const marked = await at.cluster.get(ConfigMap, "x");
  expect(marked?.metadata.annotations).toEqual({ [PRUNE_AFTER_ANNOTATION]: "confirm" });
  if (marked === undefined) return;
  await disownObject(ConfigMap, marked, REMOVING, {}, at.context);
  expect((await at.metadata())?.resourceVersion).toBe(marked.metadata.resourceVersion);
  await disownObject(ConfigMap, marked, REMOVING, { removeOperand: "p" }, at.context);
  expect((await at.metadata())?.annotations).toBeUndefined();
});

test("an Operand that does not have an object leaves the marks of another one", async () => {
  await using at = await scenario();
  await disownObject(ConfigMap, at.object, REMOVING, { pruneAfter: "confirm" }, at.context);
  const pruned = await at.cluster.patch(ConfigMap, "x", { metadata: { annotations: { [PRUNING]: "p" } } });
  expect(await disownObject(ConfigMap, pruned, REMOVING, { removeOperand: "q" }, at.context)).toBe(true);
  expect((await at.metadata())?.resourceVersion).toBe(pruned.metadata.resourceVersion);
});

test.each([
  ["keeps the prune time of the Operand that has the object", "q", { [PRUNE_AFTER_ANNOTATION]: "confirm" }],
  ["removes the prune time that is left on an object without Operands", undefined, undefined],
])("an Operand that lost its label removes its own prune mark and %s", async (_, holder, annotations) => {
  await using at = await scenario();
  const marked = await at.cluster.patch(ConfigMap, "x", {
    metadata: {
      labels: { [partLabel("p")]: null, ...(holder === undefined ? {} : { [partLabel(holder)]: "hash" }) },
      annotations: { [PRUNE_AFTER_ANNOTATION]: "confirm", [PRUNING]: "p" },
    },
  });
  expect(await disownObject(ConfigMap, marked, REMOVING, { removeOperand: "p" }, at.context)).toBe(true);
  expect((await at.metadata())?.annotations).toEqual(annotations);
});

test.each([
  ["keeps the prune mark of another Operand that has it too", "q", { [PRUNING]: "q" }],
  ["removes the prune mark of an Operand that does not have it", undefined, undefined],
])("an Operand that leaves an object %s", async (_, holder, annotations) => {
  await using at = await scenario();
  const marked = await at.cluster.patch(ConfigMap, "x", {
    metadata: {
      labels: holder === undefined ? {} : { [partLabel(holder)]: "hash" },
      annotations: { [PRUNING]: "q" },
    },
  });
  expect(await disownObject(ConfigMap, marked, REMOVING, { removeOperand: "p" }, at.context)).toBe(true);
  expect((await at.metadata())?.annotations).toEqual(annotations);
});

test("an object that needs no change is not written", async () => {
  await using at = await scenario([owner("b")]);
  expect(await disownObject(ConfigMap, at.object, REMOVING, {}, at.context)).toBe(true);
  expect((await at.metadata())?.resourceVersion).toBe(at.object.metadata.resourceVersion);
});

test("a changed object is neither disowned nor deleted; a missing one counts as done", async () => {
  await using at = await scenario();
  await at.cluster.patch(ConfigMap, "x", { data: { a: "1" } });
  expect(await disownObject(ConfigMap, at.object, REMOVING, {}, at.context)).toBe(false);
  expect(await deleteUnchanged(ConfigMap, at.object, at.context)).toMatchObject({ reason: "Conflict" });
  expect((await at.metadata())?.ownerReferences).toHaveLength(2);
  await at.cluster.delete(ConfigMap, "x");
  expect(await disownObject(ConfigMap, at.object, REMOVING, {}, at.context)).toBe(true);
  expect(await deleteUnchanged(ConfigMap, at.object, at.context)).toBeUndefined();
});

test("marks only the version that was decided on, and only once", async () => {
  await using at = await scenario();
  const marking = await markObject(ConfigMap, at.object, "p", at.context);
  const metadata = await at.metadata();
  expect(metadata?.annotations).toEqual({ [PRUNING]: "p" });
  expect(marking).toMatchObject({
    kind: "marked",
    object: { metadata: { resourceVersion: metadata?.resourceVersion } },
  });
  expect(await markObject(ConfigMap, at.object, "p", at.context)).toEqual({ kind: "changed" });
  if (marking.kind !== "marked") return;
  expect(await markObject(ConfigMap, marking.object, "p", at.context)).toEqual(marking);
  expect((await at.metadata())?.resourceVersion).toBe(metadata?.resourceVersion);
  await at.cluster.delete(ConfigMap, "x");
  expect(await markObject(ConfigMap, at.object, "p", at.context)).toEqual({ kind: "gone" });
});

test("unmarking makes the deletion fail; another object of the same name keeps its annotations", async () => {
  await using at = await scenario();
  await at.cluster.patch(ConfigMap, "x", {
    metadata: { annotations: { [PRUNE_AFTER_ANNOTATION]: "confirm", [PRUNING]: "p" } },
  });
  const marked = await at.cluster.get(ConfigMap, "x");
  if (marked === undefined) return;
  expect((await unmarkObject(ConfigMap, marked, at.context))?.metadata.annotations).toBeUndefined();
  expect(await deleteUnchanged(ConfigMap, marked, at.context)).toMatchObject({ reason: "Conflict" });
  await at.cluster.delete(ConfigMap, "x");
  expect(await unmarkObject(ConfigMap, marked, at.context)).toBeUndefined();
  const copy = await at.cluster.create(ConfigMap, { name: "x", annotations: { [PRUNING]: "p" } });
  expect(await unmarkObject(ConfigMap, marked, at.context)).toBeUndefined();
  // An object that belongs to no Operand.
  expect(await unmarkObject(ConfigMap, copy, at.context)).toEqual(copy);
  expect((await at.metadata())?.annotations).toEqual({ [PRUNING]: "p" });
});

test.each([
  ["stays loses its prune mark", { removeOperand: "p" }, undefined],
  ["passes to another inventory keeps its prune mark", {}, { [PRUNING]: "p" }],
])("an object that %s", async (_, ownerChange, annotations) => {
  await using at = await scenario();
  const marking = await markObject(ConfigMap, at.object, "p", at.context);
  if (marking.kind === "marked") await disownObject(ConfigMap, marking.object, REMOVING, ownerChange, at.context);
  expect((await at.metadata())?.annotations).toEqual(annotations);
});
