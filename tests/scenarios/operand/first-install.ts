import { apiVersionOf, ConfigMap, isReady, Namespace } from "@levelset/core";
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
  operandName,
  start,
  until,
  untilReady,
} from "./operands.ts";
import { member, InterceptingFetch } from "./intercepting-fetch.ts";

/** Creates a namespace with a fixed name, for inventory names that depend on it. */
async function ensureNamespace(cluster: Cluster, name: string): Promise<void> {
  if ((await cluster.find(Namespace, name)) === undefined) await cluster.create(Namespace, { metadata: { name } });
}

/** Scenarios about the first version of a set and its name. */
export const FIRST_INSTALL: Scenarios = {
  "empty lists: the inventory has the name of the empty set, no entries, and the Operand as its controller": async (
    cluster,
  ) => {
    await start(cluster);
    const { metadata } = await createOperand(cluster, {});
    const operand = await until(cluster, ({ status }) => status?.installedSteadyStateGeneration === 1);
    expect(operand.status?.latestCreatedActiveOperand).toBe("sha256-4f53cda18c");
    const inventory = await cluster.until(ClusterActiveOperand, "sha256-4f53cda18c", () => true);
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
    const installed = await untilReady(cluster);
    expect(condition(installed, "OperandInstalled")?.status).toBe("True");
  },

  "a ready inventory is the baseline, and LatestActiveOperandReady and Ready are True for this generation": async (
    cluster,
  ) => {
    await start(cluster);
    await createOperand(cluster, {});
    const operand = await untilReady(cluster);
    const { status, metadata } = operand;
    expect(status?.latestReadyActiveOperand).toBe(status?.latestCreatedActiveOperand);
    expect(condition(operand, "LatestActiveOperandReady")?.status).toBe("True");
    expect(status?.observedGeneration).toBe(metadata.generation);
    const inventory = await cluster.find(ClusterActiveOperand, status?.latestReadyActiveOperand ?? "");
    expect(inventory !== undefined && isReady(inventory)).toBe(true);
  },

  "the inventory of a Deployment has the reference name, and its entry has no version": async (cluster) => {
    await ensureNamespace(cluster, "test");
    await start(cluster);
    await createOperand(cluster, { steadyState: [deployment("test", "platoon")], checkDeploymentHealth: false });
    const { status } = await untilReady(cluster);
    expect(status?.latestCreatedActiveOperand).toBe("sha256-5989f51667");
    const inventory = await cluster.find(ClusterActiveOperand, "sha256-5989f51667");
    expect(inventory?.spec.live).toEqual([{ group: "apps", kind: "Deployment", namespace: "test", name: "platoon" }]);
  },

  "another order or apiVersion yields the same inventory": async (cluster) => {
    const { namespace } = cluster;
    const scaler = (version: string): Parameters<typeof updateOperand>[1] => ({
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
    await start(cluster);
    const operand = await createOperand(cluster, scaler("v1"));
    const before = await untilReady(cluster);
    const [inventory] = await inventories(cluster, operand);
    await updateOperand(cluster, scaler("v2"));
    const after = await untilReady(cluster);
    expect(after.metadata.generation).toBe(2);
    const names = (await cluster.versions(Operand, before, after)).map(
      ({ status }) => status?.latestCreatedActiveOperand,
    );
    expect(new Set(names)).toEqual(new Set([inventory?.metadata.name]));
    const left = await inventories(cluster, operand);
    expect(left.map(({ metadata: { uid } }) => uid)).toEqual([inventory?.metadata.uid]);
  },

  "two Operands with the same set have inventories of different names and do not interfere": async (cluster) => {
    await start(cluster);
    const set = { steadyState: [config(cluster.namespace, "x")] };
    const p = await createOperand(cluster, set, "p");
    const first = await untilReady(cluster, "p");
    const q = await createOperand(cluster, set, "q");
    const second = await untilReady(cluster, "q");
    expect(second.status?.collisionCount).toBe(1);
    expect(second.status?.latestReadyActiveOperand).not.toBe(first.status?.latestReadyActiveOperand);
    const [ours] = await inventories(cluster, p);
    const [theirs] = await inventories(cluster, q);
    expect(theirs?.spec.live).toEqual(ours?.spec.live);
    await cluster.delete(Operand, operandName(cluster, "p"));
    await cluster.untilDeleted(Operand, operandName(cluster, "p"), 20_000);
    const { metadata } = await cluster.until(ConfigMap, "x", () => true);
    expect(metadata.ownerReferences?.map(({ uid }) => uid)).toEqual([theirs?.metadata.uid]);
  },

  "the status names the inventory before it is created": async (cluster) => {
    const seam = new InterceptingFetch();
    await start(cluster, (runnable) => seam.wrap(runnable));
    await createOperand(cluster, { steadyState: [config(cluster.namespace, "x")] });
    const { status } = await untilReady(cluster);
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
