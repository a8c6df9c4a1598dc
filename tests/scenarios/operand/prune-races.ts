import { ConfigMap, controllerReference, Deployment, isReady } from "@levelset/core";
import { ClusterActiveOperand, Operand } from "@levelset/operator";
import { expect } from "vitest";
import { eventually } from "../../support/cluster/kubelet.ts";
import type { Scenarios } from "../../support/cluster/scenario.ts";
import type { Harness } from "../../support/cluster/harness.ts";
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
  harness: Harness,
  seam: InterceptingFetch,
  prune?: { readonly mode: "Deferred"; readonly after: string },
) {
  const { namespace } = harness.environment;
  const [x, y] = [config(namespace, "x"), config(namespace, "y")];
  await start(harness, (runnable) => seam.wrap(runnable));
  await createOperand(harness, { steadyState: [x, y], ...(prune === undefined ? {} : { prune }) });
  await untilReady(harness);
  return { x, y, uid: (await harness.find(ConfigMap, "x"))?.metadata.uid };
}

/** Scenarios about races between the last read of an object and its deletion. */
export const PRUNE_RACES: Scenarios = {
  "an object that is desired again while its version is removed is not deleted": async (harness) => {
    const seam = new InterceptingFetch();
    const { x, y, uid } = await begin(harness, seam);
    const isDesiredAgain = whenDecided(seam, "x", () => updateOperand(harness, { steadyState: [x, y] }));
    await updateOperand(harness, { steadyState: [y] });
    await until(harness, (operand) => operand.metadata.generation === 3 && isReady(operand), "a", 20_000);
    expect(isDesiredAgain()).toBe(true);
    expect((await harness.find(ConfigMap, "x"))?.metadata.uid).toBe(uid);
    expect(deletes(seam, "x")).toBe(0);
  },

  "an object that is desired again when its prune time has come is not deleted": async (harness) => {
    const seam = new InterceptingFetch();
    const { x, y, uid } = await begin(harness, seam, { mode: "Deferred", after: "1s" });
    await updateOperand(harness, { steadyState: [y] });
    await harness.until(ConfigMap, "x", ({ metadata }) => metadata.annotations !== undefined, 20_000);
    const isDesiredAgain = whenDecided(seam, "x", () => updateOperand(harness, { steadyState: [x, y] }));
    await until(harness, (operand) => operand.metadata.generation === 3 && isReady(operand), "a", 20_000);
    expect(isDesiredAgain()).toBe(true);
    const kept = await harness.until(ConfigMap, "x", ({ metadata }) => metadata.annotations === undefined, 20_000);
    expect(kept.metadata.uid).toBe(uid);
    expect(deletes(seam, "x")).toBe(0);
  },

  "the deletion of an object that is desired again fails, even if it is already in flight": async (harness) => {
    const seam = new InterceptingFetch();
    const { x, y, uid } = await begin(harness, seam);
    let isDesiredAgain = false;
    seam.before = async ({ method, path }) => {
      if (isDesiredAgain || method !== "DELETE" || !path.endsWith("/configmaps/x")) return;
      isDesiredAgain = true;
      await updateOperand(harness, { steadyState: [x, y] });
      await harness.until(ConfigMap, "x", ({ metadata }) => metadata.annotations?.[PRUNING] === undefined, 20_000);
    };
    await updateOperand(harness, { steadyState: [y] });
    await until(harness, (operand) => operand.metadata.generation === 3 && isReady(operand), "a", 20_000);
    expect(isDesiredAgain).toBe(true);
    const kept = await harness.find(ConfigMap, "x");
    expect(kept?.metadata.uid).toBe(uid);
    expect(kept?.metadata.annotations).toBeUndefined();
  },

  "another Operand that lists an object while its version is removed takes it over": async (harness) => {
    const { namespace } = harness.environment;
    const seam = new InterceptingFetch();
    const { x, y, uid } = await begin(harness, seam);
    // Suspended: the test performs its actions at the critical moment.
    const other = await createOperand(harness, { steadyState: [x], suspend: true }, "other");
    const name = operandName(harness, "by-hand");
    const isListed = whenDecided(seam, "x", () =>
      harness.create(ClusterActiveOperand, {
        metadata: { name, ownerReferences: [controllerReference(other)] },
        spec: { live: [{ group: "", kind: "ConfigMap", namespace, name: "x" }] },
      }),
    );
    await updateOperand(harness, { steadyState: [y] });
    await until(harness, (operand) => operand.metadata.generation === 2 && isReady(operand), "a", 20_000);
    expect(isListed()).toBe(true);
    const kept = await harness.find(ConfigMap, "x");
    expect(kept?.metadata.uid).toBe(uid);
    expect(Object.keys(kept?.metadata.labels ?? {})).toContain(`operand.levelset.dev/${other.metadata.uid}`);
    expect(kept === undefined ? [] : owners(kept)).toEqual([]);
    expect(deletes(seam, "x")).toBe(0);
  },

  "a shared object is deleted with the last Operand, even if both are deleted at once": async (harness) => {
    const { namespace } = harness.environment;
    const seam = new InterceptingFetch();
    await begin(harness, seam);
    await createOperand(harness, { steadyState: [config(namespace, "x")] }, "other");
    await untilReady(harness, "other");
    const isGone = whenDecided(seam, "x", async () => {
      await harness.delete(Operand, operandName(harness, "other"));
      await eventually(harness, "the other Operand is gone", async () =>
        (await harness.find(Operand, operandName(harness, "other"))) === undefined ? true : undefined,
      );
    });
    await harness.delete(Operand, operandName(harness));
    await harness.untilDeleted(Operand, operandName(harness), 20_000);
    expect(isGone()).toBe(true);
    await harness.untilDeleted(ConfigMap, "x");
  },

  "objects of three consecutive versions are never left to a removed inventory": async (harness) => {
    const { namespace } = harness.environment;
    const seam = new InterceptingFetch();
    const { x, uid } = await begin(harness, seam);
    const first = (await harness.find(Operand, operandName(harness)))?.status?.latestReadyActiveOperand ?? "";
    // x is applied only when d is available.
    const third = [config(namespace, "x", {}, { operand: { wave: "1" } }), deployment(namespace, "d")];
    const isReplaced = whenDecided(seam, "x", async () => {
      const second = (await harness.find(Operand, operandName(harness)))?.status?.latestCreatedActiveOperand ?? "";
      await updateOperand(harness, { steadyState: third });
      await eventually(harness, "the second inventory is gone", async () =>
        (await harness.find(ClusterActiveOperand, second)) === undefined ? true : undefined,
      );
    });
    await updateOperand(harness, { steadyState: [x] });
    await harness.until(Deployment, "d", () => true, 20_000);
    await harness.untilDeleted(ClusterActiveOperand, first, 20_000);
    expect(isReplaced()).toBe(true);
    await harness.environment.idle(5_000);
    expect((await harness.find(ConfigMap, "x"))?.metadata.uid).toBe(uid);
    await makeAvailable(harness, "d");
    const { status } = await untilReady(harness);
    const kept = await harness.find(ConfigMap, "x");
    expect(kept?.metadata.uid).toBe(uid);
    expect(kept === undefined ? [] : owners(kept)).toEqual([status?.latestReadyActiveOperand]);
  },
};
