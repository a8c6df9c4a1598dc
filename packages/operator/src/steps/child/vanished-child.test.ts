import { ConfigMap, kind, s } from "@levelset/core";
import type { RecordedRequest } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { expect, test } from "vitest";
import { operator } from "../../manager/index.ts";
import { child, subresources } from "../index.ts";
import { Child, Parent } from "./parent-child.fixture.ts";

const Shop = kind({ group: "test.levelset.dev", version: "v1", kind: "Shop", spec: s.object({ value: s.string() }) });
const LATE_MS = 60_000;

const isChild = ({ path }: RecordedRequest): boolean => path.includes("/configmaps/");
const isOwner = ({ path }: RecordedRequest): boolean => path.endsWith("/shops/a");

async function opened(): Promise<TestCluster> {
  const cluster = await testCluster();
  cluster.run(
    operator(Shop, [
      child(Shop, "Settings", {
        kind: ConfigMap,
        desired: ({ spec }) => ({ metadata: { name: "c" }, data: { value: spec.value } }),
      }),
    ]),
  );
  await cluster.create(Shop, { name: "a", spec: { value: "1" } });
  expect(await cluster.untilSettled(Shop, "a")).toBeReady();
  return cluster;
}

/** Requests since a call of this function, as `method path`. */
function recorded(cluster: TestCluster, filter: (request: RecordedRequest) => boolean): () => readonly string[] {
  const first = cluster.requests().length;
  return () =>
    cluster
      .requests()
      .slice(first)
      .filter(filter)
      .map(({ method }) => method);
}

test("a child is not created again after its owner was deleted, while the cache still has the owner", async () => {
  await using cluster = await opened();
  const writes = recorded(cluster, isChild);
  cluster.faults.failNthEvent(1, { kind: "delay", ms: LATE_MS }, ({ path }) => path.endsWith("/shops"));
  await cluster.delete(Shop, "a");
  await cluster.clock.advance(LATE_MS / 2);
  expect(await cluster.get(ConfigMap, "c")).toBeUndefined();
  await cluster.clock.advance(LATE_MS);
  expect(writes()).toEqual([]);
});

test("a child that a person deletes is created again after one read of its owner", async () => {
  await using cluster = await opened();
  const reads = recorded(cluster, isOwner);
  const writes = recorded(cluster, isChild);
  await cluster.delete(ConfigMap, "c");
  expect(await cluster.untilSettled(Shop, "a")).toBeReady();
  expect(await cluster.untilSettled(ConfigMap, "c")).toMatchObject({ data: { value: "1" } });
  expect([reads(), writes()]).toEqual([["GET"], ["PATCH"]]);
});

test("the first child of a new object is created without a read of its owner", async () => {
  await using cluster = await opened();
  expect(cluster.requests().filter(isOwner)).toEqual([]);
});

test("many missing children are created after one read of their owner in each run", async () => {
  const members = subresources(Parent, "Members", {
    kind: Child,
    desired: ({ spec }) => spec.members.map((name) => ({ metadata: { name }, spec: { value: spec.value } })),
  });
  const names = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `m${index}`);
  await using cluster = await testCluster({ kinds: [Child] });
  cluster.run(operator(Parent, [members]));
  await cluster.create(Parent, { name: "p", spec: { value: 1, members: [] } });
  expect(await cluster.untilSettled(Parent, "p")).toBeReady();
  const isParent = ({ path }: RecordedRequest): boolean => path.endsWith("/parents/p");
  const reads = recorded(cluster, isParent);
  for (const [count, expected] of [
    [20, ["GET"]],
    [25, ["GET", "GET"]],
  ] as const) {
    await cluster.patch(Parent, "p", { spec: { members: names(count) } });
    await cluster.untilIdle();
    expect(await cluster.list(Child)).toHaveLength(count);
    expect(reads().filter((method) => method === "GET")).toEqual(expected);
  }
});
