import { Deployment, findCondition, hashOf, isReady, Job, Secret } from "@levelset/core";
import type { Condition, JsonObject, ObjectOf } from "@levelset/core";
import { operator } from "@levelset/operator";
import { expect } from "vitest";
import { App, ask, configured, migration, pods, templateHash } from "./app.ts";
import { eventually, tellPods } from "./kubelet.ts";
import type { Phase } from "./kubelet.ts";
import type { Scenarios } from "./scenario.ts";
import type { Stage } from "./stage.ts";

const MIGRATION = "a-migration";

function condition(object: ObjectOf<App>, type: string): Condition | undefined {
  return findCondition(object.status?.conditions, type);
}

/** Lets the running migration end. */
async function endMigration(stage: Stage, phase: Phase): Promise<void> {
  await tellPods(stage, `job-name=${MIGRATION}`, 1, phase);
}

/** The Job of the migration once it is another than `before`. */
function nextJob(stage: Stage, before?: ObjectOf<typeof Job>): Promise<ObjectOf<typeof Job>> {
  return stage.until(Job, MIGRATION, ({ metadata }) => metadata.uid !== before?.metadata.uid, 10_000);
}

/** Scenarios with the controllers of workloads at work; the test plays the kubelet. */
export const WORKLOADS: Scenarios = {
  "35 · deployment gate: a rollout on its way is not ready, one that is over is": async (stage) => {
    await stage.run(operator(App, [pods]));
    await ask(stage, { replicas: 3 });
    await tellPods(stage, "app=a", 3, "Running");
    await stage.until(App, "a", isReady, 10_000);
    await stage.patch(App, "a", { spec: { image: "web:2" } });
    const surging = await stage.until(
      Deployment,
      "a",
      ({ metadata, status }) => status?.observedGeneration === metadata.generation && status?.updatedReplicas === 1,
    );
    expect(surging.status).toMatchObject({ replicas: 4, readyReplicas: 3 });
    const waiting = await stage.until(App, "a", ({ status }) => status?.observedGeneration === 2);
    expect(condition(waiting, "PodsReady")).toMatchObject({ status: "False", severity: "Info" });
    await eventually(stage, "the rollout is over", async () => {
      await tellPods(stage, "app=a", 0, "Running");
      const app = await stage.find(App, "a");
      return app !== undefined && isReady(app) ? app : undefined;
    });
    const over = await stage.until(Deployment, "a", () => true);
    expect(over.status).toMatchObject({ replicas: 3, updatedReplicas: 3, readyReplicas: 3 });
  },

  "37 · job by hash: runs once, and not again after a restart with the Job deleted": async (stage) => {
    const first = await stage.run(operator(App, [migration]));
    await ask(stage);
    const running = await stage.until(App, "a", ({ status }) => status?.observedGeneration === 1);
    expect(condition(running, "MigrationReady")).toMatchObject({ status: "False", severity: "Info" });
    await endMigration(stage, "Succeeded");
    const ready = await stage.until(App, "a", isReady, 10_000);
    await stage.until(Job, MIGRATION, ({ metadata }) => metadata.finalizers === undefined);
    await first.stop();
    await stage.client.delete(Job, stage.at(MIGRATION), { propagation: "Background" });
    await stage.gone(Job, MIGRATION);
    await stage.run(operator(App, [migration]));
    await stage.patch(App, "a", { spec: { replicas: 2 } });
    const again = await stage.until(App, "a", (object) => isReady(object, 2));
    expect(again.status?.migration).toEqual(ready.status?.migration);
    expect(await stage.find(Job, MIGRATION)).toBeUndefined();
  },

  "37 · job by hash: another image leaves the running Job alone until it is finished, then runs another": async (
    stage,
  ) => {
    await stage.run(operator(App, [migration]));
    await ask(stage);
    const first = await nextJob(stage);
    await stage.patch(App, "a", { spec: { image: "web:2" } });
    await stage.until(App, "a", ({ status }) => status?.observedGeneration === 2);
    const untouched = await stage.find(Job, MIGRATION);
    expect(untouched).toMatchObject({ metadata: { uid: first.metadata.uid }, spec: first.spec });
    expect(untouched?.metadata.deletionTimestamp).toBeUndefined();
    await endMigration(stage, "Succeeded");
    const second = await nextJob(stage, first);
    expect(second.spec?.template.spec?.containers[0]?.image).toBe("web:2");
    await endMigration(stage, "Succeeded");
    await stage.until(App, "a", isReady, 10_000);
  },

  "37 · job by hash: a failure is an Error with its reason, and another image is another try": async (stage) => {
    await stage.run(operator(App, [migration]));
    await ask(stage);
    const first = await nextJob(stage);
    await endMigration(stage, "Failed");
    const hasFailed = (object: ObjectOf<App>): boolean => condition(object, "MigrationReady")?.severity === "Error";
    const failed = await stage.until(App, "a", hasFailed, 10_000);
    expect(condition(failed, "MigrationReady")).toMatchObject({ status: "False", reason: "BackoffLimitExceeded" });
    expect(condition(failed, "Ready")).toMatchObject({ status: "False", reason: "BackoffLimitExceeded" });
    await stage.patch(App, "a", { spec: { image: "web:2" } });
    await nextJob(stage, first);
    await endMigration(stage, "Succeeded");
    await stage.until(App, "a", isReady, 10_000);
  },

  "37 · job by hash: another TTL is no reason to run again": async (stage) => {
    await stage.run(operator(App, [migration]));
    await ask(stage, { migrationTtl: 600 });
    const first = await nextJob(stage);
    await endMigration(stage, "Succeeded");
    const ready = await stage.until(App, "a", isReady, 10_000);
    await stage.patch(App, "a", { spec: { migrationTtl: 900 } });
    const again = await stage.until(App, "a", (object) => isReady(object, 2));
    expect(again.status?.migration).toEqual(ready.status?.migration);
    expect((await stage.find(Job, MIGRATION))?.metadata.uid).toBe(first.metadata.uid);
  },
};

