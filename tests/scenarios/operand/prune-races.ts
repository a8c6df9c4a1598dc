import { ConfigMap, controllerReference, Deployment, isReady } from "@levelset/core";
import { ClusterActiveOperand, Operand } from "@levelset/operator";
import { expect } from "vitest";
import type { Scenarios } from "../../support/cluster/scenario.ts";
import type { Cluster } from "../../support/cluster/cluster.ts";
import { config, deployment } from "./manifests.ts";
import {
  createOperand,
  updateOperand,
  makeAvailable,
  operandName,
  owners,
  start,
  until,
  untilReady,
} from "./operands.ts";
import { InterceptingFetch } from "./intercepting-fetch.ts";

const PRUNING = "operand.levelset.dev/pruning";

/** Runs `act` once, when the process has read the prune context and reads a ConfigMap to decide on it. */
function whenDecided(seam: InterceptingFetch, name: string, act: () => Promise<unknown>): () => boolean {
  let isDone = false;
  let areListed = false;
  seam.before = async ({ method, path }) => {
    areListed ||= method === "GET" && path.endsWith("/clusteractiveoperands");
    if (isDone || !areListed || method !== "GET" || !path.endsWith(`/configmaps/${name}`)) return;
    isDone = true;
    await act();
  };
  return () => isDone;
}

function deletes(seam: InterceptingFetch, name: string): number {
  return seam.writesTo(`/configmaps/${name}`).filter(({ method }) => method === "DELETE").length;
}

/** Installs x and y; returns x. */
async function begin(
  cluster: Cluster,
  seam: InterceptingFetch,
  prune?: { readonly mode: "Deferred"; readonly after: string },
) {
  const { namespace } = cluster;
  const [x, y] = [config(namespace, "x"), config(namespace, "y")];
  await start(cluster, (runnable) => seam.wrap(runnable));
  await createOperand(cluster, { steadyState: [x, y], ...(prune === undefined ? {} : { prune }) });
  await untilReady(cluster);
  return { x, y, uid: (await cluster.find(ConfigMap, "x"))?.metadata.uid };
}

