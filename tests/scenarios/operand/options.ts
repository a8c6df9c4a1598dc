import { apiVersionOf, ConfigMap, Deployment, isReady, realRandom, Service } from "@levelset/core";
import { randomString } from "@levelset/core/internal";
import type { EmbeddedObject, Runnable } from "@levelset/core";
import { faultyFetch, isWrite } from "@levelset/core/testing";
import type { FaultyFetch } from "@levelset/core/testing";
import { expect } from "vitest";
import { Operand, operandManager, PRUNE_CONFIRMED_ANNOTATION } from "@levelset/operator";
import type { Scenarios } from "../../support/cluster/scenario.ts";
import type { Cluster } from "../../support/cluster/cluster.ts";
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

function candidate(cluster: Cluster, identity: string): ReturnType<typeof crashable> {
  const times = { leaseDurationMs: 3_000, renewDeadlineMs: 2_000, retryPeriodMs: 400 };
  const leaderElection = { namespace: cluster.namespace, name: "operands", identity, times };
  return crashable(operandManager({ leaderElection }));
}

/** Scenarios about the options of an Operand and invalid sets. */
export const OPTIONS: Scenarios = {
  "a suspended Operand writes no object of the set, and converges when resumed": async (cluster) => {
    const { namespace } = cluster;
    const seam = new InterceptingFetch();
    await start(cluster, (runnable) => seam.wrap(runnable));
    const created = await createOperand(cluster, { steadyState: [config(namespace, "x", { a: "1" })] });
    await untilReady(cluster);
    await updateOperand(cluster, { suspend: true });
    await until(cluster, hasCondition("OperandInstalled", "False", "Suspended"));
    const before = seam.writes.length;
    await cluster.patch(ConfigMap, "x", { data: { a: "edited" } });
    await updateOperand(cluster, { steadyState: [config(namespace, "x", { a: "2" }), config(namespace, "y")] });
    await cluster.idle(60_000);
    const others = seam.writes
      .slice(before)
      .filter(({ path }) => !/\/operands\/[^/]+\/status$|\/events(?:\/|$)/u.test(path));
    expect(others.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
    expect((await cluster.find(ConfigMap, "x"))?.data).toEqual({ a: "edited" });
    expect(await inventories(cluster, created)).toHaveLength(1);
    await updateOperand(cluster, { suspend: false });
    await untilReady(cluster);
    expect((await cluster.find(ConfigMap, "x"))?.data).toEqual({ a: "2" });
    expect(await cluster.find(ConfigMap, "y")).toBeDefined();
  },

  "deferred pruning marks a dropped object and deletes it after the delay": async (cluster) => {
    const { namespace } = cluster;
    await start(cluster);
    const prune = { mode: "Deferred", after: "30s" } as const;
    const created = await createOperand(cluster, {
      prune,
      steadyState: [config(namespace, "x"), config(namespace, "y")],
    });
    await untilReady(cluster);
    const both = await cluster.find(ConfigMap, "x");
    await updateOperand(cluster, { steadyState: [config(namespace, "y")] });
    const done = await untilReady(cluster);
    expect(condition(done, "LatestActiveOperandReady")?.status).toBe("True");
    expect(await inventories(cluster, created)).toHaveLength(1);
    const marked = await cluster.until(ConfigMap, "x", ({ metadata }) => metadata.annotations?.[MARK] !== undefined);
    expect(Math.abs(Date.parse(marked.metadata.annotations?.[MARK] ?? "") - cluster.now() - 30_000)).toBeLessThan(
      5_000 * cluster.timeoutFactor,
    );
    await updateOperand(cluster, { steadyState: [config(namespace, "x"), config(namespace, "y")] });
    await untilReady(cluster);
    const again = await cluster.until(ConfigMap, "x", ({ metadata }) => metadata.annotations?.[MARK] === undefined);
    expect(again.metadata.uid).toBe(both?.metadata.uid);
    await updateOperand(cluster, { steadyState: [config(namespace, "y")] });
    await untilReady(cluster);
    await cluster.until(ConfigMap, "x", ({ metadata }) => metadata.annotations?.[MARK] !== undefined);
    await cluster.untilDeleted(ConfigMap, "x", 40_000);
    expect((await until(cluster, ({ status }) => status?.pending === undefined)).status?.pending).toBeUndefined();
  },

  "pending objects are pruned even if the Operand is deleted or its set never became ready": async (cluster) => {
    const { namespace } = cluster;
    await start(cluster);
    const prune = { mode: "Deferred", after: "1h" } as const;
    await createOperand(cluster, { prune, steadyState: [config(namespace, "x"), config(namespace, "y")] });
    await untilReady(cluster);
    await updateOperand(cluster, {
      steadyState: [config(namespace, "y"), service(namespace, "s"), deployment(namespace, "d")],
    });
    await cluster.until(Service, "s", () => true);
    await cluster.until(Deployment, "d", () => true);
    await updateOperand(cluster, { steadyState: [config(namespace, "y")] });
    const { status } = await untilReady(cluster);
    const waiting = status?.pending?.map(({ name, reason }) => `${name} ${reason}`).toSorted();
    expect(waiting).toEqual(["d Deferred", "s Deferred", "x Deferred"]);
    await cluster.delete(Operand, operandName(cluster));
    await cluster.untilDeleted(Operand, operandName(cluster), 20_000);
    await cluster.untilDeleted(ConfigMap, "x");
    await cluster.untilDeleted(ConfigMap, "y");
    await cluster.untilDeleted(Service, "s");
    await cluster.untilDeleted(Deployment, "d");
  },

  "prune Confirm waits for a confirmation of this version": async (cluster) => {
    const { namespace } = cluster;
    await start(cluster);
    const prune = { mode: "Confirm" } as const;
    await createOperand(cluster, { prune, steadyState: [config(namespace, "x"), config(namespace, "y")] });
    const first = await untilReady(cluster);
    await updateOperand(cluster, { steadyState: [config(namespace, "y")] });
    const { status } = await untilReady(cluster);
    expect(status?.pending).toMatchObject([{ name: "x", reason: "Confirm" }]);
    const confirm = (word: string | undefined): Promise<unknown> =>
      cluster.patch(Operand, operandName(cluster), {
        metadata: { annotations: { [PRUNE_CONFIRMED_ANNOTATION]: word ?? "" } },
      });
    await confirm(first.status?.latestReadyActiveOperand);
    await cluster.idle(5_000);
    expect(await cluster.find(ConfigMap, "x")).toBeDefined();
    await confirm(status?.latestReadyActiveOperand);
    await cluster.untilDeleted(ConfigMap, "x");
    await until(cluster, (operand) => operand.status?.pending === undefined);
  },

  "the status counts the objects pruned since its generation, each once": async (cluster) => {
    const { namespace } = cluster;
    await start(cluster);
    const set = (...names: readonly string[]): object => ({
      steadyState: names.map((name) => config(namespace, name)),
    });
    await createOperand(cluster, set("w", "x", "y", "z"));
    expect((await untilReady(cluster)).status?.counts).toEqual({ total: 4, applied: 4, ready: 4, pruned: 0 });
    await updateOperand(cluster, set("y", "z"));
    expect((await untilReady(cluster)).status?.counts).toEqual({ total: 2, applied: 2, ready: 2, pruned: 2 });
    await cluster.patch(ConfigMap, "y", { data: { a: "drifted" } });
    await cluster.idle(5_000);
    expect((await untilReady(cluster)).status?.counts?.pruned).toBe(2);
    await updateOperand(cluster, { prune: { mode: "Deferred", after: "2s" }, ...set("z") });
    const waiting = await until(cluster, (operand) => isReady(operand) && operand.status?.pending !== undefined);
    expect(waiting.status?.counts).toEqual({ total: 1, applied: 1, ready: 1, pruned: 0 });
    const done = await until(cluster, ({ status }) => status?.pending === undefined, "a", 20_000);
    expect(done.status?.counts?.pruned).toBe(1);
  },

  "disabled pruning disowns objects and removes our labels and annotations": async (cluster) => {
    const { namespace } = cluster;
    await start(cluster);
    await createOperand(cluster, {
      prune: { mode: "Disabled" },
      steadyState: [config(namespace, "x"), config(namespace, "y")],
    });
    await untilReady(cluster);
    await updateOperand(cluster, { steadyState: [config(namespace, "y")] });
    await untilReady(cluster);
    await cluster.idle(5_000);
    const left = await cluster.find(ConfigMap, "x");
    expect(left?.metadata.labels ?? {}).toEqual({});
    expect(left?.metadata.ownerReferences ?? []).toEqual([]);
  },

  "an invalid set reports every invalid item by location, and creates nothing": async (cluster) => {
    const { namespace } = cluster;
    const seam = new InterceptingFetch();
    await start(cluster, (runnable) => seam.wrap(runnable));
    const created = await createOperand(cluster, {
      steadyState: [
        config(namespace, "x"),
        config(namespace, "x"),
        clusterScopedObject("v1", "ConfigMap", "homeless"),
        { ...clusterScopedObject("v1", "Namespace", "n"), metadata: { name: "n", namespace } },
        // The server requires only apiVersion and kind.
        ...([
          { apiVersion: "v1", kind: "List", items: [config(namespace, "x")] },
          { apiVersion: "v1", kind: "ConfigMap" },
        ] as unknown as readonly EmbeddedObject[]),
        clusterScopedObject(apiVersionOf(Operand), "Operand", operandName(cluster)),
        clusterScopedObject("apiextensions.k8s.io/v1", "CustomResourceDefinition", "operands.operand.levelset.dev"),
      ],
    });
    const operand = await until(cluster, hasCondition("OperandInstalled", "False", "InvalidManifest"));
    const message = condition(operand, "OperandInstalled")?.message ?? "";
    for (const index of [1, 2, 3, 4, 5, 6, 7]) expect(message).toContain(`steadyState[${index}]:`);
    expect(message).not.toContain("steadyState[0]:");
    await cluster.idle(20_000);
    expect(await cluster.find(ConfigMap, "x")).toBeUndefined();
    expect(await inventories(cluster, created)).toEqual([]);
    await updateOperand(cluster, { steadyState: [config(namespace, "x")] });
    await untilReady(cluster);
  },

  "an unknown kind is reported, and the rest of the set is applied": async (cluster) => {
    const { namespace } = cluster;
    await start(cluster);
    const stranger = { apiVersion: "unknown.example.com/v1", kind: "Stranger", metadata: { namespace, name: "s" } };
    await createOperand(cluster, { steadyState: [stranger, config(namespace, "x")] });
    const operand = await until(cluster, hasCondition("OperandInstalled", "False", "Failed"));
    expect(operand.status?.failing).toMatchObject([{ kind: "Stranger", name: "s", reason: "UnknownKind" }]);
    expect(await cluster.find(ConfigMap, "x")).toBeDefined();
    await updateOperand(cluster, { steadyState: [config(namespace, "x")] });
    await untilReady(cluster);
  },

  "when the leader of two replicas crashes during an installation, the other one completes it": async (cluster) => {
    const { namespace } = cluster;
    await install(cluster);
    const suffix = randomString(realRandom, 4, "abcdef");
    const first = candidate(cluster, `first-${suffix}`);
    cluster.start(first.runnable);
    const created = await createOperand(cluster, {});
    await untilReady(cluster);
    const second = candidate(cluster, `second-${suffix}`);
    cluster.start(second.runnable);
    first
      .faults()
      ?.failNth(3, { kind: "crash" }, (request) => isWrite(request) && request.path.includes("/configmaps/"));
    await updateOperand(cluster, {
      steadyState: Array.from({ length: 8 }, (_, index) => config(namespace, `x${index}`)),
    });
    const done = await untilReady(cluster);
    expect(first.faults()?.isCrashed).toBe(true);
    expect(second.faults()?.count(isWrite)).toBeGreaterThan(0);
    const { items } = await cluster.client.list(ConfigMap, { namespace });
    expect(items.filter(({ metadata }) => metadata.name.startsWith("x"))).toHaveLength(8);
    expect((await inventories(cluster, created)).map(({ metadata }) => metadata.name)).toEqual([
      done.status?.latestReadyActiveOperand,
    ]);
  },
};
