import { ConfigMap, Deployment, isReady, randomString, realRandom, Service } from "@levelset/core";
import type { Runnable } from "@levelset/core";
import { faultyFetch, isWrite } from "@levelset/core/testing";
import type { FaultyFetch } from "@levelset/core/testing";
import { expect } from "vitest";
import { Operand, operandManager, PRUNE_CONFIRMED_ANNOTATION } from "@levelset/operator";
import type { Scenarios } from "../../support/cluster/scenario.ts";
import type { Harness } from "../../support/cluster/harness.ts";
import { clusterScopedObject, config, deployment, service } from "./manifests.ts";
import {
  createOperand,
  updateOperand,
  condition,
  install,
  inventories,
  operandName,
  hasCondition,
  start,
  until,
  untilReady,
} from "./operands.ts";
import { InterceptingFetch } from "./intercepting-fetch.ts";

/** Annotation of an object that is pruned later. */
const MARK = "operand.levelset.dev/prune-after";

/** A process that can be disconnected from the cluster permanently. */
function crashable(runnable: Runnable): {
  readonly runnable: Runnable;
  readonly faults: () => FaultyFetch | undefined;
} {
  let faults: FaultyFetch | undefined;
  const cut: Runnable = {
    ...runnable,
    start: async (world) => {
      const own = (faults = faultyFetch(world.fetch, { clock: world.clock }));
      try {
        await runnable.start({ ...world, fetch: own.fetch });
      } catch (error) {
        // A crashed process reports no errors.
        if (!own.isCrashed) throw error;
      }
    },
  };
  return { runnable: cut, faults: () => faults };
}

function candidate(harness: Harness, identity: string): ReturnType<typeof crashable> {
  const times = { leaseDurationMs: 3_000, renewDeadlineMs: 2_000, retryPeriodMs: 400 };
  const leaderElection = { namespace: harness.environment.namespace, name: "operands", identity, times };
  return crashable(operandManager({ leaderElection }));
}