/** Scenarios about races between the last read of an object and its deletion. */
export const PRUNE_RACES: Scenarios = {
  "an object that is desired again while its version is removed is not deleted": async (cluster) => {
    const seam = new InterceptingFetch();
    const { x, y, uid } = await begin(cluster, seam);
    const isDesiredAgain = whenDecided(seam, "x", () => updateOperand(cluster, { steadyState: [x, y] }));
    await updateOperand(cluster, { steadyState: [y] });
    await until(cluster, (operand) => operand.metadata.generation === 3 && isReady(operand), "a", 20_000);
    expect(isDesiredAgain()).toBe(true);
    expect((await cluster.find(ConfigMap, "x"))?.metadata.uid).toBe(uid);
    expect(deletes(seam, "x")).toBe(0);
  },

  "an object that is desired again when its prune time has come is not deleted": async (cluster) => {
    const seam = new InterceptingFetch();
    const { x, y, uid } = await begin(cluster, seam, { mode: "Deferred", after: "1s" });
    await updateOperand(cluster, { steadyState: [y] });
    await cluster.until(ConfigMap, "x", ({ metadata }) => metadata.annotations !== undefined, 20_000);
    const isDesiredAgain = whenDecided(seam, "x", () => updateOperand(cluster, { steadyState: [x, y] }));
    await until(cluster, (operand) => operand.metadata.generation === 3 && isReady(operand), "a", 20_000);
    expect(isDesiredAgain()).toBe(true);
    const kept = await cluster.until(ConfigMap, "x", ({ metadata }) => metadata.annotations === undefined, 20_000);
    expect(kept.metadata.uid).toBe(uid);
    expect(deletes(seam, "x")).toBe(0);
  },

  "the deletion of an object that is desired again fails, even if it is already in flight": async (cluster) => {
    const seam = new InterceptingFetch();
    const { x, y, uid } = await begin(cluster, seam);
    let isDesiredAgain = false;
    seam.before = async ({ method, path }) => {
      if (isDesiredAgain || method !== "DELETE" || !path.endsWith("/configmaps/x")) return;
      isDesiredAgain = true;
      await updateOperand(cluster, { steadyState: [x, y] });
      await cluster.until(ConfigMap, "x", ({ metadata }) => metadata.annotations?.[PRUNING] === undefined, 20_000);
    };
    await updateOperand(cluster, { steadyState: [y] });
    await until(cluster, (operand) => operand.metadata.generation === 3 && isReady(operand), "a", 20_000);
    expect(isDesiredAgain).toBe(true);
    const kept = await cluster.find(ConfigMap, "x");
    expect(kept?.metadata.uid).toBe(uid);
    expect(kept?.metadata.annotations).toBeUndefined();
  },

  "another Operand that lists an object while its version is removed takes it over": async (cluster) => {
    const { namespace } = cluster;
    const seam = new InterceptingFetch();
    const { x, y, uid } = await begin(cluster, seam);
    // Suspended: the test performs its actions at the critical moment.
    const other = await createOperand(cluster, { steadyState: [x], suspend: true }, "other");
    const name = operandName(cluster, "by-hand");
    const isListed = whenDecided(seam, "x", () =>
      cluster.create(ClusterActiveOperand, {
        metadata: { name, ownerReferences: [controllerReference(other)] },
        spec: { live: [{ group: "", kind: "ConfigMap", namespace, name: "x" }] },
      }),
    );
    await updateOperand(cluster, { steadyState: [y] });
    await until(cluster, (operand) => operand.metadata.generation === 2 && isReady(operand), "a", 20_000);
    expect(isListed()).toBe(true);
    const kept = await cluster.find(ConfigMap, "x");
    expect(kept?.metadata.uid).toBe(uid);
    expect(Object.keys(kept?.metadata.labels ?? {})).toContain(`operand.levelset.dev/${other.metadata.uid}`);
    expect(kept === undefined ? [] : owners(kept)).toEqual([]);
    expect(deletes(seam, "x")).toBe(0);
  },

  "a shared object is deleted with the last Operand, even if both are deleted at once": async (cluster) => {
    const { namespace } = cluster;
    const seam = new InterceptingFetch();
    await begin(cluster, seam);
    await createOperand(cluster, { steadyState: [config(namespace, "x")] }, "other");
    await untilReady(cluster, "other");
    const isGone = whenDecided(seam, "x", async () => {
      await cluster.delete(Operand, operandName(cluster, "other"));
      await cluster.eventually("the other Operand is gone", async () =>
        (await cluster.find(Operand, operandName(cluster, "other"))) === undefined ? true : undefined,
      );
    });
    await cluster.delete(Operand, operandName(cluster));
    await cluster.untilDeleted(Operand, operandName(cluster), 20_000);
    expect(isGone()).toBe(true);
    await cluster.untilDeleted(ConfigMap, "x");
  },

  "objects of three consecutive versions are never left to a removed inventory": async (cluster) => {
    const { namespace } = cluster;
    const seam = new InterceptingFetch();
    const { x, uid } = await begin(cluster, seam);
    const first = (await cluster.find(Operand, operandName(cluster)))?.status?.latestReadyActiveOperand ?? "";
    // x is applied only when d is available.
    const third = [config(namespace, "x", {}, { operand: { wave: "1" } }), deployment(namespace, "d")];
    const isReplaced = whenDecided(seam, "x", async () => {
      const second = (await cluster.find(Operand, operandName(cluster)))?.status?.latestCreatedActiveOperand ?? "";
      await updateOperand(cluster, { steadyState: third });
      await cluster.eventually("the second inventory is gone", async () =>
        (await cluster.find(ClusterActiveOperand, second)) === undefined ? true : undefined,
      );
    });
    await updateOperand(cluster, { steadyState: [x] });
    await cluster.until(Deployment, "d", () => true, 20_000);
    await cluster.untilDeleted(ClusterActiveOperand, first, 20_000);
    expect(isReplaced()).toBe(true);
    await cluster.idle(5_000);
    expect((await cluster.find(ConfigMap, "x"))?.metadata.uid).toBe(uid);
    await makeAvailable(cluster, "d");
    const { status } = await untilReady(cluster);
    const kept = await cluster.find(ConfigMap, "x");
    expect(kept?.metadata.uid).toBe(uid);
    expect(kept === undefined ? [] : owners(kept)).toEqual([status?.latestReadyActiveOperand]);
  },
};
