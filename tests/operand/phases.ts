import { ConfigMap, Deployment, Event } from "@levelset/core";
import type { ObjectOf } from "@levelset/core";
import { expect } from "vitest";
import type { Operand } from "@levelset/operator";
import { eventually } from "../engine/kubelet.ts";
import type { Scenarios } from "../engine/scenario.ts";
import type { Stage } from "../engine/stage.ts";
import { config, deployment } from "./manifests.ts";
import {
  ask,
  change,
  condition,
  makeAvailable,
  named,
  says,
  start,
  tellDeployment,
  until,
  untilReady,
} from "./operands.ts";
import { Seam } from "./seam.ts";
import type { Refusal, Told } from "./seam.ts";

const IS_WAITING = says("OperandInstalled", "False", "Waiting");

/** Two Deployments at first and a third when they are available. */
async function army(stage: Stage): Promise<ObjectOf<Operand>> {
  const { namespace } = stage.place;
  return ask(stage, {
    steadyState: [deployment(namespace, "platoon"), deployment(namespace, "militia")],
    postInstall: [deployment(namespace, "legion")],
  });
}

async function availableOnce(stage: Stage, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await stage.until(Deployment, name, () => true);
    await makeAvailable(stage, name);
  }
}

/** Refuses to apply one object. */
function refusing(end: string): (told: Told) => Refusal | undefined {
  return ({ method, path }) =>
    method === "PATCH" && path.endsWith(end)
      ? { reason: "Forbidden", message: 'admission webhook "guard.example.com" denied the request: not today' }
      : undefined;
}