/** Writes a status of the App's Deployment as its controller would. */
function report(stage: Stage, status: JsonObject): Promise<ObjectOf<typeof Deployment>> {
  return stage.patchStatus(Deployment, "a", status);
}

/** Scenarios in which nobody works on workloads but the test. */
export const STATUSES: Scenarios = {
  "35 · deployment gate: only updated, ready, whole and current replicas count; none are ready if none are asked":
    async (stage) => {
      await stage.run(operator(App, [pods]));
      await ask(stage, { replicas: 3 });
      await stage.until(Deployment, "a", () => true);
      const counts = { replicas: 3, updatedReplicas: 3, readyReplicas: 3, availableReplicas: 3 };
      const isTrue = (app: ObjectOf<App>): boolean => condition(app, "PodsReady")?.status === "True";
      const staysWaiting = async (): Promise<void> => {
        await stage.place.idle(500);
        const app = await stage.until(
          App,
          "a",
          ({ metadata, status }) => status?.observedGeneration === metadata.generation,
        );
        expect(condition(app, "PodsReady")).toMatchObject({ status: "False", severity: "Info" });
      };
      await report(stage, { ...counts, observedGeneration: 1, replicas: 4, updatedReplicas: 1 });
      await staysWaiting();
      await report(stage, { ...counts, observedGeneration: 1 });
      await stage.until(App, "a", isTrue);
      await stage.patch(App, "a", { spec: { image: "web:2" } });
      await stage.until(Deployment, "a", ({ metadata }) => metadata.generation === 2);
      await staysWaiting();
      await report(stage, { ...counts, observedGeneration: 2 });
      await stage.until(App, "a", isTrue);
      await stage.patch(App, "a", { spec: { replicas: 0 } });
      await stage.until(Deployment, "a", ({ metadata }) => metadata.generation === 3);
      await staysWaiting();
      const none = { replicas: null, updatedReplicas: null, readyReplicas: null, availableReplicas: null };
      await report(stage, { ...none, observedGeneration: 3 });
      await stage.until(App, "a", isReady);
    },

  "36 · config hash: a used key changes the template once; other keys, labels and annotations never": async (stage) => {
    const stringData = { user: "anna", password: "one", other: "x" };
    await stage.create(Secret, { metadata: { name: "config" }, stringData });
    await stage.run(operator(App, configured));
    await ask(stage);
    const first = await stage.until(Deployment, "a", () => true);
    await stage.patch(Secret, "config", { stringData: { other: "y", another: "z" } });
    await stage.patch(Secret, "config", { metadata: { labels: { a: "b" }, annotations: { c: "d" } } });
    await stage.place.idle(1_000);
    expect((await stage.find(Deployment, "a"))?.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
    await stage.patch(Secret, "config", { stringData: { password: "two" } });
    const second = await stage.until(Deployment, "a", (object) => templateHash(object) !== templateHash(first));
    await stage.place.idle(1_000);
    const later = await stage.find(Deployment, "a");
    expect(later?.metadata).toMatchObject({ generation: 2, resourceVersion: second.metadata.resourceVersion });
    const hashes = Array.from({ length: 1_000 }, (_, n) =>
      hashOf(n % 2 === 0 ? { user: "anna", password: "two" } : { password: "two", user: "anna" }),
    );
    expect(new Set(hashes)).toEqual(new Set([templateHash(second)]));
  },
};
