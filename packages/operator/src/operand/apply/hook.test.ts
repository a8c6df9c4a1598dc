import { ConfigMap, Deployment, Event, Job, Namespace } from "@levelset/core";
import type { EmbeddedObject } from "@levelset/core";
import { isWrite } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { Client, Discovery } from "../../client/index.ts";
import { inspectOperand, Operand, operandManager, planOperand } from "../index.ts";
import { job, jobRuns } from "./run-once.fixture.ts";
import type { JobSettings } from "./run-once.fixture.ts";

const LONG = { "run-for": "1h" };
const BAD = { "exit-code": "1" };

const config = (value = "1"): EmbeddedObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "settings", namespace: "default" },
  data: { value },
});

const labels = { app: "web" };
const web: EmbeddedObject = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", namespace: "default" },
  spec: {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: "main", image: "web:1" }] } },
  },
};

const hook = (name: string, settings: JobSettings = {}): EmbeddedObject =>
  job("hook", { ...settings, operand: { hook: name, ...settings.operand } });

async function created(steadyState: readonly EmbeddedObject[], spec: object = {}): Promise<TestCluster> {
  const cluster = await testCluster({ workloads: true });
  cluster.run(operandManager());
  await cluster.apply(Operand, { name: "shop", spec: { ...spec, steadyState } });
  await pass(cluster);
  return cluster;
}

async function pass(cluster: TestCluster, ms = 60_000): Promise<void> {
  await cluster.clock.advance(ms);
  await cluster.untilIdle();
}

async function changed(cluster: TestCluster, steadyState: readonly EmbeddedObject[]): Promise<void> {
  await cluster.patch(Operand, "shop", { spec: { steadyState } });
  await pass(cluster);
}

async function skipped(cluster: TestCluster): Promise<readonly string[]> {
  const events = await cluster.list(Event);
  return events.filter(({ reason }) => reason === "HookSkipped").map(({ message = "" }) => message);
}

describe("a preInstall hook", () => {
  test("runs after ConfigMaps and before workloads of the first installation, and not in later ones", async () => {
    await using cluster = await created([web, config(), hook("preInstall", { pods: { "run-for": "90s" } })]);
    expect(await cluster.get(ConfigMap, "settings")).toBeDefined();
    expect(await cluster.get(Deployment, "web")).toBeUndefined();
    expect(await cluster.get(Operand, "shop")).toHaveCondition("OperandInstalled", "False", { reason: "Waiting" });
    await pass(cluster, 120_000);
    const operand = await cluster.untilSettled(Operand, "shop");
    expect(operand).toBeReady();
    expect(operand.status?.counts).toMatchObject({ total: 3, applied: 3, ready: 3 });
    await changed(cluster, [web, config("2"), hook("preInstall", { image: "web:2" })]);
    expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
    expect(jobRuns(cluster, "hook")).toEqual(["web:1 Complete"]);
  });

  test("waits for the workload that it depends on", async () => {
    const operand = { "depends-on": "apps/namespaces/default/Deployment/web" };
    await using cluster = await created([web, hook("preInstall", { operand })]);
    expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
    const started = cluster.history(Job, "hook")[0]?.metadata.resourceVersion;
    const available = cluster.history(Deployment, "web").find(({ status }) => status?.availableReplicas === 1);
    expect(Number(started)).toBeGreaterThan(Number(available?.metadata.resourceVersion));
  });

  test("that failed stops the installation until its content changes", async () => {
    await using cluster = await created([web, hook("preInstall", { pods: BAD })]);
    const operand = await cluster.get(Operand, "shop");
    expect(operand).toHaveCondition("OperandInstalled", "False", { reason: "HookFailed" });
    expect(operand).toHaveCondition("Stalled", "True", { reason: "HookFailed" });
    expect(operand?.status?.failing).toMatchObject([{ kind: "Job", name: "hook", reason: "HookFailed" }]);
    await changed(cluster, [web, hook("preInstall", { image: "web:2" })]);
    expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
    expect(jobRuns(cluster, "hook")).toEqual(["web:1 Failed", "web:2 Complete"]);
  });

  test("that does not finish within its timeout stops the installation, and its Job stays", async () => {
    const operand = { "hook-timeout": "5m" };
    await using cluster = await created([web, hook("preInstall", { pods: LONG, operand })]);
    await pass(cluster, 200_000);
    expect(await cluster.get(Operand, "shop")).toHaveCondition("OperandInstalled", "False", { reason: "Waiting" });
    await pass(cluster, 60_000);
    const late = await cluster.get(Operand, "shop");
    expect(late).toHaveCondition("OperandInstalled", "False", { reason: "HookTimedOut" });
    expect(late).toHaveCondition("Stalled", "True");
    expect(await cluster.get(Job, "hook")).toBeDefined();
    await cluster.patch(Operand, "shop", {
      metadata: { annotations: { "operand.levelset.dev/skip-hooks": "true" } },
    });
    await pass(cluster);
    expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
    expect((await skipped(cluster)).length).toBeGreaterThan(0);
  });

  test("with a TTL runs once, and a settled set costs no writes", async () => {
    await using cluster = await created([web, hook("preInstall,postInstall", { ttl: 0 })]);
    await pass(cluster, 120_000);
    expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
    const writes = cluster.faults.count(isWrite);
    await pass(cluster, 600_000);
    expect(jobRuns(cluster, "hook")).toEqual(["web:1 Complete", "web:1 Complete"]);
    expect(cluster.faults.count(isWrite)).toBe(writes);
  });
});

