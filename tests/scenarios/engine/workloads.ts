import { Deployment, findCondition, hashJson, isReady, Job, Secret } from "@levelset/core";
import type { Condition, JsonObject, ObjectOf } from "@levelset/core";
import { operator } from "@levelset/operator";
import { expect } from "vitest";
import { App, createApp, podsWithConfig, migration, pods, templateHash } from "./app.ts";
import { setPodPhase } from "../../support/cluster/kubelet.ts";
import type { PodPhase } from "../../support/cluster/kubelet.ts";
import type { Scenarios } from "../../support/cluster/scenario.ts";
import type { Cluster } from "../../support/cluster/cluster.ts";

const MIGRATION = "a-migration";

function condition(object: ObjectOf<App>, type: string): Condition | undefined {
  return findCondition(object.status?.conditions, type);
}

/** Ends the running migration. */
async function endMigration(cluster: Cluster, phase: PodPhase): Promise<void> {
  await setPodPhase(cluster, `job-name=${MIGRATION}`, 1, phase);
}

/** Returns the migration Job once it differs from `before`. */
function nextJob(cluster: Cluster, before?: ObjectOf<typeof Job>): Promise<ObjectOf<typeof Job>> {
  return cluster.until(Job, MIGRATION, ({ metadata }) => metadata.uid !== before?.metadata.uid, 10_000);
}

/** Scenarios with the workload controllers; the test simulates the kubelet. */
export const WORKLOADS: Scenarios = {
  "deployment gate: a rollout in progress is not ready, a completed one is": async (cluster) => {
    await cluster.run(operator(App, [pods]));
    await createApp(cluster, { replicas: 3 });
    await setPodPhase(cluster, "app=a", 3, "Running");
    await cluster.until(App, "a", isReady, 10_000);
    await cluster.patch(App, "a", { spec: { image: "web:2" } });
    const surging = await cluster.until(
      Deployment,
      "a",
      ({ metadata, status }) => status?.observedGeneration === metadata.generation && status?.updatedReplicas === 1,
    );
    expect(surging.status).toMatchObject({ replicas: 4, readyReplicas: 3 });
    const waiting = await cluster.until(App, "a", ({ status }) => status?.observedGeneration === 2);
    expect(condition(waiting, "PodsReady")).toMatchObject({ status: "False", severity: "Info" });
    await cluster.eventually("the rollout is complete", async () => {
      await setPodPhase(cluster, "app=a", 0, "Running");
      const app = await cluster.find(App, "a");
      return app !== undefined && isReady(app) ? app : undefined;
    });
    const over = await cluster.until(Deployment, "a", () => true);
    expect(over.status).toMatchObject({ replicas: 3, updatedReplicas: 3, readyReplicas: 3 });
  },

  "job by hash: runs once, and not again after a restart with the Job deleted": async (cluster) => {
    const first = await cluster.run(operator(App, [migration]));
    await createApp(cluster);
    const running = await cluster.until(App, "a", ({ status }) => status?.observedGeneration === 1);
    expect(condition(running, "MigrationReady")).toMatchObject({ status: "False", severity: "Info" });
    await endMigration(cluster, "Succeeded");
    const ready = await cluster.until(App, "a", isReady, 10_000);
    await cluster.until(Job, MIGRATION, ({ metadata }) => metadata.finalizers === undefined);
    await first.stop();
    await cluster.client.delete(Job, cluster.at(MIGRATION), { propagationPolicy: "Background" });
    await cluster.untilDeleted(Job, MIGRATION);
    await cluster.run(operator(App, [migration]));
    await cluster.patch(App, "a", { spec: { replicas: 2 } });
    const again = await cluster.until(App, "a", (object) => isReady(object, 2));
    expect(again.status?.migration).toEqual(ready.status?.migration);
    expect(await cluster.find(Job, MIGRATION)).toBeUndefined();
  },

  "job by hash: another image waits for the running Job, then runs another": async (cluster) => {
    await cluster.run(operator(App, [migration]));
    await createApp(cluster);
    const first = await nextJob(cluster);
    await cluster.patch(App, "a", { spec: { image: "web:2" } });
    await cluster.until(App, "a", ({ status }) => status?.observedGeneration === 2);
    const untouched = await cluster.find(Job, MIGRATION);
    expect(untouched).toMatchObject({ metadata: { uid: first.metadata.uid }, spec: first.spec });
    expect(untouched?.metadata.deletionTimestamp).toBeUndefined();
    await endMigration(cluster, "Succeeded");
    const second = await nextJob(cluster, first);
    expect(second.spec?.template.spec?.containers[0]?.image).toBe("web:2");
    await endMigration(cluster, "Succeeded");
    await cluster.until(App, "a", isReady, 10_000);
  },

  "job by hash: a failure is an Error with its reason, and another image is a retry": async (cluster) => {
    await cluster.run(operator(App, [migration]));
    await createApp(cluster);
    const first = await nextJob(cluster);
    await endMigration(cluster, "Failed");
    const hasFailed = (object: ObjectOf<App>): boolean => condition(object, "MigrationReady")?.severity === "Error";
    const failed = await cluster.until(App, "a", hasFailed, 10_000);
    expect(condition(failed, "MigrationReady")).toMatchObject({ status: "False", reason: "BackoffLimitExceeded" });
    expect(condition(failed, "Ready")).toMatchObject({ status: "False", reason: "BackoffLimitExceeded" });
    await cluster.patch(App, "a", { spec: { image: "web:2" } });
    await nextJob(cluster, first);
    await endMigration(cluster, "Succeeded");
    await cluster.until(App, "a", isReady, 10_000);
  },

  "job by hash: another TTL does not run it again": async (cluster) => {
    await cluster.run(operator(App, [migration]));
    await createApp(cluster, { migrationTtl: 600 });
    const first = await nextJob(cluster);
    await endMigration(cluster, "Succeeded");
    const ready = await cluster.until(App, "a", isReady, 10_000);
    await cluster.patch(App, "a", { spec: { migrationTtl: 900 } });
    const again = await cluster.until(App, "a", (object) => isReady(object, 2));
    expect(again.status?.migration).toEqual(ready.status?.migration);
    expect((await cluster.find(Job, MIGRATION))?.metadata.uid).toBe(first.metadata.uid);
  },
};

