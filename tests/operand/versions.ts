import { ConfigMap, Deployment } from "@levelset/core";
import type { ObjectOf } from "@levelset/core";
import { expect } from "vitest";
import { ClusterActiveOperand, Operand } from "@levelset/operator";
import type { Scenarios } from "../engine/scenario.ts";
import type { Stage } from "../engine/stage.ts";
import { config, deployment } from "./manifests.ts";
import {
  ask,
  change,
  condition,
  inventories,
  makeAvailable,
  named,
  owners,
  start,
  until,
  untilReady,
} from "./operands.ts";
import { Seam } from "./seam.ts";

type Asked = ObjectOf<Operand>;

/** A set of ConfigMaps, and of Deployments where the name says so. */
function setOf(stage: Stage, ...names: readonly string[]): { readonly steadyState: ReturnType<typeof config>[] } {
  const { namespace } = stage.place;
  return {
    steadyState: names.map((name) => (name.startsWith("d") ? deployment(namespace, name) : config(namespace, name))),
  };
}

async function uids(stage: Stage, ...names: readonly string[]): Promise<readonly (string | undefined)[]> {
  const found = await Promise.all(names.map((name) => stage.find(ConfigMap, name)));
  return found.map((object) => object?.metadata.uid);
}

/** A is the baseline, and B, whose Deployment is not available, is pending. */
async function pending(stage: Stage, ...names: readonly string[]): Promise<{ readonly a: string; readonly b: string }> {
  const before = await until(stage, ({ status }) => status?.latestReadyActiveOperand !== undefined);
  const a = before.status?.latestReadyActiveOperand ?? "";
  await change(stage, setOf(stage, ...names));
  const deployed = names.find((name) => name.startsWith("d")) ?? "";
  await stage.until(Deployment, deployed, () => true);
  const now = await until(stage, ({ status }) => status?.latestCreatedActiveOperand !== a);
  return { a, b: now.status?.latestCreatedActiveOperand ?? "" };
}

/** The names in a status, and what exists, in every state between two versions of an Operand. */
async function namesSince(stage: Stage, from: Asked, to: Asked): Promise<readonly string[]> {
  const seen = await stage.versions(Operand, from, to);
  const pairs = seen.map(
    ({ status }) => `${status?.latestReadyActiveOperand ?? "-"} ${status?.latestCreatedActiveOperand ?? "-"}`,
  );
  return pairs.filter((pair, index) => pair !== pairs[index - 1]);
}

