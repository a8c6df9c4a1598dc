import { ConfigMap, Deployment } from "@levelset/core";
import type { ObjectOf } from "@levelset/core";
import { expect } from "vitest";
import { ClusterActiveOperand, Operand } from "@levelset/operator";
import type { Scenarios } from "../../support/cluster/scenario.ts";
import type { Harness } from "../../support/cluster/harness.ts";
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
function setOf(harness: Harness, ...names: readonly string[]): { readonly steadyState: ReturnType<typeof config>[] } {
  const { namespace } = harness.environment;
  return {
    steadyState: names.map((name) => (name.startsWith("d") ? deployment(namespace, name) : config(namespace, name))),
  };
}

async function uids(harness: Harness, ...names: readonly string[]): Promise<readonly (string | undefined)[]> {
  const found = await Promise.all(names.map((name) => harness.find(ConfigMap, name)));
  return found.map((object) => object?.metadata.uid);
}

/** Sets up A as the baseline, and B, whose Deployment is not available, as pending. */
async function pending(
  harness: Harness,
  ...names: readonly string[]
): Promise<{ readonly a: string; readonly b: string }> {
  const before = await until(harness, ({ status }) => status?.latestReadyActiveOperand !== undefined);
  const a = before.status?.latestReadyActiveOperand ?? "";
  await updateOperand(harness, setOf(harness, ...names));
  const deployed = names.find((name) => name.startsWith("d")) ?? "";
  await harness.until(Deployment, deployed, () => true);
  const now = await until(harness, ({ status }) => status?.latestCreatedActiveOperand !== a);
  return { a, b: now.status?.latestCreatedActiveOperand ?? "" };
}

/** Returns the names in the status and the existing inventories, in every state between two versions of an Operand. */
async function namesSince(harness: Harness, from: OperandObject, to: OperandObject): Promise<readonly string[]> {
  const seen = await harness.versions(Operand, from, to);
  const pairs = seen.map(
    ({ status }) => `${status?.latestReadyActiveOperand ?? "-"} ${status?.latestCreatedActiveOperand ?? "-"}`,
  );
  return pairs.filter((pair, index) => pair !== pairs[index - 1]);
}

