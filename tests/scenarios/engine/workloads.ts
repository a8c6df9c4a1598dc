import { Deployment, findCondition, hashJson, isReady, Job, Secret } from "@levelset/core";
import type { Condition, JsonObject, ObjectOf } from "@levelset/core";
import { operator } from "@levelset/operator";
import { expect } from "vitest";
import { App, createApp, podsWithConfig, migration, pods, templateHash } from "./app.ts";
import { eventually, setPodPhase } from "../../support/cluster/kubelet.ts";
import type { PodPhase } from "../../support/cluster/kubelet.ts";
import type { Scenarios } from "../../support/cluster/scenario.ts";
import type { Harness } from "../../support/cluster/harness.ts";

const MIGRATION = "a-migration";

function condition(object: ObjectOf<App>, type: string): Condition | undefined {
  return findCondition(object.status?.conditions, type);
}

/** Ends the running migration. */
async function endMigration(harness: Harness, phase: PodPhase): Promise<void> {
  await setPodPhase(harness, `job-name=${MIGRATION}`, 1, phase);
}

/** Returns the migration Job once it differs from `before`. */
function nextJob(harness: Harness, before?: ObjectOf<typeof Job>): Promise<ObjectOf<typeof Job>> {
  return harness.until(Job, MIGRATION, ({ metadata }) => metadata.uid !== before?.metadata.uid, 10_000);
}

/** Scenarios with the workload controllers; the test simulates the kubelet. */
export const WORKLOADS: Scenarios = {
  "deployment gate: a rollout in progress is not ready, a completed one is": async (harness) => {
    await harness.run(operator(App, [pods]));
    await createApp(harness, { replicas: 3 });
    await setPodPhase(harness, "app=a", 3, "Running");
    await harness.until(App, "a", isReady, 10_000);
    await harness.patch(App, "a", { spec: { image: "web:2" } });
    const surging = await harness.until(
      Deployment,
      "a",
      ({ metadata, status }) => status?.observedGeneration === metadata.generation && status?.updatedReplicas === 1,
    );
    expect(surging.status).toMatchObject({ replicas: 4, readyReplicas: 3 });
    const waiting = await harness.until(App, "a", ({ status }) => status?.observedGeneration === 2);
    expect(condition(waiting, "PodsReady")).toMatchObject({ status: "False", severity: "Info" });
    await eventually(harness, "the rollout is complete", async () => {
      await setPodPhase(harness, "app=a", 0, "Running");
      const app = await harness.find(App, "a");
      return app !== undefined && isReady(app) ? app : undefined;
    });
    const over = await harness.until(Deployment, "a", () => true);
    expect(over.status).toMatchObject({ replicas: 3, updatedReplicas: 3, readyReplicas: 3 });
  },

  "job by hash: runs once, and not again after a restart with the Job deleted": async (harness) => {
    const first = await harness.run(operator(App, [migration]));
    await createApp(harness);
    const running = await harness.until(App, "a", ({ status }) => status?.observedGeneration === 1);
    expect(condition(running, "MigrationReady")).toMatchObject({ status: "False", severity: "Info" });
    await endMigration(harness, "Succeeded");
    const ready = await harness.until(App, "a", isReady, 10_000);
    await harness.until(Job, MIGRATION, ({ metadata }) => metadata.finalizers === undefined);
    await first.stop();
    await harness.client.delete(Job, harness.at(MIGRATION), { propagationPolicy: "Background" });
    await harness.untilDeleted(Job, MIGRATION);
    await harness.run(operator(App, [migration]));
    await harness.patch(App, "a", { spec: { replicas: 2 } });
    const again = await harness.until(App, "a", (object) => isReady(object, 2));
    expect(again.status?.migration).toEqual(ready.status?.migration);
    expect(await harness.find(Job, MIGRATION)).toBeUndefined();
  },

  "job by hash: another image waits for the running Job, then runs another": async (harness) => {
    await harness.run(operator(App, [migration]));
    await createApp(harness);
    const first = await nextJob(harness);
    await harness.patch(App, "a", { spec: { image: "web:2" } });
    await harness.until(App, "a", ({ status }) => status?.observedGeneration === 2);
    const untouched = await harness.find(Job, MIGRATION);
    expect(untouched).toMatchObject({ metadata: { uid: first.metadata.uid }, spec: first.spec });
    expect(untouched?.metadata.deletionTimestamp).toBeUndefined();
    await endMigration(harness, "Succeeded");
    const second = await nextJob(harness, first);
    expect(second.spec?.template.spec?.containers[0]?.image).toBe("web:2");
    await endMigration(harness, "Succeeded");
    await harness.until(App, "a", isReady, 10_000);
  },

  "job by hash: a failure is an Error with its reason, and another image is a retry": async (harness) => {
    await harness.run(operator(App, [migration]));
    await createApp(harness);
    const first = await nextJob(harness);
    await endMigration(harness, "Failed");
    const hasFailed = (object: ObjectOf<App>): boolean => condition(object, "MigrationReady")?.severity === "Error";
    const failed = await harness.until(App, "a", hasFailed, 10_000);
    expect(condition(failed, "MigrationReady")).toMatchObject({ status: "False", reason: "BackoffLimitExceeded" });
    expect(condition(failed, "Ready")).toMatchObject({ status: "False", reason: "BackoffLimitExceeded" });
    await harness.patch(App, "a", { spec: { image: "web:2" } });
    await nextJob(harness, first);
    await endMigration(harness, "Succeeded");
    await harness.until(App, "a", isReady, 10_000);
  },

  "job by hash: another TTL does not run it again": async (harness) => {
    await harness.run(operator(App, [migration]));
    await createApp(harness, { migrationTtl: 600 });
    const first = await nextJob(harness);
    await endMigration(harness, "Succeeded");
    const ready = await harness.until(App, "a", isReady, 10_000);
    await harness.patch(App, "a", { spec: { migrationTtl: 900 } });
    const again = await harness.until(App, "a", (object) => isReady(object, 2));
    expect(again.status?.migration).toEqual(ready.status?.migration);
    expect((await harness.find(Job, MIGRATION))?.metadata.uid).toBe(first.metadata.uid);
  },
};

