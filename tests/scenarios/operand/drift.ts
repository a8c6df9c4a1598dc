import { ConfigMap, Deployment, isReady } from "@levelset/core";
import { Client, Discovery, inspectOperand, Operand, operandManager, planOperand } from "@levelset/operator";
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
  "drift mode Report only reports drift, until a new spec corrects it": async (harness) => {
    const { namespace } = harness.environment;
    const seam = new InterceptingFetch();
    await start(harness, (runnable) => seam.wrap(runnable));
    const set = (b: string): object => ({ steadyState: [config(namespace, "x", { a: "1", b })] });
    await createOperand(harness, { drift: { mode: "Report" }, ...set("1") });
    await untilReady(harness);
    const writes = seam.writesTo("/configmaps/x").length;
    await harness.patch(ConfigMap, "x", { data: { a: "edited" } });
    const reported = await until(harness, (operand) => condition(operand, "Drifted")?.status === "True");
    expect(condition(reported, "Drifted")?.message).toContain("configmap/x");
    await harness.environment.idle(10_000);
    expect(seam.writesTo("/configmaps/x")).toHaveLength(writes);
    await updateOperand(harness, set("2"));
    const done = await until(
      harness,
      (operand) => isReady(operand) && condition(operand, "Drifted")?.status !== "True",
    );
    expect(done.status?.observedGeneration).toBe(2);
    expect((await harness.find(ConfigMap, "x"))?.data).toEqual({ a: "1", b: "2" });
  },

  "ignored fields are set once, and then left to other managers": async (harness) => {
    const { namespace } = harness.environment;
    await start(harness);
    const ignore = [{ kind: "ConfigMap", name: "x", fields: ["/data/a"] }];
    await createOperand(harness, { drift: { ignore }, steadyState: [config(namespace, "x", { a: "1", b: "1" })] });
    await untilReady(harness);
    expect((await harness.find(ConfigMap, "x"))?.data).toEqual({ a: "1", b: "1" });
    await harness.patch(ConfigMap, "x", { data: { a: "scaled", b: "edited" } });
    const back = await harness.until(ConfigMap, "x", ({ data }) => data?.["b"] === "1");
    expect(back.data).toEqual({ a: "scaled", b: "1" });
    await harness.environment.idle(5_000);
    expect((await harness.find(ConfigMap, "x"))?.data).toEqual({ a: "scaled", b: "1" });
  },

  "a wave waits until the one before it is ready": async (harness) => {
    const { namespace } = harness.environment;
    await start(harness);
    const later = config(namespace, "x", {}, { operand: { wave: "1" } });
    await createOperand(harness, { steadyState: [later, deployment(namespace, "d")] });
    await harness.until(Deployment, "d", () => true);
    const { status } = await until(harness, (operand) => operand.status?.failing !== undefined);
    expect(status?.failing).toMatchObject([{ name: "x", reason: "EarlierWave" }]);
    await harness.environment.idle(5_000);
    expect(await harness.find(ConfigMap, "x")).toBeUndefined();
    await makeAvailable(harness, "d");
    await untilReady(harness);
    expect(await harness.find(ConfigMap, "x")).toBeDefined();
  },

  "health by expression: progressing, failed by timeout, and finally ready": async (harness) => {
    const { namespace } = harness.environment;
    await start(harness);
    const health = [{ kind: "ConfigMap", ready: "has(self.data.done)", timeout: "2s" }];
    await createOperand(harness, { health, steadyState: [config(namespace, "x", { a: "1" })] });
    await until(harness, hasCondition("OperandInstalled", "False", "Waiting"));
    const late = await until(harness, hasCondition("OperandInstalled", "False", "Failed"), "a", 30_000);
    expect(condition(late, "Stalled")?.status).toBe("True");
    expect(condition(late, "Stalled")?.message).toContain("configmap/x");
    await harness.patch(ConfigMap, "x", { data: { done: "yes" } });
    await untilReady(harness);
  },

  "the readiness timeout of an object starts when it is applied": async (harness) => {
    const { namespace } = harness.environment;
    await start(harness);
    const health = [{ kind: "ConfigMap", ready: "has(self.data.done)", timeout: "3s" }];
    const later = config(namespace, "x", { a: "1" }, { operand: { wave: "1" } });
    await createOperand(harness, { health, steadyState: [deployment(namespace, "d"), later] });
    await harness.until(Deployment, "d", () => true);
    await harness.environment.idle(30_000);
    await makeAvailable(harness, "d");
    await harness.until(ConfigMap, "x", () => true);
    const begun = harness.environment.now();
    const late = await until(harness, hasCondition("OperandInstalled", "False", "Failed"), "a", 30_000);
    expect(harness.environment.now() - begun).toBeGreaterThan(2_000);
    expect(late.status?.failing).toMatchObject([{ name: "x", reason: "Timeout" }]);
    await harness.patch(ConfigMap, "x", { data: { done: "yes" } });
    expect((await untilReady(harness)).status?.awaited).toBeUndefined();
  },

  "the readiness timeout restarts after an object was ready, and survives a restart of the process": async (
    harness,
  ) => {
    const { namespace } = harness.environment;
    const running = await start(harness);
    const health = [{ kind: "ConfigMap", ready: "!has(self.data.broken)", timeout: "6s" }];
    await createOperand(harness, {
      health,
      steadyState: ["x", "y"].map((name) => config(namespace, name, { a: "1" })),
    });
    await untilReady(harness);
    await harness.patch(ConfigMap, "x", { data: { broken: "yes" } });
    const first = await until(harness, ({ status }) => status?.awaited?.length === 1);
    await harness.environment.idle(3_000);
    await harness.patch(ConfigMap, "y", { data: { broken: "yes" } });
    await until(harness, ({ status }) => status?.awaited?.length === 2);
    await running.stop();
    await start(harness);
    const late = await until(harness, hasCondition("OperandInstalled", "False", "Failed"), "a", 30_000);
    expect(late.status?.failing).toMatchObject([{ name: "x", reason: "Timeout" }]);
    expect(late.status?.awaited?.[0]).toEqual(first.status?.awaited?.[0]);
    const both = await until(harness, ({ status }) => status?.failing?.length === 2, "a", 30_000);
    expect(condition(both, "Stalled")?.message).toContain("(and 1 more)");
  },

  "deletionPolicy WaitForTermination keeps the Operand until the last object is gone": async (harness) => {
    const { namespace } = harness.environment;
    await start(harness);
    await createOperand(harness, { deletionPolicy: "WaitForTermination", steadyState: [config(namespace, "x")] });
    await untilReady(harness);
    await harness.patch(ConfigMap, "x", { metadata: { finalizers: ["example.com/hold"] } });
    await harness.delete(Operand, operandName(harness));
    await harness.until(ConfigMap, "x", ({ metadata }) => metadata.deletionTimestamp !== undefined);
    await harness.environment.idle(10_000);
    expect(await harness.find(Operand, operandName(harness))).toBeDefined();
    await harness.patch(ConfigMap, "x", { metadata: { finalizers: null } });
    await harness.untilDeleted(Operand, operandName(harness), 20_000);
    expect(await harness.find(ConfigMap, "x")).toBeUndefined();
  },

  "a plan lists what a run then creates, changes and prunes, and writes nothing": async (harness) => {
    const { namespace } = harness.environment;
    const seam = new InterceptingFetch();
    await start(harness, (runnable) => seam.wrap(runnable));
    await createOperand(harness, {
      steadyState: ["same", "change", "drop"].map((name) => config(namespace, name, { v: "1" })),
    });
    const before = await untilReady(harness);
    const next = [
      config(namespace, "same", { v: "1" }),
      config(namespace, "change", { v: "2" }),
      config(namespace, "new"),
    ];
    const patch = { spec: { steadyState: next } };
    const proposed = await harness.client.mergePatch(Operand, { name: operandName(harness) }, patch, { dryRun: true });
    const { client } = harness;
    const clock = { now: () => harness.environment.now() };
    const world = { client, clock, discovery: new Discovery(client), signal: new AbortController().signal };
    const plan = await harness.environment.advanceUntil(planOperand(proposed, world));
    if (plan.kind === "invalid") throw new Error(plan.problems.join());
    const planned = [
      ...plan.items.filter(({ action }) => action !== "none").map(({ action, ref }) => `${action} ${ref.name}`),
      ...plan.prunes.map(({ action, ref }) => `${action} ${ref.name}`),
    ];
    expect(planned.toSorted()).toEqual(["change change", "create new", "delete drop"]);
    expect((await harness.find(Operand, operandName(harness)))?.metadata.resourceVersion).toBe(
      before.metadata.resourceVersion,
    );
    expect(await harness.find(ConfigMap, "new")).toBeUndefined();
    const uids = async (): Promise<readonly (string | undefined)[]> =>
      Promise.all(["same", "change", "drop"].map(async (name) => (await harness.find(ConfigMap, name))?.metadata.uid));
    const [same, changed] = await uids();
    await harness.patch(Operand, operandName(harness), patch);
    await untilReady(harness);
    await harness.untilDeleted(ConfigMap, "drop");
    expect(await uids()).toEqual([same, changed, undefined]);
    expect((await harness.find(ConfigMap, "change"))?.data).toEqual({ v: "2" });
    expect(await harness.find(ConfigMap, "new")).toBeDefined();
  },

  "a plan ignores server defaults, also in a process that did not apply the set": async (harness) => {
    const running = await start(harness);
    await createOperand(harness, {
      steadyState: manifestsWithServerDefaults(harness.environment.namespace),
      checkDeploymentHealth: false,
    });
    await untilReady(harness);
    await running.stop();
    const client = new Client({ fetch: harness.environment.fetch, fieldManager: "another" });
    const operand = await client.get(Operand, { name: operandName(harness) });
    const clock = { now: () => harness.environment.now() };
    const world = { client, clock, discovery: new Discovery(client), signal: new AbortController().signal };
    const planned = await harness.environment.advanceUntil(planOperand(operand, world));
    const acts = planned.kind === "invalid" ? planned.problems : [...planned.items, ...planned.prunes];
    expect(acts.filter((one) => typeof one === "string" || one.action !== "none")).toEqual([]);
    const inspected = await harness.environment.advanceUntil(inspectOperand(operand, world));
    const items = inspected.kind === "invalid" ? [] : inspected.items;
    expect(items).toHaveLength(operand.spec.steadyState.length);
    expect(items.filter(({ state }) => state !== "applied")).toEqual([]);
  },

  "server defaults are not drift, also in a process that did not apply the set": async (harness) => {
    const { namespace } = harness.environment;
    const running = await start(harness);
    const drift = { mode: "Report" } as const;
    await createOperand(harness, {
      drift,
      steadyState: manifestsWithServerDefaults(namespace),
      checkDeploymentHealth: false,
    });
    await untilReady(harness);
    await running.stop();
    harness.environment.start(operandManager());
    await harness.patch(ConfigMap, "settings", { data: { a: "edited" } });
    const reported = await until(harness, (operand) => condition(operand, "Drifted")?.status === "True", "a", 20_000);
    expect(condition(reported, "Drifted")?.message).toContain("configmap/settings");
    await harness.patch(ConfigMap, "settings", { data: { a: "1" } });
    await until(harness, (operand) => condition(operand, "Drifted")?.status !== "True", "a", 20_000);
  },

  "a set that is too large is rejected with its size, and not applied at all": async (harness) => {
    const { namespace } = harness.environment;
    await start(harness);
    await createOperand(harness, {
      steadyState: Array.from({ length: 5_001 }, (_, index) => config(namespace, `c${index}`)),
    });
    const operand = await until(harness, hasCondition("OperandInstalled", "False", "InvalidManifest"));
    expect(condition(operand, "OperandInstalled")?.message).toContain("5001 objects");
    expect(await harness.find(ConfigMap, "c0")).toBeUndefined();
  },
};
