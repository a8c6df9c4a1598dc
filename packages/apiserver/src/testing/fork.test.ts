import { ConfigMap, kind, s } from "@levelset/core";
import { expect, test } from "vitest";
import { TestFile } from "../store/sqlite/file.fixture.ts";
import { TestCluster, testCluster } from "./test-cluster.ts";

const Simple = kind({
  group: "examples.levelset.dev",
  version: "v1",
  kind: "Simple",
  spec: s.object({ replicas: s.int32().default(1) }),
});

test("a fork starts with the kinds, objects, history and time of its origin, and changes independently", async () => {
  await using base = await testCluster({ kinds: [Simple] });
  await base.apply(Simple, { name: "a", spec: {} });
  await base.clock.advance(90_000);
  await base.patch(Simple, "a", { spec: { replicas: 2 } });
  await using fork = await base.fork();
  expect(fork.clock.now()).toBe(base.clock.now());
  expect(await fork.get(Simple, "a")).toEqual(await base.get(Simple, "a"));
  expect(fork.history(Simple, "a").map(({ spec }) => spec.replicas)).toEqual([1, 2]);
  await fork.apply(Simple, { name: "b", spec: { replicas: 3 } });
  await base.delete(Simple, "a");
  await fork.clock.advance(1000);
  expect((await fork.list(Simple)).map(({ metadata }) => metadata.name)).toEqual(["a", "b"]);
  expect(await base.list(Simple)).toEqual([]);
  expect(fork.clock.now() - base.clock.now()).toBe(1000);
});

test("forks of the same state are identical, and never generate a uid that exists", async () => {
  await using base = await testCluster({ seed: 7 });
  const taken = await base.create(ConfigMap, { name: "a" });
  const drawn = async (seed?: number): Promise<string> => {
    await using fork = await base.fork(seed === undefined ? {} : { seed });
    return (await fork.create(ConfigMap, { name: "b" })).metadata.uid;
  };
  const first = await drawn();
  expect(await drawn()).toBe(first);
  expect(new Set([taken.metadata.uid, first, await drawn(8)]).size).toBe(3);
});

test("runnables are not copied to a fork, and its counters start at zero", async () => {
  await using base = await testCluster({ kinds: [Simple] });
  base.run({
    name: "reader",
    start: async ({ fetch }) => void (await fetch(new Request("http://cluster/api/v1/namespaces"))),
  });
  await base.untilIdle();
  await using fork = await base.fork();
  expect([base.requests().length, fork.requests().length]).toEqual([1, 0]);
});

test("a cluster can use another store, and cannot be forked then", async () => {
  using file = new TestFile();
  const store = await file.open();
  await using cluster = new TestCluster({}, { store });
  await cluster.apply(ConfigMap, { name: "a", data: { key: "1" } });
  expect(store.get({ resource: "configmaps", namespace: "default", name: "a" })?.object).toMatchObject({
    data: { key: "1" },
  });
  await expect(cluster.fork()).rejects.toThrow("only a cluster in memory can be forked");
});
