import { ConfigMap, Job, Service } from "@levelset/core";
import type { EmbeddedObject, ObjectOf } from "@levelset/core";
import { Operand } from "@levelset/operator";
import { expect } from "vitest";
import type { Scenarios } from "../../support/cluster/scenario.ts";
import type { Cluster } from "../../support/cluster/cluster.ts";
import { config, job } from "./manifests.ts";
import { createOperand, hasCondition, operandName, start, until, untilReady, updateOperand } from "./operands.ts";

const LIMIT_MS = 30_000;

function imageOf({ spec }: ObjectOf<typeof Job>): string | undefined {
  return spec?.template.spec?.containers[0]?.image;
}

/** Waits for a Job that runs an image. */
function untilStarted(cluster: Cluster, name: string, image: string): Promise<ObjectOf<typeof Job>> {
  const isStarted = (found: ObjectOf<typeof Job>): boolean =>
    imageOf(found) === image && found.metadata.deletionTimestamp === undefined;
  return cluster.until(Job, name, isStarted, LIMIT_MS);
}

/** Simulates the Job controller: the Job has ended. */
async function finish(cluster: Cluster, name: string, result: "Complete" | "Failed"): Promise<void> {
  const time = "2026-01-01T00:00:00Z";
  const found = (type: string): object => ({ type, status: "True", reason: "Tested", lastTransitionTime: time });
  const isComplete = result === "Complete";
  await cluster.patchStatus(Job, name, {
    startTime: time,
    ...(isComplete ? { succeeded: 1, completionTime: time } : { failed: 1 }),
    conditions: [found(isComplete ? "SuccessCriteriaMet" : "FailureTarget"), found(result)],
  } as never); // JSON
}

/** Waits until the result of a Job is recorded, after which the Job may go. */
async function untilRecorded(cluster: Cluster, name: string): Promise<void> {
  await until(cluster, ({ status }) => status?.jobs?.some((one) => one.job === name) === true, "a", LIMIT_MS);
  await cluster.until(Job, name, ({ metadata }) => (metadata.finalizers ?? []).length === 0, LIMIT_MS);
}

/** Scenarios about Jobs of a set. The tests set their status; no pods run. */
export const JOBS: Scenarios = {
  "a Job of a set runs once, also if it is gone, and again if its content changes": async (cluster) => {
    const { namespace } = cluster;
    const task = (image: string): EmbeddedObject => job(namespace, "task", image);
    await start(cluster);
    await createOperand(cluster, { steadyState: [task("example.com/job:1"), config(namespace, "x")] });
    await untilStarted(cluster, "task", "example.com/job:1");
    await finish(cluster, "task", "Complete");
    await untilRecorded(cluster, "task");
    await cluster.client.delete(Job, cluster.at("task"), { propagationPolicy: "Background" });
    await cluster.untilDeleted(Job, "task", LIMIT_MS);
    await cluster.idle(60_000);
    expect(await cluster.find(Job, "task")).toBeUndefined();
    await untilReady(cluster);
    await updateOperand(cluster, { steadyState: [task("example.com/job:2"), config(namespace, "x")] });
    const second = await untilStarted(cluster, "task", "example.com/job:2");
    // Still running: it is gone before the next one runs.
    await updateOperand(cluster, { steadyState: [task("example.com/job:3"), config(namespace, "x")] });
    const third = await untilStarted(cluster, "task", "example.com/job:3");
    expect(third.metadata.uid).not.toBe(second.metadata.uid);
    await finish(cluster, "task", "Complete");
    await untilRecorded(cluster, "task");
    await untilReady(cluster);
  },

  "a failed Job fails the set with its reason, until it is deleted and completes": async (cluster) => {
    const { namespace } = cluster;
    await start(cluster);
    await createOperand(cluster, { steadyState: [job(namespace, "task", "example.com/job:1")] });
    const first = await untilStarted(cluster, "task", "example.com/job:1");
    await finish(cluster, "task", "Failed");
    const operand = await until(cluster, hasCondition("OperandInstalled", "False", "Failed"), "a", LIMIT_MS);
    expect(operand.status?.failing).toMatchObject([{ kind: "Job", name: "task", reason: "Tested" }]);
    await cluster.client.delete(Job, cluster.at("task"), { propagationPolicy: "Background" });
    const isNew = ({ metadata }: ObjectOf<typeof Job>): boolean => metadata.uid !== first.metadata.uid;
    await cluster.until(Job, "task", isNew, LIMIT_MS);
    await finish(cluster, "task", "Complete");
    await untilReady(cluster);
  },

  "hooks run before an upgrade and before the deletion, and hold both": async (cluster) => {
    const { namespace } = cluster;
    const hook = (name: string, when: string): EmbeddedObject =>
      job(namespace, name, "example.com/job:1", { operand: { hook: when } });
    const hooks = [hook("before", "preUpgrade"), hook("last", "preDelete")];
    await start(cluster);
    await createOperand(cluster, { steadyState: [config(namespace, "x", { version: "1" }), ...hooks] });
    await untilReady(cluster);
    expect(await cluster.find(Job, "before")).toBeUndefined();
    const late: EmbeddedObject = {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "late", namespace },
      spec: { ports: [{ port: 80 }] },
    };
    await updateOperand(cluster, { steadyState: [config(namespace, "x", { version: "2" }), late, ...hooks] });
    await untilStarted(cluster, "before", "example.com/job:1");
    await cluster.idle(5_000);
    expect(await cluster.find(Service, "late")).toBeUndefined();
    await finish(cluster, "before", "Complete");
    await untilReady(cluster);
    expect(await cluster.find(Service, "late")).toBeDefined();
    await cluster.delete(Operand, operandName(cluster));
    await untilStarted(cluster, "last", "example.com/job:1");
    await until(cluster, ({ status }) => status?.phase === "Deleting", "a", LIMIT_MS);
    expect(await cluster.find(ConfigMap, "x")).toBeDefined();
    await finish(cluster, "last", "Complete");
    await cluster.untilDeleted(Operand, operandName(cluster), LIMIT_MS);
    await cluster.untilDeleted(ConfigMap, "x", LIMIT_MS);
    await cluster.untilDeleted(Job, "last", LIMIT_MS);
  },
};
