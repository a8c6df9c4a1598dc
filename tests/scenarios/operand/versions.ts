import { ConfigMap, Deployment } from "@levelset/core";
import type { ObjectOf } from "@levelset/core";
import { expect } from "vitest";
import { ClusterActiveOperand, Operand } from "@levelset/operator";
import type { Scenarios } from "../../support/cluster/scenario.ts";
import type { Cluster } from "../../support/cluster/cluster.ts";
import { config, deployment } from "./manifests.ts";
import {
  createOperand,
  updateOperand,
  condition,
  inventories,
  makeAvailable,
  operandName,
  owners,
  start,
  until,
  untilReady,
} from "./operands.ts";
import { InterceptingFetch } from "./intercepting-fetch.ts";

type OperandObject = ObjectOf<Operand>;

/** Returns a set of ConfigMaps, and of Deployments for names that denote one. */
function setOf(cluster: Cluster, ...names: readonly string[]): { readonly steadyState: ReturnType<typeof config>[] } {
  const { namespace } = cluster;
  return {
    steadyState: names.map((name) => (name.startsWith("d") ? deployment(namespace, name) : config(namespace, name))),
  };
}

async function uids(cluster: Cluster, ...names: readonly string[]): Promise<readonly (string | undefined)[]> {
  const found = await Promise.all(names.map((name) => cluster.find(ConfigMap, name)));
  return found.map((object) => object?.metadata.uid);
}

/** Sets up A as the baseline, and B, whose Deployment is not available, as pending. */
async function pending(
  cluster: Cluster,
  ...names: readonly string[]
): Promise<{ readonly a: string; readonly b: string }> {
  const before = await until(cluster, ({ status }) => status?.latestReadyActiveOperand !== undefined);
  const a = before.status?.latestReadyActiveOperand ?? "";
  await updateOperand(cluster, setOf(cluster, ...names));
  const deployed = names.find((name) => name.startsWith("d")) ?? "";
  await cluster.until(Deployment, deployed, () => true);
  const now = await until(cluster, ({ status }) => status?.latestCreatedActiveOperand !== a);
  return { a, b: now.status?.latestCreatedActiveOperand ?? "" };
}

/** Returns the names in the status and the existing inventories, in every state between two versions of an Operand. */
async function namesSince(cluster: Cluster, from: OperandObject, to: OperandObject): Promise<readonly string[]> {
  const seen = await cluster.versions(Operand, from, to);
  const pairs = seen.map(
    ({ status }) => `${status?.latestReadyActiveOperand ?? "-"} ${status?.latestCreatedActiveOperand ?? "-"}`,
  );
  return pairs.filter((pair, index) => pair !== pairs[index - 1]);
}

