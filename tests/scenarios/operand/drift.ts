import { ConfigMap, Deployment, isReady } from "@levelset/core";
import { Client, Discovery, Operand, operandManager, planOperand } from "@levelset/operator";
import { inspectOperand } from "@levelset/operator/internal";
import { expect } from "vitest";
import type { Scenarios } from "../../support/cluster/scenario.ts";
import { manifestsWithServerDefaults } from "./server-defaults.ts";
import { config, deployment } from "./manifests.ts";
import {
  createOperand,
  updateOperand,
  condition,
  makeAvailable,
  operandName,
  hasCondition,
  start,
  until,
  untilReady,
} from "./operands.ts";
import { InterceptingFetch } from "./intercepting-fetch.ts";

/** Scenarios about drift, health and plans. */
export const DRIFT: Scenarios = {
  "drift mode Report only reports drift, until a new spec corrects it": async (cluster) => {
    const { namespace } = cluster;
    const seam = new InterceptingFetch();
    await start(cluster, (runnable) => seam.wrap(runnable));
    const set = (b: string): object => ({ steadyState: [config(namespace, "x", { a: "1", b })] });
    await createOperand(cluster, { drift: { mode: "Report" }, ...set("1") });
    await untilReady(cluster);
    const writes = seam.writesTo("/configmaps/x").length;
    await cluster.patch(ConfigMap, "x", { data: { a: "edited" } });
    const reported = await until(cluster, (operand) => condition(operand, "Drifted")?.status === "True");
    expect(condition(reported, "Drifted")?.message).toContain("configmap/x");
    await cluster.idle(10_000);
    expect(seam.writesTo("/configmaps/x")).toHaveLength(writes);
    await updateOperand(cluster, set("2"));
    const done = await until(
      cluster,
      (operand) => isReady(operand) && condition(operand, "Drifted")?.status !== "True",
    );
    expect(done.status?.observedGeneration).toBe(2);
    expect((await cluster.find(ConfigMap, "x"))?.data).toEqual({ a: "1", b: "2" });
  },

  "ignored fields are set once, and then left to other managers": async (cluster) => {
    const { namespace } = cluster;
    await start(cluster);
    const ignore = [{ kind: "ConfigMap", name: "x", fields: ["/data/a"] }];
    await createOperand(cluster, { drift: { ignore }, steadyState: [config(namespace, "x", { a: "1", b: "1" })] });
    await untilReady(cluster);
    expect((await cluster.find(ConfigMap, "x"))?.data).toEqual({ a: "1", b: "1" });
    await cluster.patch(ConfigMap, "x", { data: { a: "scaled", b: "edited" } });
    const back = await cluster.until(ConfigMap, "x", ({ data }) => data?.["b"] === "1");
    expect(back.data).toEqual({ a: "scaled", b: "1" });
    await cluster.idle(5_000);
    expect((await cluster.find(ConfigMap, "x"))?.data).toEqual({ a: "scaled", b: "1" });
  },

  "a wave waits until the one before it is ready": async (cluster) => {
    const { namespace } = cluster;
    await start(cluster);
    const later = config(namespace, "x", {}, { operand: { wave: "1" } });
    await createOperand(cluster, { steadyState: [later, deployment(namespace, "d")] });
    await cluster.until(Deployment, "d", () => true);
    const { status } = await until(cluster, (operand) => operand.status?.failing !== undefined);
    expect(status?.failing).toMatchObject([{ name: "x", reason: "EarlierWave" }]);
    await cluster.idle(5_000);
    expect(await cluster.find(ConfigMap, "x")).toBeUndefined();
    await makeAvailable(cluster, "d");
    await untilReady(cluster);
    expect(await cluster.find(ConfigMap, "x")).toBeDefined();
  },

  "health by expression: progressing, failed by timeout, and finally ready": async (cluster) => {
    const { namespace } = cluster;
    await start(cluster);
    const health = [{ kind: "ConfigMap", ready: "has(self.data.done)", timeout: "2s" }];
    await createOperand(cluster, { health, steadyState: [config(namespace, "x", { a: "1" })] });
    await until(cluster, hasCondition("OperandInstalled", "False", "Waiting"));
    const late = await until(cluster, hasCondition("OperandInstalled", "False", "Failed"), "a", 30_000);
    expect(condition(late, "Stalled")?.status).toBe("True");
    expect(condition(late, "Stalled")?.message).toContain("configmap/x");
    await cluster.patch(ConfigMap, "x", { data: { done: "yes" } });
    await untilReady(cluster);
  },

  "the readiness timeout of an object starts when it is applied": async (cluster) => {
    const { namespace } = cluster;
    await start(cluster);
    const health = [{ kind: "ConfigMap", ready: "has(self.data.done)", timeout: "3s" }];
    const later = config(namespace, "x", { a: "1" }, { operand: { wave: "1" } });
    await createOperand(cluster, { health, steadyState: [deployment(namespace, "d"), later] });
    await cluster.until(Deployment, "d", () => true);
    await cluster.idle(30_000);
    const begun = cluster.now();
    await makeAvailable(cluster, "d");
    const late = await until(cluster, hasCondition("OperandInstalled", "False", "Failed"), "a", 30_000);
    const since = Date.parse(late.status?.awaited?.[0]?.since ?? "");
    expect(since).toBeGreaterThanOrEqual(begun);
    expect(Date.parse(condition(late, "Stalled")?.lastTransitionTime ?? "") - since).toBeGreaterThanOrEqual(3_000);
    expect(late.status?.failing).toMatchObject([{ name: "x", reason: "Timeout" }]);
    await cluster.patch(ConfigMap, "x", { data: { done: "yes" } });
    expect((await untilReady(cluster)).status?.awaited).toBeUndefined();
  },

  "the readiness timeout restarts after an object was ready, and survives a restart of the process": async (
    cluster,
  ) => {
    const { namespace } = cluster;
    const running = await start(cluster);
    const health = [{ kind: "ConfigMap", ready: "!has(self.data.broken)", timeout: "15s" }];
    await createOperand(cluster, {
      health,
      steadyState: ["x", "y"].map((name) => config(namespace, name, { a: "1" })),
    });
    await untilReady(cluster);
    await cluster.patch(ConfigMap, "x", { data: { broken: "yes" } });
    const first = await until(cluster, ({ status }) => status?.awaited?.length === 1);
    await cluster.idle(3_000);
    await cluster.patch(ConfigMap, "y", { data: { broken: "yes" } });
    await until(cluster, ({ status }) => status?.awaited?.length === 2);
    await running.stop();
    await start(cluster);
    const late = await until(cluster, hasCondition("OperandInstalled", "False", "Failed"), "a", 30_000);
    expect(late.status?.failing?.[0]).toMatchObject({ name: "x", reason: "Timeout" });
    // A busy machine may report both at once.
    if (cluster.timeoutFactor === 1) expect(late.status?.failing).toHaveLength(1);
    expect(late.status?.awaited?.[0]).toEqual(first.status?.awaited?.[0]);
    const both = await until(cluster, ({ status }) => status?.failing?.length === 2, "a", 30_000);
    expect(condition(both, "Stalled")?.message).toContain("(and 1 more)");
  },

  "deletionPolicy WaitForTermination keeps the Operand until the last object is gone": async (cluster) => {
    const { namespace } = cluster;
    await start(cluster);
    await createOperand(cluster, { deletionPolicy: "WaitForTermination", steadyState: [config(namespace, "x")] });
    await untilReady(cluster);
    await cluster.patch(ConfigMap, "x", { metadata: { finalizers: ["example.com/hold"] } });
    await cluster.delete(Operand, operandName(cluster));
    await cluster.until(ConfigMap, "x", ({ metadata }) => metadata.deletionTimestamp !== undefined);
    await cluster.idle(10_000);
    expect(await cluster.find(Operand, operandName(cluster))).toBeDefined();
    await cluster.patch(ConfigMap, "x", { metadata: { finalizers: null } });
    await cluster.untilDeleted(Operand, operandName(cluster), 20_000);
    expect(await cluster.find(ConfigMap, "x")).toBeUndefined();
  },

  "a plan lists what a run then creates, changes and prunes, and writes nothing": async (cluster) => {
    const { namespace } = cluster;
    const seam = new InterceptingFetch();
    await start(cluster, (runnable) => seam.wrap(runnable));
    await createOperand(cluster, {
      steadyState: ["same", "change", "drop"].map((name) => config(namespace, name, { v: "1" })),
    });
    const before = await untilReady(cluster);
    const next = [
      config(namespace, "same", { v: "1" }),
      config(namespace, "change", { v: "2" }),
      config(namespace, "new"),
    ];
    const patch = { spec: { steadyState: next } };
    const proposed = await cluster.client.mergePatch(Operand, { name: operandName(cluster) }, patch, { dryRun: true });
    const { client } = cluster;
    const clock = { now: () => cluster.now() };
    const world = { client, clock, discovery: new Discovery(client), signal: new AbortController().signal };
    const plan = await cluster.advanceUntil(planOperand(proposed, world));
    if (plan.kind === "invalid") throw new Error(plan.problems.join());
    const planned = [
      ...plan.items.filter(({ action }) => action !== "none").map(({ action, ref }) => `${action} ${ref.name}`),
      ...plan.prunes.map(({ action, ref }) => `${action} ${ref.name}`),
    ];
    expect(planned.toSorted()).toEqual(["change change", "create new", "delete drop"]);
    expect((await cluster.find(Operand, operandName(cluster)))?.metadata.resourceVersion).toBe(
      before.metadata.resourceVersion,
    );
    expect(await cluster.find(ConfigMap, "new")).toBeUndefined();
    const uids = async (): Promise<readonly (string | undefined)[]> =>
      Promise.all(["same", "change", "drop"].map(async (name) => (await cluster.find(ConfigMap, name))?.metadata.uid));
    const [same, changed] = await uids();
    await cluster.patch(Operand, operandName(cluster), patch);
    await untilReady(cluster);
    await cluster.untilDeleted(ConfigMap, "drop");
    expect(await uids()).toEqual([same, changed, undefined]);
    expect((await cluster.find(ConfigMap, "change"))?.data).toEqual({ v: "2" });
    expect(await cluster.find(ConfigMap, "new")).toBeDefined();
  },

  "a plan ignores server defaults, also in a process that did not apply the set": async (cluster) => {
    const running = await start(cluster);
    await createOperand(cluster, {
      steadyState: manifestsWithServerDefaults(cluster.namespace),
      checkDeploymentHealth: false,
    });
    await untilReady(cluster);
    await running.stop();
    const client = new Client({ fetch: cluster.fetch, fieldManager: "another" });
    const operand = await client.get(Operand, { name: operandName(cluster) });
    const clock = { now: () => cluster.now() };
    const world = { client, clock, discovery: new Discovery(client), signal: new AbortController().signal };
    const planned = await cluster.advanceUntil(planOperand(operand, world));
    const acts = planned.kind === "invalid" ? planned.problems : [...planned.items, ...planned.prunes];
    expect(acts.filter((one) => typeof one === "string" || one.action !== "none")).toEqual([]);
    const inspected = await cluster.advanceUntil(inspectOperand(operand, world));
    const items = inspected.kind === "invalid" ? [] : inspected.items;
    expect(items).toHaveLength(operand.spec.steadyState.length);
    expect(items.filter(({ state }) => state !== "applied")).toEqual([]);
  },

  "server defaults are not drift, also in a process that did not apply the set": async (cluster) => {
    const { namespace } = cluster;
    const running = await start(cluster);
    const drift = { mode: "Report" } as const;
    await createOperand(cluster, {
      drift,
      steadyState: manifestsWithServerDefaults(namespace),
      checkDeploymentHealth: false,
    });
    await untilReady(cluster);
    await running.stop();
    cluster.start(operandManager());
    await cluster.patch(ConfigMap, "settings", { data: { a: "edited" } });
    const reported = await until(cluster, (operand) => condition(operand, "Drifted")?.status === "True", "a", 20_000);
    expect(condition(reported, "Drifted")?.message).toContain("configmap/settings");
    await cluster.patch(ConfigMap, "settings", { data: { a: "1" } });
    await until(cluster, (operand) => condition(operand, "Drifted")?.status !== "True", "a", 20_000);
  },

  "a set that is too large is rejected with its size, and not applied at all": async (cluster) => {
    const { namespace } = cluster;
    await start(cluster);
    await createOperand(cluster, {
      steadyState: Array.from({ length: 5_001 }, (_, index) => config(namespace, `c${index}`)),
    });
    const operand = await until(cluster, hasCondition("OperandInstalled", "False", "InvalidManifest"));
    expect(condition(operand, "OperandInstalled")?.message).toContain("5001 objects");
    expect(await cluster.find(ConfigMap, "c0")).toBeUndefined();
  },
};
