import { findCondition, isReady, Job, Pod } from "@levelset/core";
import { job, operator } from "@levelset/operator";
import { expect } from "vitest";
import { App, createApp, migration } from "./app.ts";
import { setPodPhase } from "../../support/cluster/kubelet.ts";
import type { Scenarios } from "../../support/cluster/scenario.ts";

const MIGRATION = "a-migration";
const BACKUP = "a-backup";

const backup = job(App, "Backup", {
  phase: "cleanup",
  statusField: "migration",
  desired: ({ name, spec }) => ({
    metadata: { name: `${name}-backup` },
    spec: { template: { spec: { restartPolicy: "Never", containers: [{ name: "main", image: spec.image }] } } },
  }),
});

/** Scenarios of Jobs by hash that need the Job, TTL and garbage collection controllers. */
export const JOBS: Scenarios = {
  "job by hash: an expired TTL waits until the result is recorded, also while the operator is down": async (
    harness,
  ) => {
    const first = await harness.run(operator(App, [migration]));
    await createApp(harness, { migrationTtl: 0 });
    await harness.until(Job, MIGRATION, () => true);
    await first.stop();
    await setPodPhase(harness, `job-name=${MIGRATION}`, 1, "Succeeded");
    await harness.until(Job, MIGRATION, ({ metadata }) => metadata.deletionTimestamp !== undefined, 10_000);
    await harness.run(operator(App, [migration]));
    const ready = await harness.until(App, "a", isReady, 10_000);
    await harness.untilDeleted(Job, MIGRATION, 10_000);
    expect(ready.status?.migration).toMatchObject({ job: MIGRATION, result: "Complete" });
    await harness.patch(App, "a", { spec: { replicas: 2 } });
    await harness.until(App, "a", (object) => isReady(object, 2));
    expect(await harness.find(Job, MIGRATION)).toBeUndefined();
  },

  "job by hash: a Job that is deleted while it runs is run again, after its pods are gone": async (harness) => {
    await harness.run(operator(App, [migration]));
    await createApp(harness);
    await setPodPhase(harness, `job-name=${MIGRATION}`, 1, "Running");
    const before = await harness.until(Job, MIGRATION, () => true);
    await harness.client.delete(Job, harness.at(MIGRATION), { propagationPolicy: "Background" });
    const after = await harness.until(Job, MIGRATION, ({ metadata }) => metadata.uid !== before.metadata.uid, 10_000);
    const { items } = await harness.client.list(Pod, {
      namespace: harness.environment.namespace,
      labels: `batch.kubernetes.io/controller-uid=${before.metadata.uid}`,
    });
    expect(items).toEqual([]);
    await setPodPhase(harness, `job-name=${MIGRATION}`, 1, "Succeeded");
    const ready = await harness.until(App, "a", isReady, 10_000);
    expect(ready.status?.migration?.uid).toBe(after.metadata.uid);
  },

  "job by hash: a Job on deletion completes before the object is gone": async (harness) => {
    await harness.run(operator(App, [backup]));
    await createApp(harness);
    await harness.until(App, "a", isReady);
    await harness.delete(App, "a");
    await harness.until(Job, BACKUP, () => true);
    const held = await harness.until(App, "a", ({ status }) => status?.observedGeneration === 2);
    expect(findCondition(held.status?.conditions, "Ready")).toMatchObject({ status: "False", reason: "Deleting" });
    await setPodPhase(harness, `job-name=${BACKUP}`, 1, "Succeeded");
    await harness.untilDeleted(App, "a", 10_000);
    await harness.untilDeleted(Job, BACKUP, 10_000);
  },

  "job by hash: a running Job is stopped when the object is deleted": async (harness) => {
    await harness.run(operator(App, [migration]));
    await createApp(harness);
    await setPodPhase(harness, `job-name=${MIGRATION}`, 1, "Running");
    await harness.delete(App, "a");
    await harness.untilDeleted(App, "a", 10_000);
    expect(await harness.find(Job, MIGRATION)).toBeUndefined();
    const { items } = await harness.client.list(Pod, { namespace: harness.environment.namespace });
    expect(items).toEqual([]);
  },
};
