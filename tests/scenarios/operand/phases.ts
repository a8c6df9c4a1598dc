import { ConfigMap, Deployment, Event } from "@levelset/core";
import type { ObjectOf } from "@levelset/core";
import { expect } from "vitest";
import type { Operand } from "@levelset/operator";
import { eventually } from "../../support/cluster/kubelet.ts";
import type { Scenarios } from "../../support/cluster/scenario.ts";
import type { Harness } from "../../support/cluster/harness.ts";
import { config, deployment } from "./manifests.ts";
import {
  createOperand,
  updateOperand,
  condition,
  makeAvailable,
  operandName,
  hasCondition,
  start,
  setDeploymentStatus,
  until,
  untilReady,
} from "./operands.ts";
import { InterceptingFetch } from "./intercepting-fetch.ts";
import type { AdmissionDenial, InterceptedRequest } from "./intercepting-fetch.ts";

const IS_WAITING = hasCondition("OperandInstalled", "False", "Waiting");

/** Creates an Operand with two Deployments in steadyState and a third in postInstall. */
async function createWithThreeDeployments(harness: Harness): Promise<ObjectOf<Operand>> {
  const { namespace } = harness.environment;
  return createOperand(harness, {
    steadyState: [deployment(namespace, "platoon"), deployment(namespace, "militia")],
    postInstall: [deployment(namespace, "legion")],
  });
}

async function availableOnce(harness: Harness, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await harness.until(Deployment, name, () => true);
    await makeAvailable(harness, name);
  }
}

/** Denies to apply one object. */
function refusing(end: string): (reported: InterceptedRequest) => AdmissionDenial | undefined {
  return ({ method, path }) =>
    method === "PATCH" && path.endsWith(end)
      ? { reason: "Forbidden", message: 'admission webhook "guard.example.com" denied the request: not today' }
      : undefined;
}

