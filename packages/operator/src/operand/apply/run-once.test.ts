import { CLUSTER_ORIGIN } from "@levelset/core/internal";
import { ConfigMap, Job, Pod } from "@levelset/core";
import type { EmbeddedObject } from "@levelset/core";
import { isWrite } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { Client, Discovery } from "../../client/index.ts";
import { ClusterActiveOperand, inspectOperand, Operand, operandManager, planOperand } from "../index.ts";
import { job, jobRuns } from "./run-once.fixture.ts";

const LONG = { "run-for": "10m" };
const BAD = { "exit-code": "1" };

async function installed(steadyState: readonly EmbeddedObject[], spec: object = {}): Promise<TestCluster> {
  const cluster = await testCluster({ workloads: true });
  cluster.run(operandManager());
  await cluster.apply(Operand, { name: "shop", spec: { ...spec, steadyState } });
  await cluster.clock.advance(60_000);
  await cluster.untilIdle();
  return cluster;
}

async function changed(cluster: TestCluster, steadyState: readonly EmbeddedObject[]): Promise<void> {
  await cluster.patch(Operand, "shop", { spec: { steadyState } });
  await cluster.clock.advance(60_000);
  await cluster.untilIdle();
}

function world(cluster: TestCluster) {
  const client = new Client({ fetch: cluster.fetch, fieldManager: "test" });
  return { client, discovery: new Discovery(client), clock: cluster.clock, signal: new AbortController().signal };
}

