import { compareResourceVersions, ConfigMap, controllerOf, Deployment, findCondition } from "@levelset/core";
import { annotatedOwnerOf } from "@levelset/core/internal";
import { isWrite, seededRandom } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { manager } from "../manager/index.ts";
import {
  config,
  configs,
  Estate,
  operators,
  runLifecycle,
  runWithFaultAtEachWrite,
  softwareOf,
  Suite,
} from "./operand-step.fixture.ts";
import { ClusterActiveOperand, Operand, operandManager, operandOperators } from "./index.ts";

describe("the operand step", () => {
  test("installs the rendered set and is ready when the Operand is", async () => {
    await using cluster = await testCluster({ workloads: true });
    cluster.run(operators());
    await cluster.apply(Suite, { name: "a", spec: { configs: ["x"], image: "app:1", extra: "tag" } });
    const waiting = await cluster.untilSettled(Suite, "a");
    expect(waiting).toHaveCondition("SoftwareReady", "False", {
      reason: "Waiting",
      message: /^operand\/default\.a: /u,
    });
    expect(await configs(cluster)).toEqual(["x"]);
    await cluster.clock.advance(10_000);
    const suite = await cluster.untilSettled(Suite, "a");
    expect(suite).toBeReady();
    expect(await configs(cluster)).toEqual(["last", "x"]);
    const made = await cluster.untilSettled(Operand, "default.a");
    expect(suite.status?.version).toBe(made.status?.latestReadyActiveOperand);
    expect(annotatedOwnerOf(made)).toMatchObject({ kind: "Suite", namespace: "default", name: "a" });
    expect(controllerOf(made)).toBeUndefined();
  });

  test("reports the object that blocks the deletion of its set, and completes once that is gone", async () => {
    await using cluster = await testCluster();
    cluster.run(operators());
    await cluster.apply(Suite, { name: "a", spec: { configs: ["x"], extra: "tag" } });
    expect(await cluster.untilSettled(Suite, "a")).toBeReady();
    await cluster.patch(ConfigMap, "last", { metadata: { finalizers: ["example.com/f"] } });
    await cluster.delete(Suite, "a");
    await cluster.untilIdle();
    expect(await cluster.untilSettled(Suite, "a")).toHaveCondition("SoftwareReady", "False", {
      reason: "WaitingForDeletion",
      message: /^operand\/default\.a is being deleted.*configmap\/last in default .*finalizers example\.com\/f/u,
    });
    await cluster.patch(ConfigMap, "last", { metadata: { finalizers: null } });
    await cluster.untilDeleted(Suite, "a");
    expect(await configs(cluster)).toEqual([]);
  });

  test("sets an owner reference on the Operand of a cluster-scoped owner", async () => {
    await using cluster = await testCluster();
    cluster.run(manager([softwareOf(Estate), ...operandOperators()]));
    await cluster.apply(Estate, { name: "a", spec: { configs: ["x"] } });
    expect(await cluster.untilSettled(Estate, "a")).toBeReady();
    expect(controllerOf(await cluster.untilSettled(Operand, "cluster.a"))).toMatchObject({ kind: "Estate", name: "a" });
    await cluster.delete(Estate, "a");
    await cluster.untilDeleted(Estate, "a");
    await cluster.untilDeleted(Operand, "cluster.a");
    expect(await configs(cluster)).toEqual([]);
  });

  test("keeps the Operand and its set when such an owner is deleted with orphan propagation", async () => {
    await using cluster = await testCluster();
    cluster.run(manager([softwareOf(Estate), ...operandOperators()]));
    await cluster.apply(Estate, { name: "a", spec: { configs: ["x"] } });
    await cluster.untilIdle();
    const url = "http://cluster.invalid/apis/test.levelset.dev/v1/estates/a?propagationPolicy=Orphan";
    await cluster.fetch(new Request(url, { method: "DELETE" }));
    await cluster.untilDeleted(Estate, "a");
    const left = await cluster.untilSettled(Operand, "cluster.a");
    expect(left).toBeReady();
    expect(controllerOf(left)).toBeUndefined();
    expect(await configs(cluster)).toEqual(["x"]);
  });

  test("is never ready for a set that the Operand has not installed", async () => {
    await using cluster = await testCluster({ workloads: true });
    cluster.run(operators());
    await cluster.apply(Suite, { name: "a", spec: { configs: ["x"], image: "app:1" } });
    await cluster.clock.advance(10_000);
    for (const [round, lagMs] of [0, 300, 2_000].entries()) {
      cluster.faults.delayResponses(lagMs);
      await cluster.patch(Suite, "a", { spec: { configs: [`x${round}`], image: `app:${round + 2}` } });
      await cluster.clock.advance(30_000);
    }
    expect(await cluster.untilSettled(Suite, "a")).toBeReady();
    expect(await configs(cluster)).toEqual(["x2"]);
    let checked = 0;
    for (const { metadata, spec, status } of cluster.history(Suite, "a")) {
      const ready = findCondition(status?.conditions, "Ready");
      if (status?.observedGeneration !== metadata.generation || ready?.status !== "True") continue;
      const live = cluster
        .history(Deployment, "server")
        .findLast((one) => compareResourceVersions(one.metadata.resourceVersion, metadata.resourceVersion) < 0);
      expect(live?.spec?.template.spec?.containers[0]?.image).toBe(spec.image);
      expect(live?.status?.readyReplicas).toBe(1);
      checked++;
    }
    expect(checked).toBeGreaterThanOrEqual(4);
  });

  test("forwards the Operand's message about an invalid set", async () => {
    await using cluster = await testCluster();
    cluster.run(operators());
    await cluster.apply(Suite, { name: "a", spec: { configs: ["x", "x"] } });
    const suite = await cluster.untilSettled(Suite, "a");
    expect(suite).toHaveCondition("Ready", "False", {
      severity: "Error",
      reason: "InvalidManifest",
      message:
        /operand\/default\.a: steadyState\[1\]: configmap\/x in default is already declared at steadyState\[0\]/u,
    });
  });

  test("writes nothing once settled, also after a restart", async () => {
    await using cluster = await testCluster({ workloads: true });
    const first = cluster.run(operators());
    await cluster.apply(Suite, { name: "a", spec: { configs: ["x"], image: "app:1", extra: "tag" } });
    await cluster.clock.advance(10_000);
    expect(await cluster.untilSettled(Suite, "a")).toBeReady();
    await first.stop();
    const before = cluster.faults.count(isWrite);
    cluster.run(operators());
    await cluster.clock.advance(3_600_000);
    await cluster.untilIdle();
    expect(cluster.faults.count(isWrite)).toBe(before);
  });

  test("recreates the Operand when another client deletes it", async () => {
    await using cluster = await testCluster();
    cluster.run(operators());
    await cluster.apply(Suite, { name: "a", spec: { configs: ["x"] } });
    const before = await cluster.untilSettled(Operand, "default.a");
    await cluster.delete(Operand, "default.a");
    expect(await cluster.untilSettled(Suite, "a")).toBeReady();
    expect((await cluster.untilSettled(Operand, "default.a")).metadata.uid).not.toBe(before.metadata.uid);
    expect(await configs(cluster)).toEqual(["x"]);
  });

  test("moves to another Operand when its name changes, without deleting objects", async () => {
    await using cluster = await testCluster();
    cluster.run(operators());
    await cluster.apply(Suite, { name: "a", spec: { configs: ["x"] } });
    await cluster.untilIdle();
    const before = await cluster.get(ConfigMap, "x");
    await cluster.patch(Suite, "a", { spec: { operandName: "moved" } });
    expect(await cluster.untilSettled(Suite, "a")).toBeReady();
    expect((await cluster.list(Operand)).map(({ metadata }) => metadata.name)).toEqual(["moved"]);
    expect((await cluster.get(ConfigMap, "x"))?.metadata.uid).toBe(before?.metadata.uid);
  });

  test("does not touch an Operand of another owner and reports it", async () => {
    await using cluster = await testCluster();
    cluster.run(operators());
    await cluster.create(Operand, { name: "default.a", spec: { steadyState: [config("theirs")] } });
    await cluster.apply(Suite, { name: "a", spec: { configs: ["x"] } });
    expect(await cluster.untilSettled(Suite, "a")).toHaveCondition("SoftwareReady", "False", { reason: "NotOurs" });
    await cluster.delete(Suite, "a");
    await cluster.untilDeleted(Suite, "a");
    expect(await configs(cluster)).toEqual(["theirs"]);
  });

  test("keeps the owner until the Operand and its set are gone", async () => {
    await using cluster = await testCluster();
    cluster.run(softwareOf(Suite));
    const controllers = cluster.run(operandManager());
    await cluster.apply(Suite, { name: "a", spec: { configs: ["x"] } });
    expect(await cluster.untilSettled(Suite, "a")).toBeReady();
    await controllers.stop();
    await cluster.delete(Suite, "a");
    expect(await cluster.untilSettled(Suite, "a")).toHaveCondition("Ready", "False", {
      message: /operand\/default\.a/u,
    });
    expect(await configs(cluster)).toEqual(["x"]);
    cluster.run(operandManager());
    await cluster.untilDeleted(Suite, "a");
    expect(await cluster.list(Operand)).toEqual([]);
    expect(await cluster.list(ClusterActiveOperand)).toEqual([]);
    expect(await configs(cluster)).toEqual([]);
  });
});

describe("a set that is installed by the operand step ends as declared and leaves no objects behind", () => {
  test("when the response to any one write is lost", async () => {
    expect(await runWithFaultAtEachWrite({ kind: "response-lost" })).toBeGreaterThan(8);
  });

  test("when its watches are delayed", async () => {
    const lag = seededRandom(7);
    const writes = await runLifecycle((cluster) => cluster.faults.delayResponses(() => lag.next() * 5_000));
    expect(writes).toBeGreaterThan(8);
  });
});
