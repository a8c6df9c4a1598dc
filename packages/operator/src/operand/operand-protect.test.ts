import { childFinalizerName, CLUSTER_ORIGIN, finalizerName } from "@levelset/core/internal";
import { ConfigMap } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { ClusterActiveOperand, Operand, operand } from "./index.ts";
import {
  CLEAN,
  configs,
  DELETED,
  Estate,
  everything,
  finalizers,
  HELD,
  protectedLife,
  Suite,
} from "./operand-protect.fixture.ts";

async function installed(): Promise<TestCluster> {
  const cluster = await testCluster();
  cluster.run(everything());
  await cluster.apply(Suite, { name: "a", spec: { configs: ["x"] } });
  expect(await cluster.untilSettled(Suite, "a")).toBeReady();
  return cluster;
}

describe("a protected Operand", () => {
  test("that another client deletes stays with its whole set, and its owner reports it", async () => {
    await using cluster = await installed();
    expect((await finalizers(cluster))?.toSorted()).toEqual([finalizerName(Operand), HELD].toSorted());
    const before = await cluster.get(ConfigMap, "x");
    await cluster.delete(Operand, "default.a");
    await cluster.clock.advance(600_000);
    expect(await cluster.untilSettled(Suite, "a")).toHaveCondition("SoftwareReady", "False", DELETED);
    expect((await cluster.get(ConfigMap, "x"))?.metadata.uid).toBe(before?.metadata.uid);
    expect(await cluster.untilSettled(Operand, "default.a")).toHaveCondition("Ready", "False", {
      reason: "Deleting",
      message: `Released: suite/a holds the deletion with the finalizer ${HELD}`,
    });
    await cluster.delete(Suite, "a");
    await cluster.untilDeleted(Suite, "a");
    expect([await cluster.list(Operand), await cluster.list(ClusterActiveOperand), await configs(cluster)]).toEqual([
      [],
      [],
      [],
    ]);
  });

  test("that was deleted hands its set over to the new Operand when its name changes", async () => {
    await using cluster = await installed();
    const before = await cluster.get(ConfigMap, "x");
    await cluster.delete(Operand, "default.a");
    await cluster.untilIdle();
    await cluster.patch(Suite, "a", { spec: { operandName: "moved" } });
    await cluster.clock.advance(60_000);
    expect(await cluster.untilSettled(Suite, "a")).toBeReady();
    expect((await cluster.list(Operand)).map(({ metadata }) => metadata.name)).toEqual(["moved"]);
    expect((await cluster.get(ConfigMap, "x"))?.metadata.uid).toBe(before?.metadata.uid);
  });

  test("of a cluster-scoped owner is released when the owner is deleted with orphan propagation", async () => {
    await using cluster = await testCluster();
    cluster.run(everything(Estate));
    await cluster.apply(Estate, { name: "a", spec: { configs: ["x"] } });
    expect(await cluster.untilSettled(Estate, "a")).toBeReady();
    expect(await finalizers(cluster, "cluster.a")).toContain(childFinalizerName(Estate));
    const url = `${CLUSTER_ORIGIN}/apis/test.levelset.dev/v1/estates/a?propagationPolicy=Orphan`;
    await cluster.fetch(new Request(url, { method: "DELETE" }));
    await cluster.untilDeleted(Estate, "a");
    expect(await finalizers(cluster, "cluster.a")).toEqual([finalizerName(Operand)]);
    expect(await cluster.untilSettled(Operand, "cluster.a")).toBeReady();
    expect(await configs(cluster)).toEqual(["x"]);
  });

  test("is protected if it existed before, and unprotected when its step no longer requires it", async () => {
    await using cluster = await testCluster();
    for (const protect of [false, true, false]) {
      const running = cluster.run(everything(Suite, protect));
      await cluster.apply(Suite, { name: "a", spec: { configs: ["x"] } });
      expect(await cluster.untilSettled(Suite, "a")).toBeReady();
      expect((await finalizers(cluster))?.includes(HELD)).toBe(protect);
      await running.stop();
    }
  });

  test("accepts only a boolean for protect", () => {
    const steadyState = (): readonly [] => [];
    // @ts-expect-error A string is not a boolean.
    expect(operand(Suite, "A", { steadyState, protect: "yes" })).toBeDefined();
    // @ts-expect-error Unknown option.
    expect(operand(Suite, "A", { steadyState, protects: true })).toBeDefined();
  });

  test("of another owner is neither held nor released", async () => {
    await using cluster = await testCluster();
    cluster.run(everything());
    await cluster.create(Operand, {
      name: "default.a",
      finalizers: [HELD],
      spec: { steadyState: [], postInstall: [] },
    });
    await cluster.apply(Suite, { name: "a", spec: { configs: ["x"] } });
    expect(await cluster.untilSettled(Suite, "a")).toHaveCondition("SoftwareReady", "False", { reason: "NotOurs" });
    await cluster.delete(Suite, "a");
    await cluster.untilDeleted(Suite, "a");
    expect(await finalizers(cluster)).toContain(HELD);
  });
});

test("a protected Operand keeps its set and leaves no objects behind when the process crashes at any one write", async () => {
  const writes = await protectedLife(CLEAN, { kind: "crash" });
  expect(writes).toBeGreaterThan(6);
  for (let nth = 1; nth <= writes; nth++) await protectedLife(nth, { kind: "crash" });
});
