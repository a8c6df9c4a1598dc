import { childFinalizerName } from "@levelset/core/internal";
import { kind, Pod, s, StatefulSet } from "@levelset/core";
import type { NewOf, ObjectOf, Runnable } from "@levelset/core";
import { isWatch, isWrite } from "@levelset/core/testing";
import type { Fault, RequestFilter } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { operator } from "../../manager/index.ts";
import { foreignWriter } from "./foreign-writer.fixture.ts";
import { workload } from "./workload.ts";

const Site = kind({
  group: "test.levelset.dev",
  version: "v1",
  kind: "Site",
  spec: s.object({ server: s.string().optional(), image: s.string().default("web:1") }),
});
const HELD = childFinalizerName(Site);

function podsOf(name: string, image: string): NewOf<typeof StatefulSet>["spec"] {
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name: "main", image }] } };
  return { replicas: 1, selector: { matchLabels: labels }, serviceName: name, template };
}

function sites(protect = true): Runnable {
  return operator(Site, [
    workload(Site, "Server", {
      condition: "ServerReady",
      kind: StatefulSet,
      protect,
      desired: ({ spec: { server, image } }) =>
        server === undefined ? undefined : { metadata: { name: server }, spec: podsOf(server, image) },
    }),
  ]);
}

function deleted(name: string): { readonly severity: "Error"; readonly reason: string; readonly message: string } {
  const message = `statefulset/${name} is being deleted but is still needed; its finalizer stays until this object is deleted too`;
  return { severity: "Error", reason: "ChildDeleted", message };
}

async function later(cluster: TestCluster, ms: number): Promise<ObjectOf<typeof Site>> {
  await cluster.clock.advance(ms);
  return cluster.untilSettled(Site, "a");
}

async function names(cluster: TestCluster): Promise<readonly string[]> {
  await cluster.untilIdle();
  return (await cluster.list(StatefulSet)).map(({ metadata }) => metadata.name);
}

async function started(): Promise<TestCluster> {
  const cluster = await testCluster({ workloads: true });
  cluster.run(sites());
  await cluster.create(Site, { name: "a", spec: { server: "b" } });
  expect(await later(cluster, 30_000)).toBeReady();
  return cluster;
}

