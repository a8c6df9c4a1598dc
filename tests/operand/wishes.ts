import { ConfigMap, Deployment, isReady } from "@levelset/core";
import { Discovery } from "@levelset/operator";
import { expect, vi } from "vitest";
import { Operand, planOperand } from "@levelset/operator";
import type { Scenarios } from "../engine/scenario.ts";
import type { Stage } from "../engine/stage.ts";
import { defaultedSet } from "./defaulted.ts";
import { config, deployment } from "./manifests.ts";
import { ask, change, condition, makeAvailable, named, says, start, until, untilReady } from "./operands.ts";
import { Seam } from "./seam.ts";

/** All of the modules anew, as another process has them: nothing is remembered of what was applied. */
async function anotherProcess(stage: Stage) {
  vi.resetModules();
  const modules = await import("@levelset/operator");
  return { ...modules, client: new modules.Client({ fetch: stage.place.fetch, fieldManager: "another" }) };
}

/** Scenarios about what users of every peer ask for. */
export const WISHES: Scenarios = {
  "46 · drift is only told where that is asked for, until a new spec puts it right": async (stage) => {
    const { namespace } = stage.place;
    const seam = new Seam();
    await start(stage, (runnable) => seam.around(runnable));
    const set = (b: string): object => ({ steadyState: [config(namespace, "x", { a: "1", b })] });
    await ask(stage, { drift: { mode: "Report" }, ...set("1") });
    await untilReady(stage);
    const writes = seam.about("/configmaps/x").length;
    await stage.patch(ConfigMap, "x", { data: { a: "edited" } });
    const told = await until(stage, (operand) => condition(operand, "Drifted")?.status === "True");
    expect(condition(told, "Drifted")?.message).toContain("configmap/x");
    await stage.place.idle(10_000);
    expect(seam.about("/configmaps/x")).toHaveLength(writes);
    await change(stage, set("2"));
    const done = await until(stage, (operand) => isReady(operand) && condition(operand, "Drifted")?.status !== "True");
    expect(done.status?.observedGeneration).toBe(2);
    expect((await stage.find(ConfigMap, "x"))?.data).toEqual({ a: "1", b: "2" });
  },

  "36 · fields that may differ are set once, and then left to others": async (stage) => {
    const { namespace } = stage.place;
    await start(stage);
    const ignore = [{ kind: "ConfigMap", name: "x", fields: ["/data/a"] }];
    await ask(stage, { drift: { ignore }, steadyState: [config(namespace, "x", { a: "1", b: "1" })] });
    await untilReady(stage);
    expect((await stage.find(ConfigMap, "x"))?.data).toEqual({ a: "1", b: "1" });
    await stage.patch(ConfigMap, "x", { data: { a: "scaled", b: "edited" } });
    const back = await stage.until(ConfigMap, "x", ({ data }) => data?.["b"] === "1");
    expect(back.data).toEqual({ a: "scaled", b: "1" });
    await stage.place.idle(5_000);
    expect((await stage.find(ConfigMap, "x"))?.data).toEqual({ a: "scaled", b: "1" });
  },

  "41 · a wave waits until the one before it is ready": async (stage) => {
    const { namespace } = stage.place;
    await start(stage);
    const later = config(namespace, "x", {}, { operand: { wave: "1" } });
    await ask(stage, { steadyState: [later, deployment(namespace, "d")] });
    await stage.until(Deployment, "d", () => true);
    const { status } = await until(stage, (operand) => operand.status?.failing !== undefined);
    expect(status?.failing).toMatchObject([{ name: "x", reason: "EarlierWave" }]);
    await stage.place.idle(5_000);
    expect(await stage.find(ConfigMap, "x")).toBeUndefined();
    await makeAvailable(stage, "d");
    await untilReady(stage);
    expect(await stage.find(ConfigMap, "x")).toBeDefined();
  },

  "16 · health by an expression: waited for, failed by time, and ready in the end": async (stage) => {
    const { namespace } = stage.place;
    await start(stage);
    const health = [{ kind: "ConfigMap", ready: "has(self.data.done)", timeout: "2s" }];
    await ask(stage, { health, steadyState: [config(namespace, "x", { a: "1" })] });
    await until(stage, says("OperandInstalled", "False", "Waiting"));
    const late = await until(stage, says("OperandInstalled", "False", "Failed"), "a", 30_000);
    expect(condition(late, "Stalled")?.status).toBe("True");
    expect(condition(late, "Stalled")?.message).toContain("configmap/x");
    await stage.patch(ConfigMap, "x", { data: { done: "yes" } });
    await untilReady(stage);
  },

  "16 · an object has its whole time from when it is applied, however long others took before it": async (stage) => {
    const { namespace } = stage.place;
    await start(stage);
    const health = [{ kind: "ConfigMap", ready: "has(self.data.done)", timeout: "3s" }];
    const later = config(namespace, "x", { a: "1" }, { operand: { wave: "1" } });
    await ask(stage, { health, steadyState: [deployment(namespace, "d"), later] });
    await stage.until(Deployment, "d", () => true);
    await stage.place.idle(30_000);
    await makeAvailable(stage, "d");
    await stage.until(ConfigMap, "x", () => true);
    const begun = stage.place.now();
    const late = await until(stage, says("OperandInstalled", "False", "Failed"), "a", 30_000);
    expect(stage.place.now() - begun).toBeGreaterThan(2_000);
    expect(late.status?.failing).toMatchObject([{ name: "x", reason: "Timeout" }]);
    await stage.patch(ConfigMap, "x", { data: { done: "yes" } });
    expect((await untilReady(stage)).status?.awaited).toBeUndefined();
  },

  "16 · one that was ready has its whole time again, while others fail; a new process does not begin anew": async (
    stage,
  ) => {
    const { namespace } = stage.place;
    const running = await start(stage);
    const health = [{ kind: "ConfigMap", ready: "!has(self.data.broken)", timeout: "6s" }];
    await ask(stage, { health, steadyState: ["x", "y"].map((name) => config(namespace, name, { a: "1" })) });
    await untilReady(stage);
    await stage.patch(ConfigMap, "x", { data: { broken: "yes" } });
    const first = await until(stage, ({ status }) => status?.awaited?.length === 1);
    await stage.place.idle(3_000);
    await stage.patch(ConfigMap, "y", { data: { broken: "yes" } });
    await until(stage, ({ status }) => status?.awaited?.length === 2);
    await running.stop();
    await start(stage);
    const late = await until(stage, says("OperandInstalled", "False", "Failed"), "a", 30_000);
    expect(late.status?.failing).toMatchObject([{ name: "x", reason: "Timeout" }]);
    expect(late.status?.awaited?.[0]).toEqual(first.status?.awaited?.[0]);
    const both = await until(stage, ({ status }) => status?.failing?.length === 2, "a", 30_000);
    expect(condition(both, "Stalled")?.message).toContain("(and 1 more)");
  },

  "30 · deleted with WaitForTermination: the Operand stays until the last object is really gone": async (stage) => {
    const { namespace } = stage.place;
    await start(stage);
    await ask(stage, { deletionPolicy: "WaitForTermination", steadyState: [config(namespace, "x")] });
    await untilReady(stage);
    await stage.patch(ConfigMap, "x", { metadata: { finalizers: ["example.com/hold"] } });
    await stage.delete(Operand, named(stage));
    await stage.until(ConfigMap, "x", ({ metadata }) => metadata.deletionTimestamp !== undefined);
    await stage.place.idle(10_000);
    expect(await stage.find(Operand, named(stage))).toBeDefined();
    await stage.patch(ConfigMap, "x", { metadata: { finalizers: null } });
    await stage.gone(Operand, named(stage), 20_000);
    expect(await stage.find(ConfigMap, "x")).toBeUndefined();
  },

  "48 · a plan names what a run then creates, changes and prunes, and changes nothing itself": async (stage) => {
    const { namespace } = stage.place;
    const seam = new Seam();
    await start(stage, (runnable) => seam.around(runnable));
    await ask(stage, { steadyState: ["same", "change", "drop"].map((name) => config(namespace, name, { v: "1" })) });
    const before = await untilReady(stage);
    const next = [
      config(namespace, "same", { v: "1" }),
      config(namespace, "change", { v: "2" }),
      config(namespace, "new"),
    ];
    const patch = { spec: { steadyState: next } };
    const proposed = await stage.client.mergePatch(Operand, { name: named(stage) }, patch, { dryRun: true });
    const { client } = stage;
    const clock = { now: () => stage.place.now() };
    const world = { client, clock, discovery: new Discovery(client), signal: new AbortController().signal };
    const plan = await stage.place.expecting(planOperand(proposed, world));
    if (plan.kind === "invalid") throw new Error(plan.problems.join());
    const planned = [
      ...plan.items.filter(({ action }) => action !== "none").map(({ action, ref }) => `${action} ${ref.name}`),
      ...plan.prunes.map(({ action, ref }) => `${action} ${ref.name}`),
    ];
    expect(planned.toSorted()).toEqual(["change change", "create new", "delete drop"]);
    expect((await stage.find(Operand, named(stage)))?.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
    expect(await stage.find(ConfigMap, "new")).toBeUndefined();
    const uids = async (): Promise<readonly (string | undefined)[]> =>
      Promise.all(["same", "change", "drop"].map(async (name) => (await stage.find(ConfigMap, name))?.metadata.uid));
    const [same, changed] = await uids();
    await stage.patch(Operand, named(stage), patch);
    await untilReady(stage);
    await stage.gone(ConfigMap, "drop");
    expect(await uids()).toEqual([same, changed, undefined]);
    expect((await stage.find(ConfigMap, "change"))?.data).toEqual({ v: "2" });
    expect(await stage.find(ConfigMap, "new")).toBeDefined();
  },

  "48 · what the server completed is not to be changed, also for a process that did not apply it": async (stage) => {
    const running = await start(stage);
    await ask(stage, { steadyState: defaultedSet(stage.place.namespace), checkDeploymentHealth: false });
    await untilReady(stage);
    await running.stop();
    const { client, planOperand: plan, inspectOperand: inspect, ...another } = await anotherProcess(stage);
    const operand = await client.get(another.Operand, { name: named(stage) });
    const clock = { now: () => stage.place.now() };
    const world = { client, clock, discovery: new another.Discovery(client), signal: new AbortController().signal };
    const planned = await stage.place.expecting(plan(operand, world));
    const acts = planned.kind === "invalid" ? planned.problems : [...planned.items, ...planned.prunes];
    expect(acts.filter((one) => typeof one === "string" || one.action !== "none")).toEqual([]);
    const inspected = await stage.place.expecting(inspect(operand, world));
    const items = inspected.kind === "invalid" ? [] : inspected.items;
    expect(items).toHaveLength(operand.spec.steadyState.length);
    expect(items.filter(({ state }) => state !== "applied")).toEqual([]);
  },

  "46 · what the server completed is no drift, also for a process that did not apply it": async (stage) => {
    const { namespace } = stage.place;
    const running = await start(stage);
    const drift = { mode: "Report" } as const;
    await ask(stage, { drift, steadyState: defaultedSet(namespace), checkDeploymentHealth: false });
    await untilReady(stage);
    await running.stop();
    const another = await anotherProcess(stage);
    stage.place.start(another.operandManager());
    await stage.patch(ConfigMap, "settings", { data: { a: "edited" } });
    const told = await until(stage, (operand) => condition(operand, "Drifted")?.status === "True", "a", 20_000);
    expect(condition(told, "Drifted")?.message).toContain("configmap/settings");
    await stage.patch(ConfigMap, "settings", { data: { a: "1" } });
    await until(stage, (operand) => condition(operand, "Drifted")?.status !== "True", "a", 20_000);
  },

  "49 · a set that is too large is refused with its size, and nothing of it is applied": async (stage) => {
    const { namespace } = stage.place;
    await start(stage);
    await ask(stage, { steadyState: Array.from({ length: 5_001 }, (_, index) => config(namespace, `c${index}`)) });
    const operand = await until(stage, says("OperandInstalled", "False", "InvalidManifest"));
    expect(condition(operand, "OperandInstalled")?.message).toContain("5001 objects");
    expect(await stage.find(ConfigMap, "c0")).toBeUndefined();
  },
};
