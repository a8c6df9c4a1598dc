import { ConfigMap, Deployment, Event } from "@levelset/core";
import type { ObjectOf } from "@levelset/core";
import { expect } from "vitest";
import type { Operand } from "@levelset/operator";
import type { Scenarios } from "../../support/cluster/scenario.ts";
import type { Cluster } from "../../support/cluster/cluster.ts";
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
async function createWithThreeDeployments(cluster: Cluster): Promise<ObjectOf<Operand>> {
  const { namespace } = cluster;
  return createOperand(cluster, {
    steadyState: [deployment(namespace, "platoon"), deployment(namespace, "militia")],
    postInstall: [deployment(namespace, "legion")],
  });
}

async function availableOnce(cluster: Cluster, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await cluster.until(Deployment, name, () => true);
    await makeAvailable(cluster, name);
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
  "postInstall is not applied while steadyState is not available": async (cluster) => {
    await start(cluster);
    await createWithThreeDeployments(cluster);
    await availableOnce(cluster, "militia");
    const operand = await until(cluster, IS_WAITING);
    await cluster.idle(5_000);
    expect(await cluster.find(Deployment, "platoon")).toBeDefined();
    expect(await cluster.find(Deployment, "legion")).toBeUndefined();
    expect(operand.status?.installedSteadyStateGeneration).toBeUndefined();
    expect(condition(await until(cluster, IS_WAITING), "OperandInstalled")?.message).toContain("platoon");
  },

  "once steadyState is available it is installed, and postInstall is applied and waited for": async (cluster) => {
    await start(cluster);
    await createWithThreeDeployments(cluster);
    await availableOnce(cluster, "platoon", "militia");
    await cluster.until(Deployment, "legion", () => true);
    const operand = await until(
      cluster,
      (now) => condition(now, "OperandInstalled")?.message.includes("legion") === true,
    );
    expect(operand.status?.installedSteadyStateGeneration).toBe(1);
    expect(condition(operand, "OperandInstalled")).toMatchObject({ status: "False", reason: "Waiting" });
    expect(condition(operand, "OperandInstalled")?.message).toContain("post-install");
    await availableOnce(cluster, "legion");
    expect(condition(await untilReady(cluster), "OperandInstalled")?.status).toBe("True");
  },

  "postInstall replaces whole objects, and no resync applies steadyState alone again": async (cluster) => {
    const { namespace } = cluster;
    const running = await start(cluster);
    const both = ["example.com/app:1", "example.com/sidecar:1"];
    await createOperand(cluster, {
      steadyState: [deployment(namespace, "platoon"), deployment(namespace, "militia")],
      postInstall: [deployment(namespace, "platoon", both)],
    });
    await availableOnce(cluster, "platoon", "militia");
    await cluster.until(Deployment, "platoon", ({ spec }) => spec.template.spec?.containers.length === 2);
    await makeAvailable(cluster, "platoon");
    await untilReady(cluster);
    const images = async (name: string): Promise<unknown> => {
      const found = await cluster.find(Deployment, name);
      return found?.spec.template.spec?.containers.map(({ image }) => image);
    };
    expect(await images("platoon")).toEqual(both);
    expect(await images("militia")).toEqual(["example.com/app:1"]);
    const before = await cluster.find(Deployment, "platoon");
    await running.stop();
    const seam = new InterceptingFetch();
    await start(cluster, (runnable) => seam.wrap(runnable));
    await cluster.patch(Deployment, "militia", { metadata: { labels: { "example.com/note": "look" } } });
    await cluster.idle(60_000);
    expect(seam.writes).toEqual([]);
    expect((await cluster.find(Deployment, "platoon"))?.metadata.resourceVersion).toBe(
      before?.metadata.resourceVersion,
    );
  },

  "a rejected object is reported by status and event and retried, and the others are applied": async (cluster) => {
    const { namespace } = cluster;
    const seam = new InterceptingFetch();
    seam.deny = refusing("/configmaps/bad");
    await start(cluster, (runnable) => seam.wrap(runnable));
    await createOperand(cluster, {
      steadyState: [config(namespace, "bad"), config(namespace, "x"), deployment(namespace, "y")],
    });
    const operand = await until(cluster, hasCondition("OperandInstalled", "False", "Failed"));
    expect(condition(operand, "OperandInstalled")?.message).toMatch(/configmap\/bad in .*not today/u);
    expect(operand.status?.failing).toMatchObject([{ kind: "ConfigMap", name: "bad", reason: "Forbidden" }]);
    await cluster.until(ConfigMap, "x", () => true);
    await availableOnce(cluster, "y");
    const warning = await cluster.eventually("a warning", async () => {
      const { items } = await cluster.client.list(Event);
      return items.find(
        ({ type, involvedObject }) => type === "Warning" && involvedObject.name === operandName(cluster),
      );
    });
    expect(warning.message).toContain("configmap/bad");
    seam.deny = () => undefined;
    await untilReady(cluster);
    expect(await cluster.find(ConfigMap, "bad")).toBeDefined();
  },

  "a failure in postInstall keeps steadyState installed, without applying it again": async (cluster) => {
    const { namespace } = cluster;
    const seam = new InterceptingFetch();
    seam.deny = refusing("/configmaps/post");
    await start(cluster, (runnable) => seam.wrap(runnable));
    await createOperand(cluster, { steadyState: [config(namespace, "x")], postInstall: [config(namespace, "post")] });
    const operand = await until(cluster, hasCondition("OperandInstalled", "False", "Failed"));
    expect(operand.status?.installedSteadyStateGeneration).toBe(1);
    expect(condition(operand, "OperandInstalled")?.message).toMatch(/^post-install: configmap\/post/u);
    await cluster.idle(20_000);
    expect(seam.writesTo("/configmaps/x")).toHaveLength(1);
    const later = await until(cluster, () => true);
    expect(later.status?.installedSteadyStateGeneration).toBe(1);
  },

  "with checkDeploymentHealth false Deployments need not be available": async (cluster) => {
    await start(cluster);
    await createOperand(cluster, {
      steadyState: [deployment(cluster.namespace, "platoon")],
      checkDeploymentHealth: false,
    });
    await untilReady(cluster);
  },

  "the status of a Deployment's older spec is ignored": async (cluster) => {
    const { namespace } = cluster;
    await start(cluster);
    await createOperand(cluster, { steadyState: [deployment(namespace, "platoon")] });
    await availableOnce(cluster, "platoon");
    await untilReady(cluster);
    await updateOperand(cluster, { steadyState: [deployment(namespace, "platoon", ["example.com/app:2"])] });
    await cluster.until(Deployment, "platoon", ({ metadata }) => metadata.generation === 2);
    await setDeploymentStatus(cluster, "platoon", 1);
    await cluster.idle(5_000);
    const operand = await until(cluster, IS_WAITING);
    expect(operand.status?.installedSteadyStateGeneration).toBeUndefined();
    expect(condition(operand, "Ready")?.status).not.toBe("True");
    await cluster.patchStatus(Deployment, "platoon", { observedGeneration: 2, updatedReplicas: 0 });
    await cluster.idle(5_000);
    expect(condition(await until(cluster, IS_WAITING), "Ready")?.status).not.toBe("True");
    await setDeploymentStatus(cluster, "platoon", 2);
    await untilReady(cluster);
  },

  "a Deployment that exceeds its progress deadline is reported as failed and stalled until it recovers": async (
    cluster,
  ) => {
    await start(cluster);
    await createOperand(cluster, { steadyState: [deployment(cluster.namespace, "platoon")] });
    await cluster.until(Deployment, "platoon", () => true);
    const late = {
      type: "Progressing",
      status: "False",
      reason: "ProgressDeadlineExceeded",
      message: "it took too long",
      lastTransitionTime: "2026-01-01T00:00:00Z",
      lastUpdateTime: "2026-01-01T00:00:00Z",
    };
    await cluster.patchStatus(Deployment, "platoon", { observedGeneration: 1, replicas: 1, conditions: [late] });
    const operand = await until(cluster, hasCondition("OperandInstalled", "False", "Failed"));
    expect(condition(operand, "Stalled")).toMatchObject({ status: "True" });
    expect(condition(operand, "Stalled")?.message).toContain("deployment.apps/platoon");
    await makeAvailable(cluster, "platoon");
    expect(condition(await untilReady(cluster), "Stalled")?.status).toBe("False");
  },
};