/** Scenarios about one version of a set taking the place of another. */
export const VERSIONS: Scenarios = {
  "17 · 18 · a new set: the old one stays whole until the new one is healthy and owned, then what only it had goes":
    async (stage) => {
      await start(stage);
      const asked = await ask(stage, setOf(stage, "x", "y"));
      await untilReady(stage);
      const [, y] = await uids(stage, "x", "y");
      const { a, b } = await pending(stage, "y", "dz");
      await stage.place.idle(30_000);
      const waiting = await until(stage, () => true);
      expect(waiting.status).toMatchObject({ latestReadyActiveOperand: a, latestCreatedActiveOperand: b });
      expect(condition(waiting, "LatestActiveOperandReady")?.status).toBe("Unknown");
      expect(await stage.find(ConfigMap, "x")).toBeDefined();
      expect((await inventories(stage, asked)).map(({ metadata }) => metadata.name).toSorted()).toEqual(
        [a, b].toSorted(),
      );
      await makeAvailable(stage, "dz");
      const done = await untilReady(stage);
      expect(done.status).toMatchObject({ latestReadyActiveOperand: b, latestCreatedActiveOperand: b });
      expect(condition(done, "LatestActiveOperandReady")?.status).toBe("True");
      expect(await stage.find(ClusterActiveOperand, a)).toBeUndefined();
      await stage.gone(ConfigMap, "x");
      const after = await stage.find(ConfigMap, "y");
      expect(after?.metadata.uid).toBe(y);
      expect(after === undefined ? [] : owners(after)).toEqual([b]);
    },

  "20 · 22 · a pending set is superseded: it is gone before the next is named, and what only it had goes": async (
    stage,
  ) => {
    await start(stage);
    const asked = await ask(stage, setOf(stage, "x", "y"));
    const ready = await untilReady(stage);
    const before = await uids(stage, "x", "y");
    const { a, b } = await pending(stage, "y", "w", "dz");
    await stage.until(ConfigMap, "w", () => true);
    await change(stage, setOf(stage, "x", "y", "v"));
    const done = await untilReady(stage);
    const c = done.status?.latestReadyActiveOperand ?? "";
    expect(await namesSince(stage, ready, done)).toEqual([`${a} ${a}`, `${a} ${b}`, `${a} ${c}`, `${c} ${c}`]);
    await stage.gone(ConfigMap, "w");
    await stage.gone(Deployment, "dz");
    expect(await uids(stage, "x", "y")).toEqual(before);
    expect((await inventories(stage, asked)).map(({ metadata }) => metadata.name)).toEqual([c]);
  },

  "22 · what the superseded set and the next have in common is never deleted": async (stage) => {
    await start(stage);
    await ask(stage, setOf(stage, "x"));
    await untilReady(stage);
    await pending(stage, "w", "dz");
    const [w] = await uids(stage, "w");
    await change(stage, setOf(stage, "w"));
    await untilReady(stage);
    expect(await uids(stage, "w")).toEqual([w]);
    await stage.gone(ConfigMap, "x");
    await stage.gone(Deployment, "dz");
  },

  "23 · back to the baseline: the pending set goes, the baseline is both again, its objects keep their uids": async (
    stage,
  ) => {
    await start(stage);
    const asked = await ask(stage, setOf(stage, "x", "y"));
    await untilReady(stage);
    const before = await uids(stage, "x", "y");
    const { a } = await pending(stage, "y", "dz");
    await change(stage, setOf(stage, "x", "y"));
    const done = await untilReady(stage);
    expect(done.status).toMatchObject({ latestReadyActiveOperand: a, latestCreatedActiveOperand: a });
    expect(condition(done, "LatestActiveOperandReady")?.status).toBe("True");
    expect(await uids(stage, "x", "y")).toEqual(before);
    expect(await inventories(stage, asked)).toHaveLength(1);
    await stage.gone(Deployment, "dz");
  },

  "25 · other content, same objects: the inventory and the bit stay, the generation is cleared and set anew": async (
    stage,
  ) => {
    const { namespace } = stage.place;
    await start(stage);
    const asked = await ask(stage, setOf(stage, "x"));
    const before = await untilReady(stage);
    const [inventory] = await inventories(stage, asked);
    await change(stage, { steadyState: [config(namespace, "x", { a: "2" })] });
    const after = await untilReady(stage);
    const seen = (await stage.versions(Operand, before, after)).map((operand) => ({
      bit: condition(operand, "LatestActiveOperandReady")?.status,
      name: operand.status?.latestCreatedActiveOperand,
      installed: operand.status?.installedSteadyStateGeneration,
    }));
    expect(new Set(seen.map(({ bit }) => bit))).toEqual(new Set(["True"]));
    expect(new Set(seen.map(({ name }) => name))).toEqual(new Set([inventory?.metadata.name]));
    const installed = seen.map((one) => one.installed);
    expect(installed.filter((one, index) => one !== installed[index - 1])).toEqual([1, undefined, 2]);
    expect((await inventories(stage, asked)).map(({ metadata }) => metadata.uid)).toEqual([inventory?.metadata.uid]);
    expect((await stage.find(ConfigMap, "x"))?.data).toEqual({ a: "2" });
  },

  "26 · the baseline's inventory is deleted by hand: it comes back, and no object of it goes": async (stage) => {
    await start(stage);
    const asked = await ask(stage, setOf(stage, "x", "y"));
    const { status } = await untilReady(stage);
    const before = await uids(stage, "x", "y");
    const name = status?.latestReadyActiveOperand ?? "";
    const [old] = await inventories(stage, asked);
    await stage.delete(ClusterActiveOperand, name);
    const again = await stage.until(
      ClusterActiveOperand,
      name,
      ({ metadata, status: told }) =>
        metadata.uid !== old?.metadata.uid &&
        told?.conditions?.some(({ type, status: said }) => type === "Ready" && said === "True") === true,
      20_000,
    );
    expect(await uids(stage, "x", "y")).toEqual(before);
    const x = await stage.until(ConfigMap, "x", (object) => owners(object).length > 0);
    expect(x.metadata.ownerReferences?.map(({ uid }) => uid)).toEqual([again.metadata.uid]);
    await untilReady(stage);
  },

  "28 · an object of two Operands: it survives the first with the owner of the second, and goes with that one": async (
    stage,
  ) => {
    await start(stage);
    await ask(stage, setOf(stage, "x", "y"), "p");
    await untilReady(stage, "p");
    await ask(stage, setOf(stage, "y", "z"), "q");
    const q = await untilReady(stage, "q");
    const [, uid] = await uids(stage, "x", "y");
    await stage.delete(Operand, named(stage, "p"));
    await stage.gone(Operand, named(stage, "p"), 20_000);
    await stage.gone(ConfigMap, "x");
    const shared = await stage.find(ConfigMap, "y");
    expect(shared?.metadata.uid).toBe(uid);
    expect(shared === undefined ? [] : owners(shared)).toEqual([q.status?.latestReadyActiveOperand]);
    // Nothing of it reminds of the Operand that is gone.
    const ours = Object.keys(shared?.metadata.labels ?? {}).filter((label) =>
      label.startsWith("operand.levelset.dev/"),
    );
    expect(ours.toSorted()).toEqual(
      [`operand.levelset.dev/${q.metadata.uid}`, "operand.levelset.dev/managed"].toSorted(),
    );
    await change(stage, setOf(stage, "z"), "q");
    await untilReady(stage, "q");
    await stage.gone(ConfigMap, "y");
  },

  "28 · owners of a shared object that somebody took away are put back, all of them, and that is the end of it": async (
    stage,
  ) => {
    const seam = new Seam();
    await start(stage, (runnable) => seam.around(runnable));
    for (const name of ["p", "q"]) {
      await ask(stage, setOf(stage, "y", name), name);
      await untilReady(stage, name);
    }
    await stage.patch(ConfigMap, "y", { metadata: { ownerReferences: null } });
    await stage.until(ConfigMap, "y", (object) => owners(object).length === 2);
    await stage.place.idle(5_000);
    const writes = seam.writes.length;
    await stage.place.idle(60_000);
    expect(seam.writes.length).toBe(writes);
    const shared = await stage.find(ConfigMap, "y");
    expect(shared === undefined ? [] : owners(shared)).toHaveLength(2);
  },
};