describe("a postInstall hook", () => {
  test("runs once the set is healthy, and gates the first installation", async () => {
    await using cluster = await created([web, hook("postInstall", { pods: BAD })]);
    expect((await cluster.get(Deployment, "web"))?.status?.availableReplicas).toBe(1);
    expect(await cluster.get(Operand, "shop")).toHaveCondition("OperandInstalled", "False", { reason: "HookFailed" });
    expect((await cluster.get(Operand, "shop"))?.status?.latestReadyActiveOperand).toBeUndefined();
    await cluster.delete(Job, "hook");
    await changed(cluster, [web, hook("postInstall", { image: "web:2" })]);
    expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
    await changed(cluster, [web, config(), hook("postInstall", { image: "web:3" })]);
    expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
    expect(jobRuns(cluster, "hook").at(-1)).toBe("web:2 Complete");
  });
});

describe("a preUpgrade hook", () => {
  test("runs once for each later version of the set, before its workloads, and not for other changes", async () => {
    await using cluster = await created([config(), hook("preUpgrade")]);
    expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
    expect(jobRuns(cluster, "hook")).toEqual([]);
    await cluster.patch(Operand, "shop", { spec: { revisionHistoryLimit: 3 } });
    await pass(cluster);
    expect(jobRuns(cluster, "hook")).toEqual([]);
    await cluster.patch(Operand, "shop", {
      spec: { steadyState: [config(), web, hook("preUpgrade", { pods: { "run-for": "30s" } })] },
    });
    await pass(cluster, 20_000);
    expect(await cluster.get(Deployment, "web")).toBeUndefined();
    await pass(cluster);
    expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
    expect(jobRuns(cluster, "hook")).toEqual(["web:1 Complete"]);
    await changed(cluster, [config("2"), web, hook("preUpgrade", { pods: { "run-for": "30s" } })]);
    await pass(cluster);
    await cluster.patch(Operand, "shop", { spec: { suspend: true } });
    await pass(cluster);
    await cluster.patch(Operand, "shop", { spec: { suspend: false } });
    await pass(cluster);
    expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
    expect(jobRuns(cluster, "hook")).toEqual(["web:1 Complete", "web:1 Complete"]);
  });

  test("is planned for a changed set, and is no missing object otherwise", async () => {
    await using cluster = await created([config(), hook("preUpgrade")]);
    const operand = await cluster.untilSettled(Operand, "shop");
    const client = new Client({ fetch: cluster.fetch, fieldManager: "test" });
    const world = {
      client,
      discovery: new Discovery(client),
      clock: cluster.clock,
      signal: new AbortController().signal,
    };
    expect(await planOperand(operand, world)).toMatchObject({ items: [{ action: "none" }, { action: "none" }] });
    expect(await inspectOperand(operand, world)).toMatchObject({
      items: [{}, { state: "applied", readiness: { kind: "ready" } }],
    });
    const next = { ...operand, spec: { ...operand.spec, steadyState: [config("2"), hook("preUpgrade")] } };
    expect(await planOperand(next, world)).toMatchObject({ items: [{ action: "change" }, { action: "create" }] });
  });
});

