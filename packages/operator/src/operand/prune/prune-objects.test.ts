import { ConfigMap } from "@levelset/core";
import { seededRandom } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import { expect, test } from "vitest";
import { Client, Discovery } from "../../client/index.ts";
import { RefLocks } from "../inventory/ref-locks.ts";
import { MANAGED_LABEL, partLabel, PRUNING } from "../spec/labels-and-annotations.ts";
import { pruneObjects } from "./prune-objects.ts";
import { buildPruneContext } from "./prune-decision.ts";

/** More than one batch. */
const MANY = 70;
const ref = (name: string) => ({ group: "", kind: "ConfigMap", namespace: "default", name });

/** Creates objects of an Operand that is gone. */
async function scenario(count: number) {
  const cluster = await testCluster();
  let touches = 0;
  const names = Array.from({ length: count }, (_, index) => `x${index}`);
  const labels = { [MANAGED_LABEL]: "true", [partLabel("p")]: "hash" };
  for (const name of names) await cluster.create(ConfigMap, { name, labels });
  const client = new Client({
    fetch: cluster.faults.fetch,
    fieldManager: "test",
    retry: { clock: cluster.clock, random: seededRandom(1) },
  });
  const { signal } = new AbortController();
  const pruner = { client, signal, discovery: new Discovery(client), claims: new RefLocks() };
  const state = { isOrphaning: false, propagation: "Background", now: 0 } as const;
  const about = { operand: undefined, operandUid: "p", removing: new Set<string>(), ...state };
  const left = async (): Promise<number> =>
    (await cluster.list(ConfigMap)).filter(({ metadata }) => metadata.name.startsWith("x")).length;
  return {
    pruner,
    refs: names.map(ref),
    around: buildPruneContext([], about),
    left,
    cluster,
    marks: async () =>
      (await cluster.list(ConfigMap)).filter(({ metadata }) => metadata.annotations?.[PRUNING] === "p").length,
    touch: (name: string) => cluster.patch(ConfigMap, name, { data: { touched: String(++touches) } }),
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  };
}

test("deletes unneeded objects in batches, and checks before each batch that the decision is current", async () => {
  await using at = await scenario(MANY);
  const found: number[] = [];
  const isCurrent = async (): Promise<boolean> => {
    found.push(await at.left());
    return true;
  };
  const pruned = await pruneObjects(at.pruner, at.refs, { ctx: at.around, isCurrent });
  expect([...new Set(pruned.values())]).toEqual(["deleted"]);
  expect(found).toEqual([70, 38, 6]);
  expect(await at.left()).toBe(0);
});

test("stops deleting once the decision is outdated", async () => {
  await using at = await scenario(MANY);
  let requested = 0;
  const isCurrent = (): Promise<boolean> => Promise.resolve(++requested === 1);
  const pruned = await pruneObjects(at.pruner, at.refs, { ctx: at.around, isCurrent });
  expect([...pruned.values()].filter((one) => one === "outdated")).toHaveLength(38);
  expect(await at.left()).toBe(38);
});

test("does not delete an object that a new inventory is about to list", async () => {
  await using at = await scenario(2);
  const { promise, resolve } = Promise.withResolvers<object>();
  const listing = at.pruner.claims.withLock("list", [ref("x1")], () => promise);
  const view = { ctx: at.around, isCurrent: () => Promise.resolve(true) };
  expect([...(await pruneObjects(at.pruner, at.refs, view)).values()]).toEqual(["outdated", "outdated"]);
  expect(await at.left()).toBe(2);
  resolve({});
  await listing;
  expect([...(await pruneObjects(at.pruner, at.refs, view)).values()]).toEqual(["deleted", "deleted"]);
});

test("reports an object that changes before each deletion after a few attempts; others are deleted", async () => {
  await using at = await scenario(2);
  let looks = 0;
  const isCurrent = async (): Promise<boolean> => {
    looks++;
    await at.touch("x1");
    return true;
  };
  const pruned = await pruneObjects(at.pruner, at.refs, { ctx: at.around, isCurrent });
  expect([...pruned.values()]).toEqual(["deleted", { reason: "Changing", message: "it keeps changing" }]);
  expect([looks, await at.left()]).toEqual([5, 1]);
});

test("objects are marked before the last check, and unmarked if they are needed", async () => {
  await using at = await scenario(3);
  const marked: number[] = [];
  const answering = (result: boolean) => async (): Promise<boolean> => {
    marked.push(await at.marks());
    return result;
  };
  const outdated = await pruneObjects(at.pruner, at.refs, { ctx: at.around, isCurrent: answering(false) });
  expect([...new Set(outdated.values())]).toEqual(["outdated"]);
  expect([marked, await at.marks(), await at.left()]).toEqual([[3], 0, 3]);
  await pruneObjects(at.pruner, at.refs, { ctx: at.around, isCurrent: answering(true) });
  expect([marked, await at.left()]).toEqual([[3, 3], 0]);
});

test("an object whose mark is removed after the last check is not deleted, and is decided on again", async () => {
  await using at = await scenario(1);
  let looks = 0;
  const isCurrent = async (): Promise<boolean> => {
    looks++;
    if (looks > 1) return false;
    await at.cluster.patch(ConfigMap, "x0", { metadata: { annotations: { [PRUNING]: null } } });
    return true;
  };
  const pruned = await pruneObjects(at.pruner, at.refs, { ctx: at.around, isCurrent });
  expect([...pruned.values()]).toEqual(["outdated"]);
  expect([looks, await at.marks(), await at.left()]).toEqual([2, 0, 1]);
});

test("an object that the server refuses to mark is deleted by its resourceVersion", async () => {
  await using at = await scenario(2);
  const isMarking = ({ method }: { readonly method: string }): boolean => method === "PATCH";
  at.cluster.faults.failNth(1, { kind: "status", reason: "InternalError" }, isMarking);
  at.cluster.faults.failNth(2, { kind: "status", reason: "Forbidden" }, isMarking);
  const view = { ctx: at.around, isCurrent: () => Promise.resolve(true) };
  expect([...(await pruneObjects(at.pruner, at.refs, view)).values()]).toEqual(["deleted", "deleted"]);
});

test("an object that an overloaded server does not mark is not deleted in that run", async () => {
  await using at = await scenario(1);
  const isMarking = ({ method }: { readonly method: string }): boolean => method === "PATCH";
  at.cluster.faults.failNth(1, { kind: "status", reason: "ServiceUnavailable" }, isMarking);
  const view = { ctx: at.around, isCurrent: () => Promise.resolve(true) };
  await expect(pruneObjects(at.pruner, at.refs, view)).rejects.toMatchObject({ reason: "ServiceUnavailable" });
  expect(await at.left()).toBe(1);
});

test("a throttled deletion is not retried after the last check; the next run checks again", async () => {
  await using at = await scenario(1);
  const isDelete = ({ method }: { readonly method: string }): boolean => method === "DELETE";
  at.cluster.faults.failNth(1, { kind: "status", reason: "TooManyRequests", retryAfterSeconds: 1 }, isDelete);
  let looks = 0;
  const view = { ctx: at.around, isCurrent: () => Promise.resolve(++looks > 0) };
  await expect(pruneObjects(at.pruner, at.refs, view)).rejects.toMatchObject({ reason: "TooManyRequests" });
  expect([at.cluster.faults.count(isDelete), await at.left()]).toEqual([1, 1]);
  expect([...(await pruneObjects(at.pruner, at.refs, view)).values()]).toEqual(["deleted"]);
  expect(looks).toBe(2);
});
