import { ConfigMap, Deployment, isReady, randomText, realRandom, Service } from "@levelset/core";
import type { Runnable } from "@levelset/core";
import { faultyFetch, isWrite } from "@levelset/core/testing";
import type { FaultyFetch } from "@levelset/core/testing";
import { expect } from "vitest";
import { Operand, operandManager, PRUNE_CONFIRMED } from "@levelset/operator";
import type { Scenarios } from "../engine/scenario.ts";
import type { Stage } from "../engine/stage.ts";
import { clusterWide, config, deployment, service } from "./manifests.ts";
import { ask, change, condition, install, inventories, named, says, start, until, untilReady } from "./operands.ts";
import { Seam } from "./seam.ts";

/** What keeps an object that is no longer asked for. */
const MARK = "operand.levelset.dev/prune-after";

/** A process that can be cut off from the cluster for good. */
function mortal(runnable: Runnable): { readonly runnable: Runnable; readonly faults: () => FaultyFetch | undefined } {
  let faults: FaultyFetch | undefined;
  const cut: Runnable = {
    ...runnable,
    start: async (world) => {
      const own = (faults = faultyFetch(world.fetch, { clock: world.clock }));
      try {
        await runnable.start({ ...world, fetch: own.fetch });
      } catch (error) {
        // The dead do not complain.
        if (!own.isCrashed) throw error;
      }
    },
  };
  return { runnable: cut, faults: () => faults };
}

function candidate(stage: Stage, identity: string): ReturnType<typeof mortal> {
  const times = { leaseMs: 3_000, renewDeadlineMs: 2_000, retryMs: 400 };
  const leaderElection = { namespace: stage.place.namespace, name: "operands", identity, times };
  return mortal(operandManager({ leaderElection }));
}

