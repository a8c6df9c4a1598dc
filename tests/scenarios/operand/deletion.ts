import { ConfigMap, CustomResourceDefinition, Deployment, isReady, Namespace } from "@levelset/core";
import type { KubeObject } from "@levelset/core";
import { expect } from "vitest";
import { ClusterActiveOperand, Operand } from "@levelset/operator";
import type { Scenarios } from "../../support/cluster/scenario.ts";
import type { Cluster } from "../../support/cluster/cluster.ts";
import { clusterScopedObject, config, crd, deployment } from "./manifests.ts";
import {
  createOperand,
  updateOperand,
  condition,
  inventories,
  operandName,
  owners,
  start,
  until,
  untilReady,
} from "./operands.ts";
import { InterceptingFetch } from "./intercepting-fetch.ts";

const OPERAND_MS = 20_000;
/** Longer than the maximum retry delay. */
const RETRY_MS = 400_000;

function marksOf({ metadata }: KubeObject): readonly string[] {
  const { labels = {}, annotations = {} } = metadata;
  return [...Object.keys(labels), ...Object.keys(annotations)].filter((key) => key.startsWith("operand.levelset.dev/"));
}

async function expectGone(cluster: Cluster): Promise<void> {
  await cluster.untilDeleted(Operand, operandName(cluster), OPERAND_MS);
}

/** Scenarios about deletion. */
export const OPERAND_DELETION: Scenarios = {
  "deletion of an Operand removes its inventories, then their objects, then the Operand": async (cluster) => {
    const { namespace } = cluster;
    const seam = new InterceptingFetch();
    await start(cluster, (runnable) => seam.wrap(runnable));
    const created = await createOperand(cluster, { steadyState: [config(namespace, "x"), config(namespace, "y")] });
    await untilReady(cluster);
    await cluster.delete(Operand, operandName(cluster));
    await expectGone(cluster);
    expect(await inventories(cluster, created)).toEqual([]);
    await cluster.untilDeleted(ConfigMap, "x");
    await cluster.untilDeleted(ConfigMap, "y");
    const deletes = seam.writes.filter(({ method }) => method === "DELETE").map(({ path }) => path.split("/").at(-2));
    const expected = ["clusteractiveoperands", "configmaps", "configmaps"];
    expect(deletes.filter((plural) => plural !== "operandrevisions")).toEqual(expected);
  },

  "deletion during an update leaves no objects of either set": async (cluster) => {
    const { namespace } = cluster;
    await start(cluster);
    const created = await createOperand(cluster, { steadyState: [config(namespace, "x"), config(namespace, "y")] });
    await untilReady(cluster);
    await updateOperand(cluster, { steadyState: [config(namespace, "y"), deployment(namespace, "dz")] });
    await cluster.until(Deployment, "dz", () => true);
    expect(await inventories(cluster, created)).toHaveLength(2);
    await cluster.delete(Operand, operandName(cluster));
    await expectGone(cluster);
    expect(await inventories(cluster, created)).toEqual([]);
    await cluster.untilDeleted(ConfigMap, "x");
    await cluster.untilDeleted(ConfigMap, "y");
    await cluster.untilDeleted(Deployment, "dz");
  },

  "deletion with orphan propagation keeps all objects, without our labels and annotations": async (cluster) => {
    const { namespace } = cluster;
    await start(cluster);
    const created = await createOperand(cluster, { steadyState: [config(namespace, "x"), config(namespace, "y")] });
    const { status } = await untilReady(cluster);
    await cluster.client.delete(Operand, { name: created.metadata.name }, { propagationPolicy: "Orphan" });
    await expectGone(cluster);
    await cluster.untilDeleted(ClusterActiveOperand, status?.latestReadyActiveOperand ?? "", OPERAND_MS);
    for (const name of ["x", "y"]) {
      const left = await cluster.find(ConfigMap, name);
      expect(left === undefined ? "gone" : owners(left)).toEqual([]);
      expect(left === undefined ? "gone" : marksOf(left)).toEqual([]);
    }
  },

  "deletionPolicy Orphan keeps all objects, without our labels and annotations": async (cluster) => {
    const { namespace } = cluster;
    await start(cluster);
    await createOperand(cluster, { steadyState: [config(namespace, "x")], deletionPolicy: "Orphan" });
    await untilReady(cluster);
    await cluster.delete(Operand, operandName(cluster));
    await expectGone(cluster);
    const left = await cluster.find(ConfigMap, "x");
    expect(left === undefined ? "gone" : [...owners(left), ...marksOf(left)]).toEqual([]);
  },

  "Namespaces and CRDs are neither owned nor pruned": async (cluster) => {
    const { namespace } = cluster;
    await start(cluster);
    const group = `${namespace}.example.com`;
    const kept = [clusterScopedObject("v1", "Namespace", `${namespace}-set`), crd(group, "Keep")];
    await createOperand(cluster, { steadyState: [...kept, config(namespace, "x")] });
    await untilReady(cluster);
    const look = async (): Promise<readonly (KubeObject | undefined)[]> => [
      await cluster.find(Namespace, `${namespace}-set`),
      await cluster.find(CustomResourceDefinition, `keeps.${group}`),
    ];
    for (const object of await look()) expect(object === undefined ? "gone" : owners(object)).toEqual([]);
    await updateOperand(cluster, { steadyState: [config(namespace, "x")] });
    await untilReady(cluster);
    for (const object of await look()) {
      expect(object === undefined ? "gone" : [...owners(object), ...marksOf(object)]).toEqual([]);
      expect(object?.metadata.deletionTimestamp).toBeUndefined();
    }
  },

  "a denied deletion keeps the inventory, which names the object, until it is allowed": async (cluster) => {
    const { namespace } = cluster;
    const seam = new InterceptingFetch();
    seam.deny = ({ method, path }) =>
      method === "DELETE" && path.endsWith("/configmaps/x")
        ? { reason: "Forbidden", message: 'admission webhook "guard.example.com" denied the request: keep it' }
        : undefined;
    await start(cluster, (runnable) => seam.wrap(runnable));
    const created = await createOperand(cluster, {
      steadyState: ["w", "x", "y"].map((name) => config(namespace, name)),
    });
    const { status } = await untilReady(cluster);
    await updateOperand(cluster, { steadyState: [config(namespace, "y")] });
    const old = status?.latestReadyActiveOperand ?? "";
    const blocked = await cluster.until(
      ClusterActiveOperand,
      old,
      ({ status: reported }) => reported?.conditions?.some(({ reason }) => reason === "PruneBlocked") === true,
      OPERAND_MS,
    );
    expect(blocked.status?.conditions?.find(({ type }) => type === "Pruned")).toMatchObject({ status: "False" });
    expect(blocked.status?.blocked).toMatchObject([{ kind: "ConfigMap", namespace, name: "x", reason: "Forbidden" }]);
    // The other objects are deleted.
    await cluster.untilDeleted(ConfigMap, "w");
    const waiting = await until(
      cluster,
      (now) => condition(now, "LatestActiveOperandReady")?.message.includes("keep it") === true,
    );
    expect(waiting.status).toMatchObject({ latestReadyActiveOperand: old });
    await cluster.idle(60_000);
    expect(await inventories(cluster, created)).toHaveLength(2);
    seam.deny = () => undefined;
    await until(cluster, isReady, "a", RETRY_MS);
    await cluster.untilDeleted(ConfigMap, "x");
    expect(await inventories(cluster, created)).toHaveLength(1);
  },
};