describe("a protected workload", () => {
  test("that another client deletes stays with its pods, and its owner reports it", async () => {
    await using cluster = await started();
    const [pod] = await cluster.list(Pod);
    expect((await cluster.get(StatefulSet, "b"))?.metadata.finalizers).toEqual([HELD]);
    expect((await cluster.untilSettled(Site, "a")).metadata.finalizers).toEqual(["test.levelset.dev/site"]);
    await cluster.delete(StatefulSet, "b");
    expect(await later(cluster, 600_000)).toHaveCondition("ServerReady", "False", deleted("b"));
    expect((await cluster.list(Pod)).map(({ metadata }) => metadata.uid)).toEqual([pod?.metadata.uid]);
    await cluster.delete(Site, "a");
    await cluster.clock.advance(60_000);
    await cluster.untilDeleted(Site, "a");
    expect([await names(cluster), await cluster.list(Pod)]).toEqual([[], []]);
  });

  test("under a new name replaces the old one, which is deleted once the new one is ready", async () => {
    await using cluster = await started();
    await cluster.patch(Site, "a", { spec: { server: "c" } });
    await cluster.untilIdle();
    expect(await names(cluster)).toEqual(["b", "c"]);
    expect(await later(cluster, 60_000)).toBeReady();
    expect(await names(cluster)).toEqual(["c"]);
    expect((await cluster.get(StatefulSet, "c"))?.metadata.finalizers).toEqual([HELD]);
  });

  test("is deleted when it is no longer desired, also if another client has deleted it", async () => {
    await using cluster = await started();
    await cluster.delete(StatefulSet, "b");
    await cluster.untilIdle();
    await cluster.patch(Site, "a", { spec: { server: null } });
    expect(await later(cluster, 60_000)).toBeReady();
    expect(await names(cluster)).toEqual([]);
  });

  test("causes no writes once settled", async () => {
    await using cluster = await started();
    const writes = cluster.faults.count(isWrite);
    await cluster.patch(Site, "a", { metadata: { labels: { touched: "true" } } });
    expect(await later(cluster, 3_600_000)).toBeReady();
    expect(cluster.faults.count(isWrite)).toBe(writes);
  });

  test("is protected if it existed before, and released when its step no longer protects it", async () => {
    for (const protect of [true, false]) {
      await using cluster = await testCluster({ workloads: true });
      const first = cluster.run(sites(!protect));
      await cluster.create(Site, { name: "a", spec: { server: "b" } });
      await later(cluster, 30_000);
      await first.stop();
      cluster.run(sites(protect));
      expect(await later(cluster, 30_000)).toBeReady();
      expect((await cluster.get(StatefulSet, "b"))?.metadata.finalizers ?? []).toEqual(protect ? [HELD] : []);
      expect((await cluster.untilSettled(Site, "a")).metadata.finalizers ?? []).toEqual(
        protect ? ["test.levelset.dev/site"] : [],
      );
    }
  });

  test("is contested if another client keeps removing its finalizer", async () => {
    await using cluster = await testCluster({ workloads: true });
    foreignWriter(cluster, StatefulSet, ({ metadata }) =>
      metadata.finalizers === undefined ? undefined : { patch: { metadata: { finalizers: null } } },
    );
    cluster.run(sites());
    await cluster.create(Site, { name: "a", spec: { server: "b" } });
    expect(await later(cluster, 120_000)).toHaveCondition("Ready", "False", {
      reason: "Contested",
      message: /^metadata\.finalizers\[="test\.levelset\.dev\/site-child"\] of statefulset\/b is reverted/u,
    });
  });

  test("accepts only a boolean for protect", () => {
    const desired = (): undefined => undefined;
    // @ts-expect-error A string is not a boolean.
    expect(workload(Site, "A", { kind: StatefulSet, desired, protect: "yes" })).toBeDefined();
    // @ts-expect-error Unknown option.
    expect(workload(Site, "A", { kind: StatefulSet, desired, protected: true })).toBeDefined();
  });

  test("of another client is neither held nor released", async () => {
    await using cluster = await testCluster({ workloads: true });
    await cluster.create(StatefulSet, { name: "b", finalizers: [HELD], spec: podsOf("b", "web:1") });
    cluster.run(sites());
    await cluster.create(Site, { name: "a", spec: { server: "b" } });
    expect(await later(cluster, 30_000)).toHaveCondition("ServerReady", "False", { reason: "NotOurs" });
    await cluster.delete(StatefulSet, "b");
    await cluster.delete(Site, "a");
    await cluster.clock.advance(60_000);
    await cluster.untilDeleted(Site, "a");
    expect((await cluster.get(StatefulSet, "b"))?.metadata.finalizers).toEqual([HELD]);
  });
});

const isCall: RequestFilter = (request) => !isWatch(request);

async function calm(cluster: TestCluster): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await cluster.untilIdle();
    if (cluster.faults.isCrashed) {
      cluster.faults.restart();
      cluster.run(sites());
    }
    await cluster.clock.advance(60_000);
  }
  await cluster.untilIdle();
}

/**
 * Creates a workload, lets another client delete it, renames it, and deletes the owner. Returns the number of requests.
 */
async function runLifecycle(nth: number, fault: Fault): Promise<number> {
  await using cluster = await testCluster({ workloads: true, seed: nth });
  cluster.run(sites());
  cluster.faults.failNth(nth, fault, isCall);
  await cluster.create(Site, { name: "a", spec: { server: "b" } });
  await calm(cluster);
  expect(await cluster.untilSettled(Site, "a")).toBeReady();
  await cluster.delete(StatefulSet, "b");
  await calm(cluster);
  expect(await cluster.untilSettled(Site, "a")).toHaveCondition("ServerReady", "False", deleted("b"));
  expect(await names(cluster)).toEqual(["b"]);
  await cluster.patch(Site, "a", { spec: { server: "c" } });
  await calm(cluster);
  expect(await cluster.untilSettled(Site, "a")).toBeReady();
  expect(await names(cluster)).toEqual(["c"]);
  await cluster.delete(Site, "a");
  await calm(cluster);
  await cluster.untilDeleted(Site, "a");
  expect([await names(cluster), await cluster.list(Pod)]).toEqual([[], []]);
  return cluster.faults.count(isCall);
}

test.each<Fault>([{ kind: "response-lost" }, { kind: "crash" }])(
  "a protected workload is never lost and leaves no objects behind when any one request fails with %j",
  async (fault) => {
    const calls = await runLifecycle(1_000_000, fault);
    expect(calls).toBeGreaterThan(8);
    for (let nth = 1; nth <= calls; nth++) await runLifecycle(nth, fault);
  },
);