/** Writes a status of the App's Deployment as its controller would. */
function report(harness: Harness, status: JsonObject): Promise<ObjectOf<typeof Deployment>> {
  return harness.patchStatus(Deployment, "a", status);
}

/** Scenarios without workload controllers; the test sets all statuses. */
export const STATUSES: Scenarios = {
  "deployment gate: only updated, ready and available replicas of the current spec count; zero replicas are ready if desired":
    async (harness) => {
      await harness.run(operator(App, [pods]));
      await createApp(harness, { replicas: 3 });
      await harness.until(Deployment, "a", () => true);
      const counts = { replicas: 3, updatedReplicas: 3, readyReplicas: 3, availableReplicas: 3 };
      const isTrue = (app: ObjectOf<App>): boolean => condition(app, "PodsReady")?.status === "True";
      const staysWaiting = async (): Promise<void> => {
        await harness.environment.idle(500);
        const app = await harness.until(
          App,
          "a",
          ({ metadata, status }) => status?.observedGeneration === metadata.generation,
        );
        expect(condition(app, "PodsReady")).toMatchObject({ status: "False", severity: "Info" });
      };
      await report(harness, { ...counts, observedGeneration: 1, replicas: 4, updatedReplicas: 1 });
      await staysWaiting();
      await report(harness, { ...counts, observedGeneration: 1 });
      await harness.until(App, "a", isTrue);
      await harness.patch(App, "a", { spec: { image: "web:2" } });
      await harness.until(Deployment, "a", ({ metadata }) => metadata.generation === 2);
      await staysWaiting();
      await report(harness, { ...counts, observedGeneration: 2 });
      await harness.until(App, "a", isTrue);
      await harness.patch(App, "a", { spec: { replicas: 0 } });
      await harness.until(Deployment, "a", ({ metadata }) => metadata.generation === 3);
      await staysWaiting();
      const none = { replicas: null, updatedReplicas: null, readyReplicas: null, availableReplicas: null };
      await report(harness, { ...none, observedGeneration: 3 });
      await harness.until(App, "a", isReady);
    },

  "config hash: a used key changes the template once; other keys, labels and annotations never": async (harness) => {
    const stringData = { user: "anna", password: "one", other: "x" };
    await harness.create(Secret, { metadata: { name: "config" }, stringData });
    await harness.run(operator(App, podsWithConfig));
    await createApp(harness);
    const first = await harness.until(Deployment, "a", () => true);
    await harness.patch(Secret, "config", { stringData: { other: "y", another: "z" } });
    await harness.patch(Secret, "config", { metadata: { labels: { a: "b" }, annotations: { c: "d" } } });
    await harness.environment.idle(1_000);
    expect((await harness.find(Deployment, "a"))?.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
    await harness.patch(Secret, "config", { stringData: { password: "two" } });
    const second = await harness.until(Deployment, "a", (object) => templateHash(object) !== templateHash(first));
    await harness.environment.idle(1_000);
    const later = await harness.find(Deployment, "a");
    expect(later?.metadata).toMatchObject({ generation: 2, resourceVersion: second.metadata.resourceVersion });
    const hashes = Array.from({ length: 1_000 }, (_, n) =>
      hashJson(n % 2 === 0 ? { user: "anna", password: "two" } : { password: "two", user: "anna" }),
    );
    expect(new Set(hashes)).toEqual(new Set([templateHash(second)]));
  },
};