/** Scenarios about replacing one version of a set by another. */
export const VERSIONS: Scenarios = {
  "the old set stays complete until the new one is healthy and owned, then its other objects are pruned": async (
    harness,
  ) => {
    await start(harness);
    const created = await createOperand(harness, setOf(harness, "x", "y"));
    await untilReady(harness);
    const [, y] = await uids(harness, "x", "y");
    const { a, b } = await pending(harness, "y", "dz");
    await harness.environment.idle(30_000);
    const waiting = await until(harness, () => true);
    expect(waiting.status).toMatchObject({ latestReadyActiveOperand: a, latestCreatedActiveOperand: b });
    expect(condition(waiting, "LatestActiveOperandReady")?.status).toBe("Unknown");
    expect(await harness.find(ConfigMap, "x")).toBeDefined();
    expect((await inventories(harness, created)).map(({ metadata }) => metadata.name).toSorted()).toEqual(
      [a, b].toSorted(),
    );
    await makeAvailable(harness, "dz");
    const done = await untilReady(harness);
    expect(done.status).toMatchObject({ latestReadyActiveOperand: b, latestCreatedActiveOperand: b });
    expect(condition(done, "LatestActiveOperandReady")?.status).toBe("True");
    expect(await harness.find(ClusterActiveOperand, a)).toBeUndefined();
    await harness.untilDeleted(ConfigMap, "x");
    const after = await harness.find(ConfigMap, "y");
    expect(after?.metadata.uid).toBe(y);
    expect(after === undefined ? [] : owners(after)).toEqual([b]);
  },

  "a superseded pending set is gone, with the objects that only it had, before the next is named": async (harness) => {
    await start(harness);
    const created = await createOperand(harness, setOf(harness, "x", "y"));
    const ready = await untilReady(harness);
    const before = await uids(harness, "x", "y");
    const { a, b } = await pending(harness, "y", "w", "dz");
    await harness.until(ConfigMap, "w", () => true);
    await updateOperand(harness, setOf(harness, "x", "y", "v"));
    const done = await untilReady(harness);
    const c = done.status?.latestReadyActiveOperand ?? "";
    expect(await namesSince(harness, ready, done)).toEqual([`${a} ${a}`, `${a} ${b}`, `${a} ${c}`, `${c} ${c}`]);
    await harness.untilDeleted(ConfigMap, "w");
    await harness.untilDeleted(Deployment, "dz");
    expect(await uids(harness, "x", "y")).toEqual(before);
    expect((await inventories(harness, created)).map(({ metadata }) => metadata.name)).toEqual([c]);
  },

  "objects that a superseded set shares with the next are never deleted": async (harness) => {
    await start(harness);
    await createOperand(harness, setOf(harness, "x"));
    await untilReady(harness);
    await pending(harness, "w", "dz");
    const [w] = await uids(harness, "w");
    await updateOperand(harness, setOf(harness, "w"));
    await untilReady(harness);
    expect(await uids(harness, "w")).toEqual([w]);
    await harness.untilDeleted(ConfigMap, "x");
    await harness.untilDeleted(Deployment, "dz");
  },

  "a rollback to the baseline removes the pending set, and the objects keep their uids": async (harness) => {
    await start(harness);
    const created = await createOperand(harness, setOf(harness, "x", "y"));
    await untilReady(harness);
    const before = await uids(harness, "x", "y");
    const { a } = await pending(harness, "y", "dz");
    await updateOperand(harness, setOf(harness, "x", "y"));
    const done = await untilReady(harness);
    expect(done.status).toMatchObject({ latestReadyActiveOperand: a, latestCreatedActiveOperand: a });
    expect(condition(done, "LatestActiveOperandReady")?.status).toBe("True");
    expect(await uids(harness, "x", "y")).toEqual(before);
    expect(await inventories(harness, created)).toHaveLength(1);
    await harness.untilDeleted(Deployment, "dz");
  },

  "changed content of the same objects keeps the inventory, and clears and sets the installed generation": async (
    harness,
  ) => {
    const { namespace } = harness.environment;
    await start(harness);
    const created = await createOperand(harness, setOf(harness, "x"));
    const before = await untilReady(harness);
    const [inventory] = await inventories(harness, created);
    await updateOperand(harness, { steadyState: [config(namespace, "x", { a: "2" })] });
    const after = await untilReady(harness);
    const seen = (await harness.versions(Operand, before, after)).map((operand) => ({
      bit: condition(operand, "LatestActiveOperandReady")?.status,
      name: operand.status?.latestCreatedActiveOperand,
      installed: operand.status?.installedSteadyStateGeneration,
    }));
    expect(new Set(seen.map(({ bit }) => bit))).toEqual(new Set(["True"]));
    expect(new Set(seen.map(({ name }) => name))).toEqual(new Set([inventory?.metadata.name]));
    const installed = seen.map((one) => one.installed);
    expect(installed.filter((one, index) => one !== installed[index - 1])).toEqual([1, undefined, 2]);
    expect((await inventories(harness, created)).map(({ metadata }) => metadata.uid)).toEqual([
      inventory?.metadata.uid,
    ]);
    expect((await harness.find(ConfigMap, "x"))?.data).toEqual({ a: "2" });
  },

  "a deleted baseline inventory is recreated, and none of its objects is deleted": async (harness) => {
    await start(harness);
    const created = await createOperand(harness, setOf(harness, "x", "y"));
    const { status } = await untilReady(harness);
    const before = await uids(harness, "x", "y");
    const name = status?.latestReadyActiveOperand ?? "";
    const [old] = await inventories(harness, created);
    await harness.delete(ClusterActiveOperand, name);
    const again = await harness.until(
      ClusterActiveOperand,
      name,
      ({ metadata, status: reported }) =>
        metadata.uid !== old?.metadata.uid &&
        reported?.conditions?.some(({ type, status: said }) => type === "Ready" && said === "True") === true,
      20_000,
    );
    expect(await uids(harness, "x", "y")).toEqual(before);
    const x = await harness.until(ConfigMap, "x", (object) => owners(object).length > 0);
    expect(x.metadata.ownerReferences?.map(({ uid }) => uid)).toEqual([again.metadata.uid]);
    await untilReady(harness);
  },

  "an object of two Operands survives the first one, and is deleted with the second": async (harness) => {
    await start(harness);
    await createOperand(harness, setOf(harness, "x", "y"), "p");
    await untilReady(harness, "p");
    await createOperand(harness, setOf(harness, "y", "z"), "q");
    const q = await untilReady(harness, "q");
    const [, uid] = await uids(harness, "x", "y");
    await harness.delete(Operand, operandName(harness, "p"));
    await harness.untilDeleted(Operand, operandName(harness, "p"), 20_000);
    await harness.untilDeleted(ConfigMap, "x");
    const shared = await harness.find(ConfigMap, "y");
    expect(shared?.metadata.uid).toBe(uid);
    expect(shared === undefined ? [] : owners(shared)).toEqual([q.status?.latestReadyActiveOperand]);
    // No label refers to the deleted Operand.
    const ours = Object.keys(shared?.metadata.labels ?? {}).filter((label) =>
      label.startsWith("operand.levelset.dev/"),
    );
    expect(ours.toSorted()).toEqual(
      [`operand.levelset.dev/${q.metadata.uid}`, "operand.levelset.dev/managed"].toSorted(),
    );
    await updateOperand(harness, setOf(harness, "z"), "q");
    await untilReady(harness, "q");
    await harness.untilDeleted(ConfigMap, "y");
  },

  "removed owner references of a shared object are all restored, without further writes": async (harness) => {
    const seam = new InterceptingFetch();
    await start(harness, (runnable) => seam.wrap(runnable));
    for (const name of ["p", "q"]) {
      await createOperand(harness, setOf(harness, "y", name), name);
      await untilReady(harness, name);
    }
    await harness.patch(ConfigMap, "y", { metadata: { ownerReferences: null } });
    await harness.until(ConfigMap, "y", (object) => owners(object).length === 2);
    await harness.environment.idle(5_000);
    const writes = seam.writes.length;
    await harness.environment.idle(60_000);
    expect(seam.writes.length).toBe(writes);
    const shared = await harness.find(ConfigMap, "y");
    expect(shared === undefined ? [] : owners(shared)).toHaveLength(2);
  },
};
