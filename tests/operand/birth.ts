import { apiVersionOf, ConfigMap, isReady, Namespace } from "@levelset/core";
import { expect } from "vitest";
import { ClusterActiveOperand, Operand } from "@levelset/operator";
import type { Scenarios } from "../engine/scenario.ts";
import type { Stage } from "../engine/stage.ts";
import { config, deployment } from "./manifests.ts";
import { ask, change, condition, inventories, named, start, until, untilReady } from "./operands.ts";
import { member, Seam } from "./seam.ts";

/** A namespace with a fixed name, for names that are computed from it. */
async function ensureNamespace(stage: Stage, name: string): Promise<void> {
  if ((await stage.find(Namespace, name)) === undefined) await stage.create(Namespace, { metadata: { name } });
}

/** Scenarios about the first version of a set and its name. */
export const BIRTH: Scenarios = {
  "1 · empty lists: the inventory has the name of the empty set, nothing in it, and the Operand as its controller":
    async (stage) => {
      await start(stage);
      const { metadata } = await ask(stage, {});
      const operand = await until(stage, ({ status }) => status?.installedSteadyStateGeneration === 1);
      expect(operand.status?.latestCreatedActiveOperand).toBe("sha256-4f53cda18c");
      const inventory = await stage.until(ClusterActiveOperand, "sha256-4f53cda18c", () => true);
      expect(inventory.spec.live).toEqual([]);
      expect(inventory.metadata.ownerReferences).toMatchObject([
        {
          apiVersion: apiVersionOf(Operand),
          kind: "Operand",
          name: metadata.name,
          uid: metadata.uid,
          controller: true,
        },
      ]);
      const installed = await untilReady(stage);
      expect(condition(installed, "OperandInstalled")?.status).toBe("True");
    },

  "2 · the inventory becomes ready: it is the baseline, the bit is True, Ready speaks of this generation": async (
    stage,
  ) => {
    await start(stage);
    await ask(stage, {});
    const operand = await untilReady(stage);
    const { status, metadata } = operand;
    expect(status?.latestReadyActiveOperand).toBe(status?.latestCreatedActiveOperand);
    expect(condition(operand, "LatestActiveOperandReady")?.status).toBe("True");
    expect(status?.observedGeneration).toBe(metadata.generation);
    const inventory = await stage.find(ClusterActiveOperand, status?.latestReadyActiveOperand ?? "");
    expect(inventory !== undefined && isReady(inventory)).toBe(true);
  },

  "3 · a Deployment: the name is the known one, and the reference has no version": async (stage) => {
    await ensureNamespace(stage, "test");
    await start(stage);
    await ask(stage, { steadyState: [deployment("test", "platoon")], checkDeploymentHealth: false });
    const { status } = await untilReady(stage);
    expect(status?.latestCreatedActiveOperand).toBe("sha256-5989f51667");
    const inventory = await stage.find(ClusterActiveOperand, "sha256-5989f51667");
    expect(inventory?.spec.live).toEqual([{ group: "apps", kind: "Deployment", namespace: "test", name: "platoon" }]);
  },

  "4 · another order, another apiVersion: the same inventory": async (stage) => {
    const { namespace } = stage.place;
    const scaler = (version: string): Parameters<typeof change>[1] => ({
      steadyState: [
        config(namespace, version === "v1" ? "x" : "y"),
        {
          apiVersion: `autoscaling/${version}`,
          kind: "HorizontalPodAutoscaler",
          metadata: { namespace, name: "scaler" },
          spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "x" } },
        },
        config(namespace, version === "v1" ? "y" : "x"),
      ],
    });
    await start(stage);
    const asked = await ask(stage, scaler("v1"));
    const before = await untilReady(stage);
    const [inventory] = await inventories(stage, asked);
    await change(stage, scaler("v2"));
    const after = await untilReady(stage);
    expect(after.metadata.generation).toBe(2);
    const names = (await stage.versions(Operand, before, after)).map(
      ({ status }) => status?.latestCreatedActiveOperand,
    );
    expect(new Set(names)).toEqual(new Set([inventory?.metadata.name]));
    const left = await inventories(stage, asked);
    expect(left.map(({ metadata: { uid } }) => uid)).toEqual([inventory?.metadata.uid]);
  },

  "4 · two Operands with the same set: the second one's inventory has a name of its own, and neither disturbs the other":
    async (stage) => {
      await start(stage);
      const set = { steadyState: [config(stage.place.namespace, "x")] };
      const p = await ask(stage, set, "p");
      const first = await untilReady(stage, "p");
      const q = await ask(stage, set, "q");
      const second = await untilReady(stage, "q");
      expect(second.status?.collisionCount).toBe(1);
      expect(second.status?.latestReadyActiveOperand).not.toBe(first.status?.latestReadyActiveOperand);
      const [ours] = await inventories(stage, p);
      const [theirs] = await inventories(stage, q);
      expect(theirs?.spec.live).toEqual(ours?.spec.live);
      await stage.delete(Operand, named(stage, "p"));
      await stage.gone(Operand, named(stage, "p"), 20_000);
      const { metadata } = await stage.until(ConfigMap, "x", () => true);
      expect(metadata.ownerReferences?.map(({ uid }) => uid)).toEqual([theirs?.metadata.uid]);
    },

  "5 · the status names the inventory before the inventory is made": async (stage) => {
    const seam = new Seam();
    await start(stage, (runnable) => seam.around(runnable));
    await ask(stage, { steadyState: [config(stage.place.namespace, "x")] });
    const { status } = await untilReady(stage);
    const records = seam.writes.findIndex(
      ({ body }) => member(body, "status", "latestCreatedActiveOperand") === status?.latestCreatedActiveOperand,
    );
    const creates = seam.writes.findIndex(
      ({ method, path }) => method === "POST" && path.endsWith("/clusteractiveoperands"),
    );
    const applies = seam.writes.findIndex(({ path }) => path.endsWith("/configmaps/x"));
    expect(records).toBeGreaterThanOrEqual(0);
    expect(creates).toBeGreaterThan(records);
    expect(applies).toBeGreaterThan(creates);
  },
};
