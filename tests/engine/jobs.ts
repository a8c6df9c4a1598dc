import { findCondition, isReady, Job, Pod } from "@levelset/core";
import { job, operator } from "@levelset/operator";
import { expect } from "vitest";
import { App, ask, migration } from "./app.ts";
import { tellPods } from "./kubelet.ts";
import type { Scenarios } from "./scenario.ts";

const MIGRATION = "a-migration";
const BACKUP = "a-backup";

const backup = job(App, "Backup", {
  when: "cleanup",
  remember: "migration",
  desired: ({ name, spec }) => ({
    metadata: { name: `${name}-backup` },
    spec: { template: { spec: { restartPolicy: "Never", containers: [{ name: "main", image: spec.image }] } } },
  }),
});

/** What a Job by hash depends on of the controllers that run it, remove it in time and collect its pods. */
export const JOBS: Scenarios = {
  "37 · job by hash: a TTL that is over waits until the result is remembered, also while the operator is away": async (
    stage,
  ) => {
    const first = await stage.run(operator(App, [migration]));
    await ask(stage, { migrationTtl: 0 });
    await stage.until(Job, MIGRATION, () => true);
    await first.stop();
    await tellPods(stage, `job-name=${MIGRATION}`, 1, "Succeeded");
    await stage.until(Job, MIGRATION, ({ metadata }) => metadata.deletionTimestamp !== undefined, 10_000);
    await stage.run(operator(App, [migration]));
    const ready = await stage.until(App, "a", isReady, 10_000);
    await stage.gone(Job, MIGRATION, 10_000);
    expect(ready.status?.migration).toMatchObject({ job: MIGRATION, result: "Complete" });
    await stage.patch(App, "a", { spec: { replicas: 2 } });
    await stage.until(App, "a", (object) => isReady(object, 2));
    expect(await stage.find(Job, MIGRATION)).toBeUndefined();
  },

  "37 · job by hash: a Job that somebody deletes while it runs is run again, after its pods": async (stage) => {
    await stage.run(operator(App, [migration]));
    await ask(stage);
    await tellPods(stage, `job-name=${MIGRATION}`, 1, "Running");
    const before = await stage.until(Job, MIGRATION, () => true);
    await stage.client.delete(Job, stage.at(MIGRATION), { propagation: "Background" });
    const after = await stage.until(Job, MIGRATION, ({ metadata }) => metadata.uid !== before.metadata.uid, 10_000);
    const { items } = await stage.client.list(Pod, {
      namespace: stage.place.namespace,
      labels: `batch.kubernetes.io/controller-uid=${before.metadata.uid}`,
    });
    expect(items).toEqual([]);
    await tellPods(stage, `job-name=${MIGRATION}`, 1, "Succeeded");
    const ready = await stage.until(App, "a", isReady, 10_000);
    expect(ready.status?.migration?.uid).toBe(after.metadata.uid);
  },

  "37 · job by hash: on deletion it runs to its end before the object goes": async (stage) => {
    await stage.run(operator(App, [backup]));
    await ask(stage);
    await stage.until(App, "a", isReady);
    await stage.delete(App, "a");
    await stage.until(Job, BACKUP, () => true);
    const held = await stage.until(App, "a", ({ status }) => status?.observedGeneration === 2);
    expect(findCondition(held.status?.conditions, "Ready")).toMatchObject({ status: "False", reason: "Deleting" });
    await tellPods(stage, `job-name=${BACKUP}`, 1, "Succeeded");
    await stage.gone(App, "a", 10_000);
    await stage.gone(Job, BACKUP, 10_000);
  },

  "37 · job by hash: a running Job is stopped when the object is deleted": async (stage) => {
    await stage.run(operator(App, [migration]));
    await ask(stage);
    await tellPods(stage, `job-name=${MIGRATION}`, 1, "Running");
    await stage.delete(App, "a");
    await stage.gone(App, "a", 10_000);
    expect(await stage.find(Job, MIGRATION)).toBeUndefined();
    const { items } = await stage.client.list(Pod, { namespace: stage.place.namespace });
    expect(items).toEqual([]);
  },
};