/** Scenarios about what is asked for besides the set, and about sets that cannot be. */
export const OPTIONS: Scenarios = {
  "46 · suspended: nothing of the set is written; resumed it converges": async (stage) => {
    const { namespace } = stage.place;
    const seam = new Seam();
    await start(stage, (runnable) => seam.around(runnable));
    const asked = await ask(stage, { steadyState: [config(namespace, "x", { a: "1" })] });
    await untilReady(stage);
    await change(stage, { suspend: true });
    await until(stage, says("OperandInstalled", "False", "Suspended"));
    const before = seam.writes.length;
    await stage.patch(ConfigMap, "x", { data: { a: "edited" } });
    await change(stage, { steadyState: [config(namespace, "x", { a: "2" }), config(namespace, "y")] });
    await stage.place.idle(60_000);
    const others = seam.writes
      .slice(before)
      .filter(({ path }) => !/\/operands\/[^/]+\/status$|\/events(?:\/|$)/u.test(path));
    expect(others.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
    expect((await stage.find(ConfigMap, "x"))?.data).toEqual({ a: "edited" });
    expect(await inventories(stage, asked)).toHaveLength(1);
    await change(stage, { suspend: false });
    await untilReady(stage);
    expect((await stage.find(ConfigMap, "x"))?.data).toEqual({ a: "2" });
    expect(await stage.find(ConfigMap, "y")).toBeDefined();
  },

  "47 · deferred pruning: the old set is gone, its object is marked and goes after its time": async (stage) => {
    const { namespace } = stage.place;
    await start(stage);
    const prune = { mode: "Deferred", after: "30s" } as const;
    const asked = await ask(stage, { prune, steadyState: [config(namespace, "x"), config(namespace, "y")] });
    await untilReady(stage);
    const both = await stage.find(ConfigMap, "x");
    await change(stage, { steadyState: [config(namespace, "y")] });
    const done = await untilReady(stage);
    expect(condition(done, "LatestActiveOperandReady")?.status).toBe("True");
    expect(await inventories(stage, asked)).toHaveLength(1);
    const marked = await stage.until(ConfigMap, "x", ({ metadata }) => metadata.annotations?.[MARK] !== undefined);
    expect(Math.abs(Date.parse(marked.metadata.annotations?.[MARK] ?? "") - stage.place.now() - 30_000)).toBeLessThan(
      5_000,
    );
    await change(stage, { steadyState: [config(namespace, "x"), config(namespace, "y")] });
    await untilReady(stage);
    const again = await stage.until(ConfigMap, "x", ({ metadata }) => metadata.annotations?.[MARK] === undefined);
    expect(again.metadata.uid).toBe(both?.metadata.uid);
    await change(stage, { steadyState: [config(namespace, "y")] });
    await untilReady(stage);
    await stage.until(ConfigMap, "x", ({ metadata }) => metadata.annotations?.[MARK] !== undefined);
    await stage.gone(ConfigMap, "x", 40_000);
    expect((await until(stage, ({ status }) => status?.pending === undefined)).status?.pending).toBeUndefined();
  },

  "47 · what waits to be pruned is not forgotten when its Operand is deleted, or when its set never became ready":
    async (stage) => {
      const { namespace } = stage.place;
      await start(stage);
      const prune = { mode: "Deferred", after: "1h" } as const;
      await ask(stage, { prune, steadyState: [config(namespace, "x"), config(namespace, "y")] });
      await untilReady(stage);
      await change(stage, {
        steadyState: [config(namespace, "y"), service(namespace, "s"), deployment(namespace, "d")],
      });
      await stage.until(Service, "s", () => true);
      await stage.until(Deployment, "d", () => true);
      await change(stage, { steadyState: [config(namespace, "y")] });
      const { status } = await untilReady(stage);
      const waiting = status?.pending?.map(({ name, reason }) => `${name} ${reason}`).toSorted();
      expect(waiting).toEqual(["d Deferred", "s Deferred", "x Deferred"]);
      await stage.delete(Operand, named(stage));
      await stage.gone(Operand, named(stage), 20_000);
      await stage.gone(ConfigMap, "x");
      await stage.gone(ConfigMap, "y");
      await stage.gone(Service, "s");
      await stage.gone(Deployment, "d");
    },

  "47 · pruning that is to be confirmed waits for the word, about this very version": async (stage) => {
    const { namespace } = stage.place;
    await start(stage);
    const prune = { mode: "Confirm" } as const;
    await ask(stage, { prune, steadyState: [config(namespace, "x"), config(namespace, "y")] });
    const first = await untilReady(stage);
    await change(stage, { steadyState: [config(namespace, "y")] });
    const { status } = await untilReady(stage);
    expect(status?.pending).toMatchObject([{ name: "x", reason: "Confirm" }]);
    const confirm = (word: string | undefined): Promise<unknown> =>
      stage.patch(Operand, named(stage), { metadata: { annotations: { [PRUNE_CONFIRMED]: word ?? "" } } });
    await confirm(first.status?.latestReadyActiveOperand);
    await stage.place.idle(5_000);
    expect(await stage.find(ConfigMap, "x")).toBeDefined();
    await confirm(status?.latestReadyActiveOperand);
    await stage.gone(ConfigMap, "x");
    await until(stage, (operand) => operand.status?.pending === undefined);
  },

  "47 · the status counts what was pruned since its generation was asked for, each object once": async (stage) => {
    const { namespace } = stage.place;
    await start(stage);
    const set = (...names: readonly string[]): object => ({
      steadyState: names.map((name) => config(namespace, name)),
    });
    await ask(stage, set("w", "x", "y", "z"));
    expect((await untilReady(stage)).status?.counts).toEqual({ total: 4, applied: 4, ready: 4, pruned: 0 });
    await change(stage, set("y", "z"));
    expect((await untilReady(stage)).status?.counts).toEqual({ total: 2, applied: 2, ready: 2, pruned: 2 });
    await stage.patch(ConfigMap, "y", { data: { a: "drifted" } });
    await stage.place.idle(5_000);
    expect((await untilReady(stage)).status?.counts?.pruned).toBe(2);
    await change(stage, { prune: { mode: "Deferred", after: "2s" }, ...set("z") });
    const waiting = await until(stage, (operand) => isReady(operand) && operand.status?.pending !== undefined);
    expect(waiting.status?.counts).toEqual({ total: 1, applied: 1, ready: 1, pruned: 0 });
    const done = await until(stage, ({ status }) => status?.pending === undefined, "a", 20_000);
    expect(done.status?.counts?.pruned).toBe(1);
  },

  "47 · pruning that is disabled lets go of objects, and nothing on them is ours": async (stage) => {
    const { namespace } = stage.place;
    await start(stage);
    await ask(stage, { prune: { mode: "Disabled" }, steadyState: [config(namespace, "x"), config(namespace, "y")] });
    await untilReady(stage);
    await change(stage, { steadyState: [config(namespace, "y")] });
    await untilReady(stage);
    await stage.place.idle(5_000);
    const left = await stage.find(ConfigMap, "x");
    expect(left?.metadata.labels ?? {}).toEqual({});
    expect(left?.metadata.ownerReferences ?? []).toEqual([]);
  },

  "49 · a set that cannot be: every bad item is named by its place, and nothing is made": async (stage) => {
    const { namespace } = stage.place;
    const seam = new Seam();
    await start(stage, (runnable) => seam.around(runnable));
    const asked = await ask(stage, {
      steadyState: [
        config(namespace, "x"),
        config(namespace, "x"),
        clusterWide("v1", "ConfigMap", "homeless"),
        { ...clusterWide("v1", "Namespace", "n"), metadata: { name: "n", namespace } },
      ],
    });
    const operand = await until(stage, says("OperandInstalled", "False", "InvalidManifest"));
    const message = condition(operand, "OperandInstalled")?.message ?? "";
    for (const item of ["steadyState[1]", "steadyState[2]", "steadyState[3]"]) expect(message).toContain(item);
    expect(message).not.toContain("steadyState[0]:");
    await stage.place.idle(20_000);
    expect(await stage.find(ConfigMap, "x")).toBeUndefined();
    expect(await inventories(stage, asked)).toEqual([]);
    await change(stage, { steadyState: [config(namespace, "x")] });
    await untilReady(stage);
  },

  "49 · a kind that nobody knows: it is named, and the rest of the set is applied": async (stage) => {
    const { namespace } = stage.place;
    await start(stage);
    const stranger = { apiVersion: "nobody.example.com/v1", kind: "Stranger", metadata: { namespace, name: "s" } };
    await ask(stage, { steadyState: [stranger, config(namespace, "x")] });
    const operand = await until(stage, says("OperandInstalled", "False", "Failed"));
    expect(operand.status?.failing).toMatchObject([{ kind: "Stranger", name: "s", reason: "UnknownKind" }]);
    expect(await stage.find(ConfigMap, "x")).toBeDefined();
    await change(stage, { steadyState: [config(namespace, "x")] });
    await untilReady(stage);
  },

  "53 · two replicas, the leader dies in the middle of an installation: the other one finishes": async (stage) => {
    const { namespace } = stage.place;
    await install(stage);
    const suffix = randomText(realRandom, 4, "abcdef");
    const first = candidate(stage, `first-${suffix}`);
    stage.place.start(first.runnable);
    const asked = await ask(stage, {});
    await untilReady(stage);
    const second = candidate(stage, `second-${suffix}`);
    stage.place.start(second.runnable);
    first
      .faults()
      ?.failNth(3, { kind: "crash" }, (request) => isWrite(request) && request.path.includes("/configmaps/"));
    await change(stage, { steadyState: Array.from({ length: 8 }, (_, index) => config(namespace, `x${index}`)) });
    const done = await untilReady(stage);
    expect(first.faults()?.isCrashed).toBe(true);
    expect(second.faults()?.count(isWrite)).toBeGreaterThan(0);
    const { items } = await stage.client.list(ConfigMap, { namespace });
    expect(items.filter(({ metadata }) => metadata.name.startsWith("x"))).toHaveLength(8);
    expect((await inventories(stage, asked)).map(({ metadata }) => metadata.name)).toEqual([
      done.status?.latestReadyActiveOperand,
    ]);
  },
};
