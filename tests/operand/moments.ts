import { ConfigMap, controllerReference, Deployment, isReady } from "@levelset/core";
import { ClusterActiveOperand, Operand } from "@levelset/operator";
import { expect } from "vitest";
import { eventually } from "../engine/kubelet.ts";
import type { Scenarios } from "../engine/scenario.ts";
import type { Stage } from "../engine/stage.ts";
import { config, deployment } from "./manifests.ts";
import { ask, change, makeAvailable, named, owners, start, until, untilReady } from "./operands.ts";
import { Seam } from "./seam.ts";

const PRUNING = "operand.levelset.dev/pruning";

/** Does something once, when the process knows who wants what and looks at a ConfigMap to decide about it. */
function whenDecided(seam: Seam, name: string, act: () => Promise<unknown>): () => boolean {
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

function deletes(seam: Seam, name: string): number {
  return seam.about(`/configmaps/${name}`).filter(({ method }) => method === "DELETE").length;
}

/** x and y are there; answers with x. */
async function begin(stage: Stage, seam: Seam, prune?: { readonly mode: "Deferred"; readonly after: string }) {
  const { namespace } = stage.place;
  const [x, y] = [config(namespace, "x"), config(namespace, "y")];
  await start(stage, (runnable) => seam.around(runnable));
  await ask(stage, { steadyState: [x, y], ...(prune === undefined ? {} : { prune }) });
  await untilReady(stage);
  return { x, y, uid: (await stage.find(ConfigMap, "x"))?.metadata.uid };
}

/** Scenarios about the moment between the last look at an object and its end. */
export const MOMENTS: Scenarios = {
  "I4 · the spec asks for an object again while its version is removed: it is not deleted": async (stage) => {
    const seam = new Seam();
    const { x, y, uid } = await begin(stage, seam);
    const isAsked = whenDecided(seam, "x", () => change(stage, { steadyState: [x, y] }));
    await change(stage, { steadyState: [y] });
    await until(stage, (operand) => operand.metadata.generation === 3 && isReady(operand), "a", 20_000);
    expect(isAsked()).toBe(true);
    expect((await stage.find(ConfigMap, "x"))?.metadata.uid).toBe(uid);
    expect(deletes(seam, "x")).toBe(0);
  },

  "I4 · the spec asks for an object again just when its time has come: it is not deleted": async (stage) => {
    const seam = new Seam();
    const { x, y, uid } = await begin(stage, seam, { mode: "Deferred", after: "1s" });
    await change(stage, { steadyState: [y] });
    await stage.until(ConfigMap, "x", ({ metadata }) => metadata.annotations !== undefined, 20_000);
    const isAsked = whenDecided(seam, "x", () => change(stage, { steadyState: [x, y] }));
    await until(stage, (operand) => operand.metadata.generation === 3 && isReady(operand), "a", 20_000);
    expect(isAsked()).toBe(true);
    const kept = await stage.until(ConfigMap, "x", ({ metadata }) => metadata.annotations === undefined, 20_000);
    expect(kept.metadata.uid).toBe(uid);
    expect(deletes(seam, "x")).toBe(0);
  },

  "I4 · the spec asks for an object again while its deletion is on its way: the deletion fails": async (stage) => {
    const seam = new Seam();
    const { x, y, uid } = await begin(stage, seam);
    let isAsked = false;
    seam.before = async ({ method, path }) => {
      if (isAsked || method !== "DELETE" || !path.endsWith("/configmaps/x")) return;
      isAsked = true;
      await change(stage, { steadyState: [x, y] });
      await stage.until(ConfigMap, "x", ({ metadata }) => metadata.annotations?.[PRUNING] === undefined, 20_000);
    };
    await change(stage, { steadyState: [y] });
    await until(stage, (operand) => operand.metadata.generation === 3 && isReady(operand), "a", 20_000);
    expect(isAsked).toBe(true);
    const kept = await stage.find(ConfigMap, "x");
    expect(kept?.metadata.uid).toBe(uid);
    expect(kept?.metadata.annotations).toBeUndefined();
  },

  "I4 · another Operand lists an object while the version that has it is removed: it gets it": async (stage) => {
    const { namespace } = stage.place;
    const seam = new Seam();
    const { x, y, uid } = await begin(stage, seam);
    // Suspended: what it would do by itself is done here, at the very moment.
    const other = await ask(stage, { steadyState: [x], suspend: true }, "other");
    const name = named(stage, "by-hand");
    const isListed = whenDecided(seam, "x", () =>
      stage.create(ClusterActiveOperand, {
        metadata: { name, ownerReferences: [controllerReference(other)] },
        spec: { live: [{ group: "", kind: "ConfigMap", namespace, name: "x" }] },
      }),
    );
    await change(stage, { steadyState: [y] });
    await until(stage, (operand) => operand.metadata.generation === 2 && isReady(operand), "a", 20_000);
    expect(isListed()).toBe(true);
    const kept = await stage.find(ConfigMap, "x");
    expect(kept?.metadata.uid).toBe(uid);
    expect(Object.keys(kept?.metadata.labels ?? {})).toContain(`operand.levelset.dev/${other.metadata.uid}`);
    expect(kept === undefined ? [] : owners(kept)).toEqual([]);
    expect(deletes(seam, "x")).toBe(0);
  },

  "28 · an Operand goes at the very moment when another leaves it a shared object: the object goes with the last one":
    async (stage) => {
      const { namespace } = stage.place;
      const seam = new Seam();
      await begin(stage, seam);
      await ask(stage, { steadyState: [config(namespace, "x")] }, "other");
      await untilReady(stage, "other");
      const isGone = whenDecided(seam, "x", async () => {
        await stage.delete(Operand, named(stage, "other"));
        await eventually(stage, "the other one is gone", async () =>
          (await stage.find(Operand, named(stage, "other"))) === undefined ? true : undefined,
        );
      });
      await stage.delete(Operand, named(stage));
      await stage.gone(Operand, named(stage), 20_000);
      expect(isGone()).toBe(true);
      await stage.gone(ConfigMap, "x");
    },

  "I4 · a third version comes while the first is removed for the second: what all have is not left to one that is gone":
    async (stage) => {
      const { namespace } = stage.place;
      const seam = new Seam();
      const { x, uid } = await begin(stage, seam);
      const first = (await stage.find(Operand, named(stage)))?.status?.latestReadyActiveOperand ?? "";
      // It comes to x only when d is available.
      const third = [config(namespace, "x", {}, { operand: { wave: "1" } }), deployment(namespace, "d")];
      const isReplaced = whenDecided(seam, "x", async () => {
        const second = (await stage.find(Operand, named(stage)))?.status?.latestCreatedActiveOperand ?? "";
        await change(stage, { steadyState: third });
        await eventually(stage, "the second inventory is gone", async () =>
          (await stage.find(ClusterActiveOperand, second)) === undefined ? true : undefined,
        );
      });
      await change(stage, { steadyState: [x] });
      await stage.until(Deployment, "d", () => true, 20_000);
      await stage.gone(ClusterActiveOperand, first, 20_000);
      expect(isReplaced()).toBe(true);
      await stage.place.idle(5_000);
      expect((await stage.find(ConfigMap, "x"))?.metadata.uid).toBe(uid);
      await makeAvailable(stage, "d");
      const { status } = await untilReady(stage);
      const kept = await stage.find(ConfigMap, "x");
      expect(kept?.metadata.uid).toBe(uid);
      expect(kept === undefined ? [] : owners(kept)).toEqual([status?.latestReadyActiveOperand]);
    },
};
