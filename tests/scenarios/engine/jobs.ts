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
    cluster,
  ) => {
    const first = await cluster.run(operator(App, [migration]));
    await createApp(cluster, { migrationTtl: 0 });
    await cluster.until(Job, MIGRATION, () => true);
    await first.stop();
    await setPodPhase(cluster, `job-name=${MIGRATION}`, 1, "Succeeded");
    await cluster.until(Job, MIGRATION, ({ metadata }) => metadata.deletionTimestamp !== undefined, 10_000);
    await cluster.run(operator(App, [migration]));
    const ready = await cluster.until(App, "a", isReady, 10_000);
    await cluster.untilDeleted(Job, MIGRATION, 10_000);
    expect(ready.status?.migration).toMatchObject({ job: MIGRATION, result: "Complete" });
    await cluster.patch(App, "a", { spec: { replicas: 2 } });
    await cluster.until(App, "a", (object) => isReady(object, 2));
    expect(await cluster.find(Job, MIGRATION)).toBeUndefined();
  },

  "job by hash: a Job that is deleted while it runs is run again, after its pods are gone": async (cluster) => {
    await cluster.run(operator(App, [migration]));
    await createApp(cluster);
    await setPodPhase(cluster, `job-name=${MIGRATION}`, 1, "Running");
    const before = await cluster.until(Job, MIGRATION, () => true);
    await cluster.client.delete(Job, cluster.at(MIGRATION), { propagationPolicy: "Background" });
    const after = await cluster.until(Job, MIGRATION, ({ metadata }) => metadata.uid !== before.metadata.uid, 10_000);
    const { items } = await cluster.client.list(Pod, {
      namespace: cluster.namespace,
      labels: `batch.kubernetes.io/controller-uid=${before.metadata.uid}`,
    });
    expect(items).toEqual([]);
    await setPodPhase(cluster, `job-name=${MIGRATION}`, 1, "Succeeded");
    const ready = await cluster.until(App, "a", isReady, 10_000);
    expect(ready.status?.migration?.uid).toBe(after.metadata.uid);
  },

  "job by hash: a Job on deletion completes before the object is gone": async (cluster) => {
    await cluster.run(operator(App, [backup]));
    await createApp(cluster);
    await cluster.until(App, "a", isReady);
    await cluster.delete(App, "a");
    await cluster.until(Job, BACKUP, () => true);
    const held = await cluster.until(App, "a", ({ status }) => status?.observedGeneration === 2);
    expect(findCondition(held.status?.conditions, "Ready")).toMatchObject({ status: "False", reason: "Deleting" });
    await setPodPhase(cluster, `job-name=${BACKUP}`, 1, "Succeeded");
    await cluster.untilDeleted(App, "a", 10_000);
    await cluster.untilDeleted(Job, BACKUP, 10_000);
  },

  "job by hash: a running Job is stopped when the object is deleted": async (cluster) => {
    await cluster.run(operator(App, [migration]));
    await createApp(cluster);
    await setPodPhase(cluster, `job-name=${MIGRATION}`, 1, "Running");
    await cluster.delete(App, "a");
    await cluster.untilDeleted(App, "a", 10_000);
    expect(await cluster.find(Job, MIGRATION)).toBeUndefined();
    const { items } = await cluster.client.list(Pod, { namespace: cluster.namespace });
    expect(items).toEqual([]);
  },
};
