import { ConfigMap, CustomResourceDefinition, Deployment, isReady, Namespace } from "@levelset/core";
import type { KubeObject } from "@levelset/core";
import { expect } from "vitest";
import { ClusterActiveOperand, Operand } from "@levelset/operator";
import type { Scenarios } from "../engine/scenario.ts";
import type { Stage } from "../engine/stage.ts";
import { clusterWide, config, crd, deployment } from "./manifests.ts";
import { ask, change, condition, inventories, named, owners, start, until, untilReady } from "./operands.ts";
import { Seam } from "./seam.ts";

const OPERAND_MS = 20_000;
/** What was refused again and again is tried again after minutes. */
const RETRY_MS = 400_000;

function marksOf({ metadata }: KubeObject): readonly string[] {
  const { labels = {}, annotations = {} } = metadata;
  return [...Object.keys(labels), ...Object.keys(annotations)].filter((key) => key.startsWith("operand.levelset.dev/"));
}

async function expectGone(stage: Stage): Promise<void> {
  await stage.gone(Operand, named(stage), OPERAND_MS);
}

/** Scenarios about what goes, and what does not. */
export const ENDINGS: Scenarios = {
  "30 · the Operand is deleted: its inventories go, then what they own, then it": async (stage) => {
    const { namespace } = stage.place;
    const seam = new Seam();
    await start(stage, (runnable) => seam.around(runnable));
    const asked = await ask(stage, { steadyState: [config(namespace, "x"), config(namespace, "y")] });
    await untilReady(stage);
    await stage.delete(Operand, named(stage));
    await expectGone(stage);
    expect(await inventories(stage, asked)).toEqual([]);
    await stage.gone(ConfigMap, "x");
    await stage.gone(ConfigMap, "y");
    const deletes = seam.writes.filter(({ method }) => method === "DELETE").map(({ path }) => path.split("/").at(-2));
    const expected = ["clusteractiveoperands", "configmaps", "configmaps"];
    expect(deletes.filter((plural) => plural !== "operandrevisions")).toEqual(expected);
  },

  "30 · deleted while one set takes the place of another: nothing of either is left": async (stage) => {
    const { namespace } = stage.place;
    await start(stage);
    const asked = await ask(stage, { steadyState: [config(namespace, "x"), config(namespace, "y")] });
    await untilReady(stage);
    await change(stage, { steadyState: [config(namespace, "y"), deployment(namespace, "dz")] });
    await stage.until(Deployment, "dz", () => true);
    expect(await inventories(stage, asked)).toHaveLength(2);
    await stage.delete(Operand, named(stage));
    await expectGone(stage);
    expect(await inventories(stage, asked)).toEqual([]);
    await stage.gone(ConfigMap, "x");
    await stage.gone(ConfigMap, "y");
    await stage.gone(Deployment, "dz");
  },

  "31 · deleted without its dependents: they all stay, and nothing on them is ours": async (stage) => {
    const { namespace } = stage.place;
    await start(stage);
    const asked = await ask(stage, { steadyState: [config(namespace, "x"), config(namespace, "y")] });
    const { status } = await untilReady(stage);
    await stage.client.delete(Operand, { name: asked.metadata.name }, { propagation: "Orphan" });
    await expectGone(stage);
    await stage.gone(ClusterActiveOperand, status?.latestReadyActiveOperand ?? "", OPERAND_MS);
    for (const name of ["x", "y"]) {
      const left = await stage.find(ConfigMap, name);
      expect(left === undefined ? "gone" : owners(left)).toEqual([]);
      expect(left === undefined ? "gone" : marksOf(left)).toEqual([]);
    }
  },

  "31 · the same by deletionPolicy": async (stage) => {
    const { namespace } = stage.place;
    await start(stage);
    await ask(stage, { steadyState: [config(namespace, "x")], deletionPolicy: "Orphan" });
    await untilReady(stage);
    await stage.delete(Operand, named(stage));
    await expectGone(stage);
    const left = await stage.find(ConfigMap, "x");
    expect(left === undefined ? "gone" : [...owners(left), ...marksOf(left)]).toEqual([]);
  },

  "33 · namespaces and CRDs are neither owned nor pruned": async (stage) => {
    const { namespace } = stage.place;
    await start(stage);
    const group = `${namespace}.example.com`;
    const kept = [clusterWide("v1", "Namespace", `${namespace}-set`), crd(group, "Keep")];
    await ask(stage, { steadyState: [...kept, config(namespace, "x")] });
    await untilReady(stage);
    const look = async (): Promise<readonly (KubeObject | undefined)[]> => [
      await stage.find(Namespace, `${namespace}-set`),
      await stage.find(CustomResourceDefinition, `keeps.${group}`),
    ];
    for (const object of await look()) expect(object === undefined ? "gone" : owners(object)).toEqual([]);
    await change(stage, { steadyState: [config(namespace, "x")] });
    await untilReady(stage);
    for (const object of await look()) {
      expect(object === undefined ? "gone" : [...owners(object), ...marksOf(object)]).toEqual([]);
      expect(object?.metadata.deletionTimestamp).toBeUndefined();
    }
  },

  "a denied delete keeps the inventory, which names the object, until it is allowed": async (stage) => {
    const { namespace } = stage.place;
    const seam = new Seam();
    seam.refuse = ({ method, path }) =>
      method === "DELETE" && path.endsWith("/configmaps/x")
        ? { reason: "Forbidden", message: 'admission webhook "guard.example.com" denied the request: keep it' }
        : undefined;
    await start(stage, (runnable) => seam.around(runnable));
    const asked = await ask(stage, { steadyState: ["w", "x", "y"].map((name) => config(namespace, name)) });
    const { status } = await untilReady(stage);
    await change(stage, { steadyState: [config(namespace, "y")] });
    const old = status?.latestReadyActiveOperand ?? "";
    const blocked = await stage.until(
      ClusterActiveOperand,
      old,
      ({ status: told }) => told?.conditions?.some(({ reason }) => reason === "PruneBlocked") === true,
      OPERAND_MS,
    );
    expect(blocked.status?.conditions?.find(({ type }) => type === "Pruned")).toMatchObject({ status: "False" });
    expect(blocked.status?.blocked).toMatchObject([{ kind: "ConfigMap", namespace, name: "x", reason: "Forbidden" }]);
    // The rest goes on.
    await stage.gone(ConfigMap, "w");
    const waiting = await until(
      stage,
      (now) => condition(now, "LatestActiveOperandReady")?.message.includes("keep it") === true,
    );
    expect(waiting.status).toMatchObject({ latestReadyActiveOperand: old });
    await stage.place.idle(60_000);
    expect(await inventories(stage, asked)).toHaveLength(2);
    seam.refuse = () => undefined;
    await until(stage, isReady, "a", RETRY_MS);
    await stage.gone(ConfigMap, "x");
    expect(await inventories(stage, asked)).toHaveLength(1);
  },
};
