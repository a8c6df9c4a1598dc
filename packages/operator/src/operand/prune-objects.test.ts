import { ConfigMap } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import { expect, test } from "vitest";
import { Client, Discovery } from "../client/index.ts";
import { Claims } from "./claims.ts";
import { MANAGED_LABEL, partLabel } from "./marks.ts";
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
  const client = new Client({ fetch: cluster.fetch, fieldManager: "test" });
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