/** Scenarios about the two phases of an installation and the health that they wait for. */
export const PHASES: Scenarios = {
  "7 · steadyState that is not available: postInstall is not applied, and nothing counts as installed": async (
    stage,
  ) => {
    await start(stage);
    await army(stage);
    await availableOnce(stage, "militia");
    const operand = await until(stage, IS_WAITING);
    await stage.place.idle(5_000);
    expect(await stage.find(Deployment, "platoon")).toBeDefined();
    expect(await stage.find(Deployment, "legion")).toBeUndefined();
    expect(operand.status?.installedSteadyStateGeneration).toBeUndefined();
    expect(condition(await until(stage, IS_WAITING), "OperandInstalled")?.message).toContain("platoon");
  },

  "8 · steadyState becomes available: it counts as installed, postInstall is applied and waited for": async (stage) => {
    await start(stage);
    await army(stage);
    await availableOnce(stage, "platoon", "militia");
    await stage.until(Deployment, "legion", () => true);
    const operand = await until(
      stage,
      (now) => condition(now, "OperandInstalled")?.message.includes("legion") === true,
    );
    expect(operand.status?.installedSteadyStateGeneration).toBe(1);
    expect(condition(operand, "OperandInstalled")).toMatchObject({ status: "False", reason: "Waiting" });
    expect(condition(operand, "OperandInstalled")?.message).toContain("post-install");
    await availableOnce(stage, "legion");
    expect(condition(await untilReady(stage), "OperandInstalled")?.status).toBe("True");
  },

  "9 · 10 · postInstall wins as a whole object, and no resync applies steadyState alone again": async (stage) => {
    const { namespace } = stage.place;
    const running = await start(stage);
    const both = ["example.com/app:1", "example.com/sidecar:1"];
    await ask(stage, {
      steadyState: [deployment(namespace, "platoon"), deployment(namespace, "militia")],
      postInstall: [deployment(namespace, "platoon", both)],
    });
    await availableOnce(stage, "platoon", "militia");
    await stage.until(Deployment, "platoon", ({ spec }) => spec.template.spec?.containers.length === 2);
    await makeAvailable(stage, "platoon");
    await untilReady(stage);
    const images = async (name: string): Promise<unknown> => {
      const found = await stage.find(Deployment, name);
      return found?.spec.template.spec?.containers.map(({ image }) => image);
    };
    expect(await images("platoon")).toEqual(both);
    expect(await images("militia")).toEqual(["example.com/app:1"]);
    const before = await stage.find(Deployment, "platoon");
    await running.stop();
    const seam = new Seam();
    await start(stage, (runnable) => seam.around(runnable));
    await stage.patch(Deployment, "militia", { metadata: { labels: { "example.com/note": "look" } } });
    await stage.place.idle(60_000);
    expect(seam.writes).toEqual([]);
    expect((await stage.find(Deployment, "platoon"))?.metadata.resourceVersion).toBe(before?.metadata.resourceVersion);
  },

  "12 · one object is refused: the others are applied, it is named, an event warns, it is tried again": async (
    stage,
  ) => {
    const { namespace } = stage.place;
    const seam = new Seam();
    seam.refuse = refusing("/configmaps/bad");
    await start(stage, (runnable) => seam.around(runnable));
    await ask(stage, { steadyState: [config(namespace, "bad"), config(namespace, "x"), deployment(namespace, "y")] });
    const operand = await until(stage, says("OperandInstalled", "False", "Failed"));
    expect(condition(operand, "OperandInstalled")?.message).toMatch(/configmap\/bad in .*not today/u);
    expect(operand.status?.failing).toMatchObject([{ kind: "ConfigMap", name: "bad", reason: "Forbidden" }]);
    await stage.until(ConfigMap, "x", () => true);
    await availableOnce(stage, "y");
    const warning = await eventually(stage, "a warning", async () => {
      const { items } = await stage.client.list(Event);
      return items.find(({ type, involvedObject }) => type === "Warning" && involvedObject.name === named(stage));
    });
    expect(warning.message).toContain("configmap/bad");
    seam.refuse = () => undefined;
    await untilReady(stage);
    expect(await stage.find(ConfigMap, "bad")).toBeDefined();
  },

  "13 · a failure in post-install: steadyState stays installed and is not applied again": async (stage) => {
    const { namespace } = stage.place;
    const seam = new Seam();
    seam.refuse = refusing("/configmaps/post");
    await start(stage, (runnable) => seam.around(runnable));
    await ask(stage, { steadyState: [config(namespace, "x")], postInstall: [config(namespace, "post")] });
    const operand = await until(stage, says("OperandInstalled", "False", "Failed"));
    expect(operand.status?.installedSteadyStateGeneration).toBe(1);
    expect(condition(operand, "OperandInstalled")?.message).toMatch(/^post-install: configmap\/post/u);
    await stage.place.idle(20_000);
    expect(seam.about("/configmaps/x")).toHaveLength(1);
    const later = await until(stage, () => true);
    expect(later.status?.installedSteadyStateGeneration).toBe(1);
  },

  "14 · without the check of health Deployments need not be available": async (stage) => {
    await start(stage);
    await ask(stage, { steadyState: [deployment(stage.place.namespace, "platoon")], checkDeploymentHealth: false });
    await untilReady(stage);
  },

  "15 · what a Deployment says of its older spec counts for nothing": async (stage) => {
    const { namespace } = stage.place;
    await start(stage);
    await ask(stage, { steadyState: [deployment(namespace, "platoon")] });
    await availableOnce(stage, "platoon");
    await untilReady(stage);
    await change(stage, { steadyState: [deployment(namespace, "platoon", ["example.com/app:2"])] });
    await stage.until(Deployment, "platoon", ({ metadata }) => metadata.generation === 2);
    await tellDeployment(stage, "platoon", 1);
    await stage.place.idle(5_000);
    const operand = await until(stage, IS_WAITING);
    expect(operand.status?.installedSteadyStateGeneration).toBeUndefined();
    expect(condition(operand, "Ready")?.status).not.toBe("True");
    await stage.patchStatus(Deployment, "platoon", { observedGeneration: 2, updatedReplicas: 0 });
    await stage.place.idle(5_000);
    expect(condition(await until(stage, IS_WAITING), "Ready")?.status).not.toBe("True");
    await tellDeployment(stage, "platoon", 2);
    await untilReady(stage);
  },

  "16 · a Deployment whose deadline is over: failed and stalled, by name, until it gets better": async (stage) => {
    await start(stage);
    await ask(stage, { steadyState: [deployment(stage.place.namespace, "platoon")] });
    await stage.until(Deployment, "platoon", () => true);
    const late = {
      type: "Progressing",
      status: "False",
      reason: "ProgressDeadlineExceeded",
      message: "it took too long",
      lastTransitionTime: "2026-01-01T00:00:00Z",
      lastUpdateTime: "2026-01-01T00:00:00Z",
    };
    await stage.patchStatus(Deployment, "platoon", { observedGeneration: 1, replicas: 1, conditions: [late] });
    const operand = await until(stage, says("OperandInstalled", "False", "Failed"));
    expect(condition(operand, "Stalled")).toMatchObject({ status: "True" });
    expect(condition(operand, "Stalled")?.message).toContain("deployment.apps/platoon");
    await makeAvailable(stage, "platoon");
    expect(condition(await untilReady(stage), "Stalled")?.status).toBe("False");
  },
};