/** Scenarios about the options of an Operand and invalid sets. */
export const OPTIONS: Scenarios = {
  "a suspended Operand writes no object of the set, and converges when resumed": async (harness) => {
    const { namespace } = harness.environment;
    const seam = new InterceptingFetch();
    await start(harness, (runnable) => seam.wrap(runnable));
    const created = await createOperand(harness, { steadyState: [config(namespace, "x", { a: "1" })] });
    await untilReady(harness);
    await updateOperand(harness, { suspend: true });
    await until(harness, hasCondition("OperandInstalled", "False", "Suspended"));
    const before = seam.writes.length;
    await harness.patch(ConfigMap, "x", { data: { a: "edited" } });
    await updateOperand(harness, { steadyState: [config(namespace, "x", { a: "2" }), config(namespace, "y")] });
    await harness.environment.idle(60_000);
    const others = seam.writes
      .slice(before)
      .filter(({ path }) => !/\/operands\/[^/]+\/status$|\/events(?:\/|$)/u.test(path));
    expect(others.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
    expect((await harness.find(ConfigMap, "x"))?.data).toEqual({ a: "edited" });
    expect(await inventories(harness, created)).toHaveLength(1);
    await updateOperand(harness, { suspend: false });
    await untilReady(harness);
    expect((await harness.find(ConfigMap, "x"))?.data).toEqual({ a: "2" });
    expect(await harness.find(ConfigMap, "y")).toBeDefined();
  },

  "deferred pruning marks a dropped object and deletes it after the delay": async (harness) => {
    const { namespace } = harness.environment;
    await start(harness);
    const prune = { mode: "Deferred", after: "30s" } as const;
    const created = await createOperand(harness, {
      prune,
      steadyState: [config(namespace, "x"), config(namespace, "y")],
    });
    await untilReady(harness);
    const both = await harness.find(ConfigMap, "x");
    await updateOperand(harness, { steadyState: [config(namespace, "y")] });
    const done = await untilReady(harness);
    expect(condition(done, "LatestActiveOperandReady")?.status).toBe("True");
    expect(await inventories(harness, created)).toHaveLength(1);
    const marked = await harness.until(ConfigMap, "x", ({ metadata }) => metadata.annotations?.[MARK] !== undefined);
    expect(
      Math.abs(Date.parse(marked.metadata.annotations?.[MARK] ?? "") - harness.environment.now() - 30_000),
    ).toBeLessThan(5_000);
    await updateOperand(harness, { steadyState: [config(namespace, "x"), config(namespace, "y")] });
    await untilReady(harness);
    const again = await harness.until(ConfigMap, "x", ({ metadata }) => metadata.annotations?.[MARK] === undefined);
    expect(again.metadata.uid).toBe(both?.metadata.uid);
    await updateOperand(harness, { steadyState: [config(namespace, "y")] });
    await untilReady(harness);
    await harness.until(ConfigMap, "x", ({ metadata }) => metadata.annotations?.[MARK] !== undefined);
    await harness.untilDeleted(ConfigMap, "x", 40_000);
    expect((await until(harness, ({ status }) => status?.pending === undefined)).status?.pending).toBeUndefined();
  },

  "pending objects are pruned even if the Operand is deleted or its set never became ready": async (harness) => {
    const { namespace } = harness.environment;
    await start(harness);
    const prune = { mode: "Deferred", after: "1h" } as const;
    await createOperand(harness, { prune, steadyState: [config(namespace, "x"), config(namespace, "y")] });
    await untilReady(harness);
    await updateOperand(harness, {
      steadyState: [config(namespace, "y"), service(namespace, "s"), deployment(namespace, "d")],
    });
    await harness.until(Service, "s", () => true);
    await harness.until(Deployment, "d", () => true);
    await updateOperand(harness, { steadyState: [config(namespace, "y")] });
    const { status } = await untilReady(harness);
    const waiting = status?.pending?.map(({ name, reason }) => `${name} ${reason}`).toSorted();
    expect(waiting).toEqual(["d Deferred", "s Deferred", "x Deferred"]);
    await harness.delete(Operand, operandName(harness));
    await harness.untilDeleted(Operand, operandName(harness), 20_000);
    await harness.untilDeleted(ConfigMap, "x");
    await harness.untilDeleted(ConfigMap, "y");
    await harness.untilDeleted(Service, "s");
    await harness.untilDeleted(Deployment, "d");
  },

  "prune Confirm waits for a confirmation of this version": async (harness) => {
    const { namespace } = harness.environment;
    await start(harness);
    const prune = { mode: "Confirm" } as const;
    await createOperand(harness, { prune, steadyState: [config(namespace, "x"), config(namespace, "y")] });
    const first = await untilReady(harness);
    await updateOperand(harness, { steadyState: [config(namespace, "y")] });
    const { status } = await untilReady(harness);
    expect(status?.pending).toMatchObject([{ name: "x", reason: "Confirm" }]);
    const confirm = (word: string | undefined): Promise<unknown> =>
      harness.patch(Operand, operandName(harness), {
        metadata: { annotations: { [PRUNE_CONFIRMED_ANNOTATION]: word ?? "" } },
      });
    await confirm(first.status?.latestReadyActiveOperand);
    await harness.environment.idle(5_000);
    expect(await harness.find(ConfigMap, "x")).toBeDefined();
    await confirm(status?.latestReadyActiveOperand);
    await harness.untilDeleted(ConfigMap, "x");
    await until(harness, (operand) => operand.status?.pending === undefined);
  },

  "the status counts the objects pruned since its generation, each once": async (harness) => {
    const { namespace } = harness.environment;
    await start(harness);
    const set = (...names: readonly string[]): object => ({
      steadyState: names.map((name) => config(namespace, name)),
    });
    await createOperand(harness, set("w", "x", "y", "z"));
    expect((await untilReady(harness)).status?.counts).toEqual({ total: 4, applied: 4, ready: 4, pruned: 0 });
    await updateOperand(harness, set("y", "z"));
    expect((await untilReady(harness)).status?.counts).toEqual({ total: 2, applied: 2, ready: 2, pruned: 2 });
    await harness.patch(ConfigMap, "y", { data: { a: "drifted" } });
    await harness.environment.idle(5_000);
    expect((await untilReady(harness)).status?.counts?.pruned).toBe(2);
    await updateOperand(harness, { prune: { mode: "Deferred", after: "2s" }, ...set("z") });
    const waiting = await until(harness, (operand) => isReady(operand) && operand.status?.pending !== undefined);
    expect(waiting.status?.counts).toEqual({ total: 1, applied: 1, ready: 1, pruned: 0 });
    const done = await until(harness, ({ status }) => status?.pending === undefined, "a", 20_000);
    expect(done.status?.counts?.pruned).toBe(1);
  },

  "disabled pruning disowns objects and removes our labels and annotations": async (harness) => {
    const { namespace } = harness.environment;
    await start(harness);
    await createOperand(harness, {
      prune: { mode: "Disabled" },
      steadyState: [config(namespace, "x"), config(namespace, "y")],
    });
    await untilReady(harness);
    await updateOperand(harness, { steadyState: [config(namespace, "y")] });
    await untilReady(harness);
    await harness.environment.idle(5_000);
    const left = await harness.find(ConfigMap, "x");
    expect(left?.metadata.labels ?? {}).toEqual({});
    expect(left?.metadata.ownerReferences ?? []).toEqual([]);
  },

  "an invalid set reports every invalid item by location, and creates nothing": async (harness) => {
    const { namespace } = harness.environment;
    const seam = new InterceptingFetch();
    await start(harness, (runnable) => seam.wrap(runnable));
    const created = await createOperand(harness, {
      steadyState: [
        config(namespace, "x"),
        config(namespace, "x"),
        clusterScopedObject("v1", "ConfigMap", "homeless"),
        { ...clusterScopedObject("v1", "Namespace", "n"), metadata: { name: "n", namespace } },
      ],
    });
    const operand = await until(harness, hasCondition("OperandInstalled", "False", "InvalidManifest"));
    const message = condition(operand, "OperandInstalled")?.message ?? "";
    for (const item of ["steadyState[1]", "steadyState[2]", "steadyState[3]"]) expect(message).toContain(item);
    expect(message).not.toContain("steadyState[0]:");
    await harness.environment.idle(20_000);
    expect(await harness.find(ConfigMap, "x")).toBeUndefined();
    expect(await inventories(harness, created)).toEqual([]);
    await updateOperand(harness, { steadyState: [config(namespace, "x")] });
    await untilReady(harness);
  },

  "an unknown kind is reported, and the rest of the set is applied": async (harness) => {
    const { namespace } = harness.environment;
    await start(harness);
    const stranger = { apiVersion: "unknown.example.com/v1", kind: "Stranger", metadata: { namespace, name: "s" } };
    await createOperand(harness, { steadyState: [stranger, config(namespace, "x")] });
    const operand = await until(harness, hasCondition("OperandInstalled", "False", "Failed"));
    expect(operand.status?.failing).toMatchObject([{ kind: "Stranger", name: "s", reason: "UnknownKind" }]);
    expect(await harness.find(ConfigMap, "x")).toBeDefined();
    await updateOperand(harness, { steadyState: [config(namespace, "x")] });
    await untilReady(harness);
  },

  "when the leader of two replicas crashes during an installation, the other one completes it": async (harness) => {
    const { namespace } = harness.environment;
    await install(harness);
    const suffix = randomString(realRandom, 4, "abcdef");
    const first = candidate(harness, `first-${suffix}`);
    harness.environment.start(first.runnable);
    const created = await createOperand(harness, {});
    await untilReady(harness);
    const second = candidate(harness, `second-${suffix}`);
    harness.environment.start(second.runnable);
    first
      .faults()
      ?.failNth(3, { kind: "crash" }, (request) => isWrite(request) && request.path.includes("/configmaps/"));
    await updateOperand(harness, {
      steadyState: Array.from({ length: 8 }, (_, index) => config(namespace, `x${index}`)),
    });
    const done = await untilReady(harness);
    expect(first.faults()?.isCrashed).toBe(true);
    expect(second.faults()?.count(isWrite)).toBeGreaterThan(0);
    const { items } = await harness.client.list(ConfigMap, { namespace });
    expect(items.filter(({ metadata }) => metadata.name.startsWith("x"))).toHaveLength(8);
    expect((await inventories(harness, created)).map(({ metadata }) => metadata.name)).toEqual([
      done.status?.latestReadyActiveOperand,
    ]);
  },
};