/** Writes a status of the App's Deployment as its controller would. */
function report(cluster: Cluster, status: JsonObject): Promise<ObjectOf<typeof Deployment>> {
  return cluster.patchStatus(Deployment, "a", status);
}

/** Scenarios without workload controllers; the test sets all statuses. */
export const STATUSES: Scenarios = {
  "deployment gate: only updated, ready and available replicas of the current spec count; zero replicas are ready if desired":
    async (cluster) => {
      await cluster.run(operator(App, [pods]));
      await createApp(cluster, { replicas: 3 });
      await cluster.until(Deployment, "a", () => true);
      const counts = { replicas: 3, updatedReplicas: 3, readyReplicas: 3, availableReplicas: 3 };
      const isTrue = (app: ObjectOf<App>): boolean => condition(app, "PodsReady")?.status === "True";
      const staysWaiting = async (): Promise<void> => {
        await cluster.idle(500);
        const app = await cluster.until(
          App,
          "a",
          ({ metadata, status }) => status?.observedGeneration === metadata.generation,
        );
        expect(condition(app, "PodsReady")).toMatchObject({ status: "False", severity: "Info" });
      };
      await report(cluster, { ...counts, observedGeneration: 1, replicas: 4, updatedReplicas: 1 });
      await staysWaiting();
      await report(cluster, { ...counts, observedGeneration: 1 });
      await cluster.until(App, "a", isTrue);
      await cluster.patch(App, "a", { spec: { image: "web:2" } });
      await cluster.until(Deployment, "a", ({ metadata }) => metadata.generation === 2);
      await staysWaiting();
      await report(cluster, { ...counts, observedGeneration: 2 });
      await cluster.until(App, "a", isTrue);
      await cluster.patch(App, "a", { spec: { replicas: 0 } });
      await cluster.until(Deployment, "a", ({ metadata }) => metadata.generation === 3);
      await staysWaiting();
      const none = { replicas: null, updatedReplicas: null, readyReplicas: null, availableReplicas: null };
      await report(cluster, { ...none, observedGeneration: 3 });
      await cluster.until(App, "a", isReady);
    },

  "config hash: a used key changes the template once; other keys, labels and annotations never": async (cluster) => {
    const stringData = { user: "anna", password: "one", other: "x" };
    await cluster.create(Secret, { metadata: { name: "config" }, stringData });
    await cluster.run(operator(App, podsWithConfig));
    await createApp(cluster);
    const first = await cluster.until(Deployment, "a", () => true);
    await cluster.patch(Secret, "config", { stringData: { other: "y", another: "z" } });
    await cluster.patch(Secret, "config", { metadata: { labels: { a: "b" }, annotations: { c: "d" } } });
    await cluster.idle(1_000);
    expect((await cluster.find(Deployment, "a"))?.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
    await cluster.patch(Secret, "config", { stringData: { password: "two" } });
    const second = await cluster.until(Deployment, "a", (object) => templateHash(object) !== templateHash(first));
    await cluster.idle(1_000);
    const later = await cluster.find(Deployment, "a");
    expect(later?.metadata).toMatchObject({ generation: 2, resourceVersion: second.metadata.resourceVersion });
    const hashes = Array.from({ length: 1_000 }, (_, n) =>
      hashJson(n % 2 === 0 ? { user: "anna", password: "two" } : { password: "two", user: "anna" }),
    );
    expect(new Set(hashes)).toEqual(new Set([templateHash(second)]));
  },
};