describe("a preDelete hook", () => {
  test("runs before any object of a deleted Operand is deleted", async () => {
    await using cluster = await created([web, config(), hook("preDelete", { pods: { "run-for": "30s" }, ttl: 0 })]);
    expect(jobRuns(cluster, "hook")).toEqual([]);
    await cluster.delete(Operand, "shop");
    await pass(cluster, 20_000);
    expect(await cluster.get(Operand, "shop")).toHaveCondition("OperandInstalled", "False", {
      reason: "WaitingForHook",
    });
    expect((await cluster.get(ConfigMap, "settings"))?.metadata.deletionTimestamp).toBeUndefined();
    await pass(cluster);
    await cluster.untilDeleted(Operand, "shop");
    expect(jobRuns(cluster, "hook")).toEqual(["web:1 Complete"]);
    expect([await cluster.list(Job), await cluster.get(ConfigMap, "settings")]).toEqual([[], undefined]);
    expect(await skipped(cluster)).toEqual([]);
  });

  test("that failed blocks the deletion until it is skipped", async () => {
    await using cluster = await created([config(), hook("preDelete", { pods: BAD })]);
    await cluster.delete(Operand, "shop");
    await pass(cluster, 300_000);
    const held = await cluster.get(Operand, "shop");
    expect(held).toHaveCondition("OperandInstalled", "False", {
      reason: "HookFailed",
      message: /job\.batch\/hook in default/u,
    });
    expect(held).toHaveCondition("Stalled", "True");
    expect(await cluster.get(ConfigMap, "settings")).toBeDefined();
    expect(jobRuns(cluster, "hook")).toEqual(["web:1 Failed"]);
    await cluster.patch(Operand, "shop", {
      metadata: { annotations: { "operand.levelset.dev/skip-hooks": "true" } },
    });
    await pass(cluster);
    await cluster.untilDeleted(Operand, "shop");
    expect(await skipped(cluster)).toHaveLength(1);
    expect(await cluster.list(Job)).toEqual([]);
  });

  test("in a namespace that is being deleted is skipped with a warning", async () => {
    await using cluster = await testCluster({ workloads: true });
    cluster.run(operandManager());
    await cluster.apply(Namespace, { name: "other" });
    const steadyState = [config(), job("hook", { namespace: "other", operand: { hook: "preDelete" } })];
    await cluster.apply(Operand, { name: "shop", spec: { steadyState } });
    await pass(cluster);
    await cluster.patch(Namespace, "other", { metadata: { finalizers: ["example.com/hold"] } });
    await cluster.delete(Namespace, "other");
    await cluster.delete(Operand, "shop");
    await pass(cluster);
    await cluster.untilDeleted(Operand, "shop");
    expect(await skipped(cluster)).toMatchObject([expect.stringContaining("namespace other is being deleted")]);
  });

  test("does not run with deletion policy Orphan, or if the set was never ready", async () => {
    await using orphaned = await created([config(), hook("preDelete")], { deletionPolicy: "Orphan" });
    await orphaned.delete(Operand, "shop");
    await orphaned.untilDeleted(Operand, "shop");
    expect(jobRuns(orphaned, "hook")).toEqual([]);
    const first = job("first", { pods: BAD, operand: { hook: "preInstall" } });
    await using failed = await created([config(), first, hook("preDelete")]);
    await failed.delete(Operand, "shop");
    await pass(failed);
    await failed.untilDeleted(Operand, "shop");
    expect(jobRuns(failed, "hook")).toEqual([]);
  });
});