/** Scenarios about the two phases of an installation and the health that they wait for. */
export const PHASES: Scenarios = {
  "postInstall is not applied while steadyState is not available": async (harness) => {
    await start(harness);
    await createWithThreeDeployments(harness);
    await availableOnce(harness, "militia");
    const operand = await until(harness, IS_WAITING);
    await harness.environment.idle(5_000);
    expect(await harness.find(Deployment, "platoon")).toBeDefined();
    expect(await harness.find(Deployment, "legion")).toBeUndefined();
    expect(operand.status?.installedSteadyStateGeneration).toBeUndefined();
    expect(condition(await until(harness, IS_WAITING), "OperandInstalled")?.message).toContain("platoon");
  },

  "once steadyState is available it is installed, and postInstall is applied and waited for": async (harness) => {
    await start(harness);
    await createWithThreeDeployments(harness);
    await availableOnce(harness, "platoon", "militia");
    await harness.until(Deployment, "legion", () => true);
    const operand = await until(
      harness,
      (now) => condition(now, "OperandInstalled")?.message.includes("legion") === true,
    );
    expect(operand.status?.installedSteadyStateGeneration).toBe(1);
    expect(condition(operand, "OperandInstalled")).toMatchObject({ status: "False", reason: "Waiting" });
    expect(condition(operand, "OperandInstalled")?.message).toContain("post-install");
    await availableOnce(harness, "legion");
    expect(condition(await untilReady(harness), "OperandInstalled")?.status).toBe("True");
  },

  "postInstall replaces whole objects, and no resync applies steadyState alone again": async (harness) => {
    const { namespace } = harness.environment;
    const running = await start(harness);
    const both = ["example.com/app:1", "example.com/sidecar:1"];
    await createOperand(harness, {
      steadyState: [deployment(namespace, "platoon"), deployment(namespace, "militia")],
      postInstall: [deployment(namespace, "platoon", both)],
    });
    await availableOnce(harness, "platoon", "militia");
    await harness.until(Deployment, "platoon", ({ spec }) => spec.template.spec?.containers.length === 2);
    await makeAvailable(harness, "platoon");
    await untilReady(harness);
    const images = async (name: string): Promise<unknown> => {
      const found = await harness.find(Deployment, name);
      return found?.spec.template.spec?.containers.map(({ image }) => image);
    };
    expect(await images("platoon")).toEqual(both);
    expect(await images("militia")).toEqual(["example.com/app:1"]);
    const before = await harness.find(Deployment, "platoon");
    await running.stop();
    const seam = new InterceptingFetch();
    await start(harness, (runnable) => seam.wrap(runnable));
    await harness.patch(Deployment, "militia", { metadata: { labels: { "example.com/note": "look" } } });
    await harness.environment.idle(60_000);
    expect(seam.writes).toEqual([]);
    expect((await harness.find(Deployment, "platoon"))?.metadata.resourceVersion).toBe(
      before?.metadata.resourceVersion,
    );
  },

  "a rejected object is reported by status and event and retried, and the others are applied": async (harness) => {
    const { namespace } = harness.environment;
    const seam = new InterceptingFetch();
    seam.deny = refusing("/configmaps/bad");
    await start(harness, (runnable) => seam.wrap(runnable));
    await createOperand(harness, {
      steadyState: [config(namespace, "bad"), config(namespace, "x"), deployment(namespace, "y")],
    });
    const operand = await until(harness, hasCondition("OperandInstalled", "False", "Failed"));
    expect(condition(operand, "OperandInstalled")?.message).toMatch(/configmap\/bad in .*not today/u);
    expect(operand.status?.failing).toMatchObject([{ kind: "ConfigMap", name: "bad", reason: "Forbidden" }]);
    await harness.until(ConfigMap, "x", () => true);
    await availableOnce(harness, "y");
    const warning = await eventually(harness, "a warning", async () => {
      const { items } = await harness.client.list(Event);
      return items.find(
        ({ type, involvedObject }) => type === "Warning" && involvedObject.name === operandName(harness),
      );
    });
    expect(warning.message).toContain("configmap/bad");
    seam.deny = () => undefined;
    await untilReady(harness);
    expect(await harness.find(ConfigMap, "bad")).toBeDefined();
  },

  "a failure in postInstall keeps steadyState installed, without applying it again": async (harness) => {
    const { namespace } = harness.environment;
    const seam = new InterceptingFetch();
    seam.deny = refusing("/configmaps/post");
    await start(harness, (runnable) => seam.wrap(runnable));
    await createOperand(harness, { steadyState: [config(namespace, "x")], postInstall: [config(namespace, "post")] });
    const operand = await until(harness, hasCondition("OperandInstalled", "False", "Failed"));
    expect(operand.status?.installedSteadyStateGeneration).toBe(1);
    expect(condition(operand, "OperandInstalled")?.message).toMatch(/^post-install: configmap\/post/u);
    await harness.environment.idle(20_000);
    expect(seam.writesTo("/configmaps/x")).toHaveLength(1);
    const later = await until(harness, () => true);
    expect(later.status?.installedSteadyStateGeneration).toBe(1);
  },

  "with checkDeploymentHealth false Deployments need not be available": async (harness) => {
    await start(harness);
    await createOperand(harness, {
      steadyState: [deployment(harness.environment.namespace, "platoon")],
      checkDeploymentHealth: false,
    });
    await untilReady(harness);
  },

  "the status of a Deployment's older spec is ignored": async (harness) => {
    const { namespace } = harness.environment;
    await start(harness);
    await createOperand(harness, { steadyState: [deployment(namespace, "platoon")] });
    await availableOnce(harness, "platoon");
    await untilReady(harness);
    await updateOperand(harness, { steadyState: [deployment(namespace, "platoon", ["example.com/app:2"])] });
    await harness.until(Deployment, "platoon", ({ metadata }) => metadata.generation === 2);
    await setDeploymentStatus(harness, "platoon", 1);
    await harness.environment.idle(5_000);
    const operand = await until(harness, IS_WAITING);
    expect(operand.status?.installedSteadyStateGeneration).toBeUndefined();
    expect(condition(operand, "Ready")?.status).not.toBe("True");
    await harness.patchStatus(Deployment, "platoon", { observedGeneration: 2, updatedReplicas: 0 });
    await harness.environment.idle(5_000);
    expect(condition(await until(harness, IS_WAITING), "Ready")?.status).not.toBe("True");
    await setDeploymentStatus(harness, "platoon", 2);
    await untilReady(harness);
  },

  "a Deployment that exceeds its progress deadline is reported as failed and stalled until it recovers": async (
    harness,
  ) => {
    await start(harness);
    await createOperand(harness, { steadyState: [deployment(harness.environment.namespace, "platoon")] });
    await harness.until(Deployment, "platoon", () => true);
    const late = {
      type: "Progressing",
      status: "False",
      reason: "ProgressDeadlineExceeded",
      message: "it took too long",
      lastTransitionTime: "2026-01-01T00:00:00Z",
      lastUpdateTime: "2026-01-01T00:00:00Z",
    };
    await harness.patchStatus(Deployment, "platoon", { observedGeneration: 1, replicas: 1, conditions: [late] });
    const operand = await until(harness, hasCondition("OperandInstalled", "False", "Failed"));
    expect(condition(operand, "Stalled")).toMatchObject({ status: "True" });
    expect(condition(operand, "Stalled")?.message).toContain("deployment.apps/platoon");
    await makeAvailable(harness, "platoon");
    expect(condition(await untilReady(harness), "Stalled")?.status).toBe("False");
  },
};