describe("a Job of a set", () => {
  test("with a TTL runs once, and its absence afterwards costs no writes", async () => {
    await using cluster = await installed([job("a", { ttl: 0 })]);
    const writes = cluster.faults.count(isWrite);
    await cluster.clock.advance(240_000);
    expect(jobRuns(cluster, "a")).toEqual(["web:1 Complete"]);
    const operand = await cluster.untilSettled(Operand, "shop");
    expect(operand).toBeReady();
    expect(operand.status?.counts).toMatchObject({ total: 1, applied: 1, ready: 1 });
    expect(operand.status?.jobs).toMatchObject([{ namespace: "default", job: "a", result: "Complete" }]);
    expect(await cluster.get(Job, "a")).toBeUndefined();
    expect(cluster.faults.count(isWrite)).toBe(writes);
    const [inventory] = await cluster.list(ClusterActiveOperand);
    expect(inventory).toHaveCondition("OwnerRefsInjected", "True");
  });

  test("that is gone after it completed is neither planned nor inspected as missing", async () => {
    await using cluster = await installed([job("a", { ttl: 0 })]);
    const operand = await cluster.untilSettled(Operand, "shop");
    expect(await planOperand(operand, world(cluster))).toMatchObject({ items: [{ action: "none" }], prunes: [] });
    expect(await inspectOperand(operand, world(cluster))).toMatchObject({
      items: [{ state: "applied", readiness: { kind: "ready" } }],
    });
  });

  test("has no finalizer once its result is recorded, and is not run again when a person deletes it", async () => {
    await using cluster = await installed([job("a")]);
    expect((await cluster.get(Job, "a"))?.metadata.finalizers).toBeUndefined();
    await cluster.delete(Job, "a");
    await cluster.clock.advance(60_000);
    expect(jobRuns(cluster, "a")).toEqual(["web:1 Complete"]);
    expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
  });

  test("is run again, after its pods are gone, when another client deletes it before it finished", async () => {
    await using cluster = await installed([job("a", { pods: LONG })]);
    const path = "/apis/batch/v1/namespaces/default/jobs/a?propagationPolicy=Background";
    await cluster.fetch(new Request(CLUSTER_ORIGIN + path, { method: "DELETE" }));
    await cluster.clock.advance(60_000);
    expect(await cluster.list(Pod)).toHaveLength(1);
    await cluster.clock.advance(600_000);
    expect(jobRuns(cluster, "a")).toEqual(["web:1 unfinished", "web:1 Complete"]);
    expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
  });

  test("is replaced when its content changes, and runs again", async () => {
    await using cluster = await installed([job("a")]);
    const operand = await cluster.untilSettled(Operand, "shop");
    const next = { ...operand, spec: { ...operand.spec, steadyState: [job("a", { image: "web:2" })] } };
    expect(await planOperand(next, world(cluster))).toMatchObject({ items: [{ action: "recreate" }] });
    await changed(cluster, [job("a", { image: "web:2" })]);
    expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
    expect(jobRuns(cluster, "a")).toEqual(["web:1 Complete", "web:2 Complete"]);
  });

  test("that still runs is replaced by one with other content once its pods are gone", async () => {
    await using cluster = await installed([job("a", { pods: LONG })]);
    await changed(cluster, [job("a", { image: "web:2" })]);
    expect(jobRuns(cluster, "a")).toEqual(["web:1 unfinished", "web:2 Complete"]);
    expect((await cluster.list(Pod)).map(({ spec }) => spec?.containers[0]?.image)).toEqual(["web:2"]);
  });

  test("keeps its run when only labels, the TTL or another object of the set change", async () => {
    await using cluster = await installed([job("a")]);
    const config: EmbeddedObject = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "x", namespace: "default" },
    };
    await changed(cluster, [job("a", { labels: { version: "2" } }), config]);
    expect((await cluster.get(Job, "a"))?.metadata.labels).toMatchObject({ version: "2" });
    await changed(cluster, [job("a", { labels: { version: "2" }, ttl: 5 }), config]);
    expect(await cluster.get(ConfigMap, "x")).toBeDefined();
    expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
    expect([jobRuns(cluster, "a"), await cluster.get(Job, "a")]).toEqual([["web:1 Complete"], undefined]);
  });

  test("that failed is reported with its reason, and run again when it is deleted or its content changes", async () => {
    await using cluster = await installed([job("a", { pods: BAD })]);
    await cluster.clock.advance(300_000);
    const operand = await cluster.untilSettled(Operand, "shop");
    expect(operand.status?.failing).toMatchObject([{ name: "a", reason: "BackoffLimitExceeded" }]);
    expect(operand).toHaveCondition("Stalled", "True");
    expect(jobRuns(cluster, "a")).toEqual(["web:1 Failed"]);
    await cluster.delete(Job, "a");
    await cluster.clock.advance(60_000);
    expect(jobRuns(cluster, "a")).toEqual(["web:1 Failed", "web:1 Failed"]);
    await changed(cluster, [job("a", { image: "web:2" })]);
    expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
    expect(jobRuns(cluster, "a")).toEqual(["web:1 Failed", "web:1 Failed", "web:2 Complete"]);
  });

  test("that failed does not fail an Operand that waits for no object", async () => {
    await using cluster = await testCluster({ workloads: true });
    cluster.run(operandManager());
    const steadyState = [job("a", { pods: { "exit-code": "1" } })];
    await cluster.apply(Operand, { name: "shop", spec: { healthGate: "None", steadyState } });
    await cluster.clock.advance(60_000);
    expect(jobRuns(cluster, "a")).toEqual(["web:1 Failed"]);
    expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
  });

  test("that failed and is gone by its TTL stays failed until its content changes", async () => {
    await using cluster = await installed([job("a", { pods: BAD, ttl: 0 })]);
    await cluster.clock.advance(300_000);
    const operand = await cluster.untilSettled(Operand, "shop");
    expect(operand.status?.failing).toMatchObject([{ name: "a", reason: "BackoffLimitExceeded" }]);
    expect([jobRuns(cluster, "a"), await cluster.get(Job, "a")]).toEqual([["web:1 Failed"], undefined]);
    await changed(cluster, [job("a", { image: "web:2", ttl: 0 })]);
    expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
  });

  test("whose TTL ends while no operator runs is held until its result is recorded", async () => {
    await using cluster = await testCluster({ workloads: true });
    const first = cluster.run(operandManager());
    await cluster.apply(Operand, {
      name: "shop",
      spec: { steadyState: [job("a", { ttl: 0, pods: { "run-for": "20s" } })] },
    });
    await cluster.clock.advance(5_000);
    await first.stop();
    await cluster.clock.advance(600_000);
    expect((await cluster.get(Job, "a"))?.metadata.deletionTimestamp).toBeDefined();
    cluster.run(operandManager());
    await cluster.clock.advance(60_000);
    await cluster.untilDeleted(Job, "a");
    expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
    expect(jobRuns(cluster, "a")).toEqual(["web:1 Complete"]);
  });

  test("that still runs is pruned when it is dropped, and with its Operand", async () => {
    await using cluster = await installed([job("a", { pods: LONG }), job("b", { pods: LONG })]);
    await changed(cluster, [job("b", { pods: LONG })]);
    expect((await cluster.list(Job)).map(({ metadata }) => metadata.name)).toEqual(["b"]);
    expect((await cluster.untilSettled(Operand, "shop")).status?.jobs).toBeUndefined();
    await cluster.delete(Operand, "shop");
    await cluster.clock.advance(60_000);
    await cluster.untilDeleted(Operand, "shop");
    expect([await cluster.list(Job), await cluster.list(Pod)]).toEqual([[], []]);
  });

  test("is left without finalizer when its Operand is deleted with policy Orphan", async () => {
    await using cluster = await installed([job("a", { pods: LONG })], { deletionPolicy: "Orphan" });
    expect((await cluster.get(Job, "a"))?.metadata.finalizers).toHaveLength(1);
    await cluster.delete(Operand, "shop");
    await cluster.untilDeleted(Operand, "shop");
    const left = await cluster.get(Job, "a");
    expect([left?.metadata.finalizers ?? [], left?.metadata.deletionTimestamp]).toEqual([[], undefined]);
  });

  test("of mode EnsureExists runs once, whatever its content", async () => {
    const operand = { mode: "EnsureExists" };
    await using cluster = await installed([job("a", { ttl: 0, operand })]);
    await changed(cluster, [job("a", { ttl: 0, operand, image: "web:2" })]);
    await cluster.clock.advance(300_000);
    expect(jobRuns(cluster, "a")).toEqual(["web:1 Complete"]);
    expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
  });

  test("of a set with drift mode Report is recorded and released, and its absence is no drift", async () => {
    await using cluster = await installed([job("a", { ttl: 0, pods: { "run-for": "30s" } })], {
      drift: { mode: "Report" },
    });
    await cluster.clock.advance(120_000);
    const operand = await cluster.untilSettled(Operand, "shop");
    expect(operand).toBeReady();
    expect(operand.status?.conditions?.find(({ type }) => type === "Drifted")?.status).not.toBe("True");
    expect([jobRuns(cluster, "a"), await cluster.get(Job, "a")]).toEqual([["web:1 Complete"], undefined]);
  });

  test("gates a set with healthGate All while it runs, and is ready once it has completed and is gone", async () => {
    await using cluster = await installed([job("a", { ttl: 0, pods: { "run-for": "90s" } })], { healthGate: "All" });
    expect(await cluster.untilSettled(Operand, "shop")).not.toBeReady();
    await cluster.clock.advance(120_000);
    expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
    expect([jobRuns(cluster, "a"), await cluster.get(Job, "a")]).toEqual([["web:1 Complete"], undefined]);
  });

  test("that existed before with the same content is adopted and not run again", async () => {
    await using cluster = await testCluster({ workloads: true });
    const { spec } = job("a") as unknown as { readonly spec: NonNullable<(typeof Job)["Object"]>["spec"] };
    await cluster.create(Job, { name: "a", spec });
    await cluster.clock.advance(60_000);
    cluster.run(operandManager());
    await cluster.apply(Operand, { name: "shop", spec: { steadyState: [job("a")] } });
    await cluster.clock.advance(60_000);
    expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
    expect(jobRuns(cluster, "a")).toEqual(["web:1 Complete"]);
    await changed(cluster, [job("a", { image: "web:2" })]);
    expect(jobRuns(cluster, "a")).toEqual(["web:1 Complete", "web:2 Complete"]);
  });

  test("that existed before with other content fails with ImmutableField", async () => {
    await using cluster = await testCluster({ workloads: true });
    const { spec } = job("a", { image: "theirs" }) as unknown as {
      readonly spec: NonNullable<(typeof Job)["Object"]>["spec"];
    };
    await cluster.create(Job, { name: "a", spec });
    cluster.run(operandManager());
    await cluster.apply(Operand, { name: "shop", spec: { steadyState: [job("a")] } });
    await cluster.untilIdle();
    expect((await cluster.get(Operand, "shop"))?.status?.failing).toMatchObject([
      { name: "a", reason: "ImmutableField" },
    ]);
  });
});