/** Scenarios about replacing one version of a set by another. */
export const VERSIONS: Scenarios = {
  "the old set stays complete until the new one is healthy and owned, then its other objects are pruned": async (
    cluster,
  ) => {
    await start(cluster);
    const created = await createOperand(cluster, setOf(cluster, "x", "y"));
    await untilReady(cluster);
    const [, y] = await uids(cluster, "x", "y");
    const { a, b } = await pending(cluster, "y", "dz");
    await cluster.idle(30_000);
    const waiting = await until(cluster, () => true);
    expect(waiting.status).toMatchObject({ latestReadyActiveOperand: a, latestCreatedActiveOperand: b });
    expect(condition(waiting, "LatestActiveOperandReady")?.status).toBe("Unknown");
    expect(await cluster.find(ConfigMap, "x")).toBeDefined();
    expect((await inventories(cluster, created)).map(({ metadata }) => metadata.name).toSorted()).toEqual(
      [a, b].toSorted(),
    );
    await makeAvailable(cluster, "dz");
    const done = await untilReady(cluster);
    expect(done.status).toMatchObject({ latestReadyActiveOperand: b, latestCreatedActiveOperand: b });
    expect(condition(done, "LatestActiveOperandReady")?.status).toBe("True");
    expect(await cluster.find(ClusterActiveOperand, a)).toBeUndefined();
    await cluster.untilDeleted(ConfigMap, "x");
    const after = await cluster.find(ConfigMap, "y");
    expect(after?.metadata.uid).toBe(y);
    expect(after === undefined ? [] : owners(after)).toEqual([b]);
  },

  "a superseded pending set is gone, with the objects that only it had, before the next is named": async (cluster) => {
    await start(cluster);
    const created = await createOperand(cluster, setOf(cluster, "x", "y"));
    const ready = await untilReady(cluster);
    const before = await uids(cluster, "x", "y");
    const { a, b } = await pending(cluster, "y", "w", "dz");
    await cluster.until(ConfigMap, "w", () => true);
    await updateOperand(cluster, setOf(cluster, "x", "y", "v"));
    const done = await untilReady(cluster);
    const c = done.status?.latestReadyActiveOperand ?? "";
    expect(await namesSince(cluster, ready, done)).toEqual([`${a} ${a}`, `${a} ${b}`, `${a} ${c}`, `${c} ${c}`]);
    await cluster.untilDeleted(ConfigMap, "w");
    await cluster.untilDeleted(Deployment, "dz");
    expect(await uids(cluster, "x", "y")).toEqual(before);
    expect((await inventories(cluster, created)).map(({ metadata }) => metadata.name)).toEqual([c]);
  },

  "objects that a superseded set shares with the next are never deleted": async (cluster) => {
    await start(cluster);
    await createOperand(cluster, setOf(cluster, "x"));
    await untilReady(cluster);
    await pending(cluster, "w", "dz");
    const [w] = await uids(cluster, "w");
    await updateOperand(cluster, setOf(cluster, "w"));
    await untilReady(cluster);
    expect(await uids(cluster, "w")).toEqual([w]);
    await cluster.untilDeleted(ConfigMap, "x");
    await cluster.untilDeleted(Deployment, "dz");
  },

  "a rollback to the baseline removes the pending set, and the objects keep their uids": async (cluster) => {
    await start(cluster);
    const created = await createOperand(cluster, setOf(cluster, "x", "y"));
    await untilReady(cluster);
    const before = await uids(cluster, "x", "y");
    const { a } = await pending(cluster, "y", "dz");
    await updateOperand(cluster, setOf(cluster, "x", "y"));
    const done = await untilReady(cluster);
    expect(done.status).toMatchObject({ latestReadyActiveOperand: a, latestCreatedActiveOperand: a });
    expect(condition(done, "LatestActiveOperandReady")?.status).toBe("True");
    expect(await uids(cluster, "x", "y")).toEqual(before);
    expect(await inventories(cluster, created)).toHaveLength(1);
    await cluster.untilDeleted(Deployment, "dz");
  },

  "changed content of the same objects keeps the inventory, and clears and sets the installed generation": async (
    cluster,
  ) => {
    const { namespace } = cluster;
    await start(cluster);
    const created = await createOperand(cluster, setOf(cluster, "x"));
    const before = await untilReady(cluster);
    const [inventory] = await inventories(cluster, created);
    await updateOperand(cluster, { steadyState: [config(namespace, "x", { a: "2" })] });
    const after = await untilReady(cluster);
    const seen = (await cluster.versions(Operand, before, after)).map((operand) => ({
      bit: condition(operand, "LatestActiveOperandReady")?.status,
      name: operand.status?.latestCreatedActiveOperand,
      installed: operand.status?.installedSteadyStateGeneration,
    }));
    expect(new Set(seen.map(({ bit }) => bit))).toEqual(new Set(["True"]));
    expect(new Set(seen.map(({ name }) => name))).toEqual(new Set([inventory?.metadata.name]));
    const installed = seen.map((one) => one.installed);
    expect(installed.filter((one, index) => one !== installed[index - 1])).toEqual([1, undefined, 2]);
    expect((await inventories(cluster, created)).map(({ metadata }) => metadata.uid)).toEqual([
      inventory?.metadata.uid,
    ]);
    expect((await cluster.find(ConfigMap, "x"))?.data).toEqual({ a: "2" });
  },

  "a deleted baseline inventory is recreated, and none of its objects is deleted": async (cluster) => {
    await start(cluster);
    const created = await createOperand(cluster, setOf(cluster, "x", "y"));
    const { status } = await untilReady(cluster);
    const before = await uids(cluster, "x", "y");
    const name = status?.latestReadyActiveOperand ?? "";
    const [old] = await inventories(cluster, created);
    await cluster.delete(ClusterActiveOperand, name);
    const again = await cluster.until(
      ClusterActiveOperand,
      name,
      ({ metadata, status: reported }) =>
        metadata.uid !== old?.metadata.uid &&
        reported?.conditions?.some(({ type, status: said }) => type === "Ready" && said === "True") === true,
      20_000,
    );
    expect(await uids(cluster, "x", "y")).toEqual(before);
    const x = await cluster.until(ConfigMap, "x", (object) => owners(object).length > 0);
    expect(x.metadata.ownerReferences?.map(({ uid }) => uid)).toEqual([again.metadata.uid]);
    await untilReady(cluster);
  },

  "an object of two Operands survives the first one, and is deleted with the second": async (cluster) => {
    await start(cluster);
    await createOperand(cluster, setOf(cluster, "x", "y"), "p");
    await untilReady(cluster, "p");
    await createOperand(cluster, setOf(cluster, "y", "z"), "q");
    const q = await untilReady(cluster, "q");
    const [, uid] = await uids(cluster, "x", "y");
    await cluster.delete(Operand, operandName(cluster, "p"));
    await cluster.untilDeleted(Operand, operandName(cluster, "p"), 20_000);
    await cluster.untilDeleted(ConfigMap, "x");
    const shared = await cluster.find(ConfigMap, "y");
    expect(shared?.metadata.uid).toBe(uid);
    expect(shared === undefined ? [] : owners(shared)).toEqual([q.status?.latestReadyActiveOperand]);
    // No label refers to the deleted Operand.
    const ours = Object.keys(shared?.metadata.labels ?? {}).filter((label) =>
      label.startsWith("operand.levelset.dev/"),
    );
    expect(ours.toSorted()).toEqual(
      [`operand.levelset.dev/${q.metadata.uid}`, "operand.levelset.dev/managed"].toSorted(),
    );
    await updateOperand(cluster, setOf(cluster, "z"), "q");
    await untilReady(cluster, "q");
    await cluster.untilDeleted(ConfigMap, "y");
  },

  "removed owner references of a shared object are all restored, without further writes": async (cluster) => {
    const seam = new InterceptingFetch();
    await start(cluster, (runnable) => seam.wrap(runnable));
    for (const name of ["p", "q"]) {
      await createOperand(cluster, setOf(cluster, "y", name), name);
      await untilReady(cluster, name);
    }
    await cluster.patch(ConfigMap, "y", { metadata: { ownerReferences: null } });
    await cluster.until(ConfigMap, "y", (object) => owners(object).length === 2);
    await cluster.idle(5_000);
    const writes = seam.writes.length;
    await cluster.idle(60_000);
    expect(seam.writes.length).toBe(writes);
    const shared = await cluster.find(ConfigMap, "y");
    expect(shared === undefined ? [] : owners(shared)).toHaveLength(2);
  },
};
