import { ConfigMap } from "@levelset/core";
import { seededRandom } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import { expect, test } from "vitest";
import { Client, Discovery } from "../client/index.ts";
import { Claims } from "./claims.ts";
import { MANAGED_LABEL, partLabel, PRUNING } from "./marks.ts";
import { pruneObjects } from "./prune-objects.ts";
import { surroundingsOf } from "./pruning.ts";

/** More than are deleted at a time. */
const MANY = 70;
const ref = (name: string) => ({ group: "", kind: "ConfigMap", namespace: "default", name });

/** Objects of an Operand that is gone, and the means to remove them. */
async function scene(count: number) {
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
  const pruner = { client, signal, discovery: new Discovery(client), claims: new Claims() };
  const about = { operand: undefined, operandUid: "p", going: new Set<string>(), isOrphaning: false, now: 0 };
  const left = async (): Promise<number> =>
    (await cluster.list(ConfigMap)).filter(({ metadata }) => metadata.name.startsWith("x")).length;
  return {
    pruner,
    refs: names.map(ref),
    around: surroundingsOf([], about),
    left,
    cluster,
    marks: async () =>
      (await cluster.list(ConfigMap)).filter(({ metadata }) => metadata.annotations?.[PRUNING] === "p").length,
    touch: (name: string) => cluster.patch(ConfigMap, name, { data: { touched: String(++touches) } }),
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  };
}

test("objects that nobody wants are deleted, some at a time, and each time it is asked before whether that still holds", async () => {
  await using at = await scene(MANY);
  const found: number[] = [];
  const isCurrent = async (): Promise<boolean> => {
    found.push(await at.left());
    return true;
  };
  const pruned = await pruneObjects(at.pruner, at.refs, { around: at.around, isCurrent });
  expect([...new Set(pruned.values())]).toEqual(["deleted"]);
  expect(found).toEqual([70, 38, 6]);
  expect(await at.left()).toBe(0);
});

test("nothing more is deleted from the moment on at which what was decided by has changed", async () => {
  await using at = await scene(MANY);
  let asked = 0;
  const isCurrent = (): Promise<boolean> => Promise.resolve(++asked === 1);
  const pruned = await pruneObjects(at.pruner, at.refs, { around: at.around, isCurrent });
  expect([...pruned.values()].filter((one) => one === "outdated")).toHaveLength(38);
  expect(await at.left()).toBe(38);
});

test("an object that is just being listed by a new inventory is not deleted", async () => {
  await using at = await scene(2);
  const { promise, resolve } = Promise.withResolvers<object>();
  const listing = at.pruner.claims.during("list", [ref("x1")], () => promise);
  const view = { around: at.around, isCurrent: () => Promise.resolve(true) };
  expect([...(await pruneObjects(at.pruner, at.refs, view)).values()]).toEqual(["outdated", "outdated"]);
  expect(await at.left()).toBe(2);
  resolve({});
  await listing;
  expect([...(await pruneObjects(at.pruner, at.refs, view)).values()]).toEqual(["deleted", "deleted"]);
});

test("an object that changes before each deletion is given up after a few looks, and said so; others go", async () => {
  await using at = await scene(2);
  let looks = 0;
  const isCurrent = async (): Promise<boolean> => {
    looks++;
    await at.touch("x1");
    return true;
  };
  const pruned = await pruneObjects(at.pruner, at.refs, { around: at.around, isCurrent });
  expect([...pruned.values()]).toEqual(["deleted", { reason: "Changing", message: "it changes all the time" }]);
  expect([looks, await at.left()]).toEqual([5, 1]);
});

test("objects are marked when it is asked for the last time whether they are wanted, and lose the mark when they are", async () => {
  await using at = await scene(3);
  const marked: number[] = [];
  const answering = (answer: boolean) => async (): Promise<boolean> => {
    marked.push(await at.marks());
    return answer;
  };
  const outdated = await pruneObjects(at.pruner, at.refs, { around: at.around, isCurrent: answering(false) });
  expect([...new Set(outdated.values())]).toEqual(["outdated"]);
  expect([marked, await at.marks(), await at.left()]).toEqual([[3], 0, 3]);
  await pruneObjects(at.pruner, at.refs, { around: at.around, isCurrent: answering(true) });
  expect([marked, await at.left()]).toEqual([[3, 3], 0]);
});

test("an object whose mark is removed after the last look is not deleted by that look, and is decided about anew", async () => {
  await using at = await scene(1);
  let looks = 0;
  const isCurrent = async (): Promise<boolean> => {
    looks++;
    if (looks > 1) return false;
    await at.cluster.patch(ConfigMap, "x0", { metadata: { annotations: { [PRUNING]: null } } });
    return true;
  };
  const pruned = await pruneObjects(at.pruner, at.refs, { around: at.around, isCurrent });
  expect([...pruned.values()]).toEqual(["outdated"]);
  expect([looks, await at.marks(), await at.left()]).toEqual([2, 0, 1]);
});

test("an object that the server refuses to mark is deleted in the version that was decided about", async () => {
  await using at = await scene(2);
  const isMarking = ({ method }: { readonly method: string }): boolean => method === "PATCH";
  at.cluster.faults.failNth(1, { kind: "status", reason: "InternalError" }, isMarking);
  at.cluster.faults.failNth(2, { kind: "status", reason: "Forbidden" }, isMarking);
  const view = { around: at.around, isCurrent: () => Promise.resolve(true) };
  expect([...(await pruneObjects(at.pruner, at.refs, view)).values()]).toEqual(["deleted", "deleted"]);
});

test("an object that an overloaded server does not mark is not deleted in that run", async () => {
  await using at = await scene(1);
  const isMarking = ({ method }: { readonly method: string }): boolean => method === "PATCH";
  at.cluster.faults.failNth(1, { kind: "status", reason: "ServiceUnavailable" }, isMarking);
  const view = { around: at.around, isCurrent: () => Promise.resolve(true) };
  await expect(pruneObjects(at.pruner, at.refs, view)).rejects.toMatchObject({ reason: "ServiceUnavailable" });
  expect(await at.left()).toBe(1);
});

test("a throttled deletion is not sent again after the last look; the next run looks anew", async () => {
  await using at = await scene(1);
  const isDelete = ({ method }: { readonly method: string }): boolean => method === "DELETE";
  at.cluster.faults.failNth(1, { kind: "status", reason: "TooManyRequests", retryAfterSeconds: 1 }, isDelete);
  let looks = 0;
  const view = { around: at.around, isCurrent: () => Promise.resolve(++looks > 0) };
  await expect(pruneObjects(at.pruner, at.refs, view)).rejects.toMatchObject({ reason: "TooManyRequests" });
  expect([at.cluster.faults.count(isDelete), await at.left()]).toEqual([1, 1]);
  expect([...(await pruneObjects(at.pruner, at.refs, view)).values()]).toEqual(["deleted"]);
  expect(looks).toBe(2);
});
