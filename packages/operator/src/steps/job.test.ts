import { CLUSTER_ORIGIN, ConfigMap, DeclarationError, findCondition, hashOf, Job, Pod } from "@levelset/core";
import type { ObjectOf } from "@levelset/core";
import { isWrite } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { operator } from "../manager/index.ts";
import { ok, reference, step, wait } from "../step/index.ts";
import type { Step } from "../step/index.ts";
import { App, jobOf, jobRuns, jobStory, migrate } from "./app.fixture.ts";
import { job } from "./job.ts";

const LONG = { "sim.levelset.dev/run-for": "10m" };
const BAD = { "sim.levelset.dev/exit-code": "1" };
const INFO = { severity: "Info", reason: "Requested" } as const;

/** A cluster with an App whose operator runs these steps, at rest before any time has passed. */
async function started(
  spec: Readonly<Record<string, unknown>> = {},
  steps: readonly Step<App>[] = [migrate()],
): Promise<TestCluster> {
  const cluster = await testCluster({ workloads: true });
  cluster.run(operator(App, steps));
  await cluster.apply(App, { name: "a", spec: { image: "web:1", ...spec } });
  await cluster.rest();
  return cluster;
}

/** The App some time later. */
async function later(cluster: TestCluster, ms: number): Promise<ObjectOf<App>> {
  await cluster.clock.advance(ms);
  return cluster.settled(App, "a");
}

/** Deletes as kubectl does: without being told how, the server would leave the pods of a Job running. */
async function deleteBy(cluster: TestCluster, path: string, propagationPolicy: string): Promise<void> {
  const body = JSON.stringify({ kind: "DeleteOptions", apiVersion: "v1", propagationPolicy });
  const headers = { "content-type": "application/json" };
  await cluster.fetch(new Request(CLUSTER_ORIGIN + path, { method: "DELETE", body, headers }));
}

/** The same step under another name. */
function migrateAs(name: string): Step<App> {
  return job(App, name, { condition: "MigrationReady", remember: "migration", desired: ({ object }) => jobOf(object) });
}

describe("a Job by hash", () => {
  test("runs once, and its result is remembered before it may go", async () => {
    await using cluster = await started();
    const app = await cluster.settled(App, "a");
    const message = "job/a-migrate: 0 of 1 pods succeeded, 1 active";
    expect(app).toHaveCondition("MigrationReady", "False", { ...INFO, message });
    expect((await cluster.settled(Job, "a-migrate")).metadata.finalizers).toEqual(["test.levelset.dev/app-job"]);
    const ready = await later(cluster, 5_000);
    expect(ready).toBeReady();
    expect(ready.status?.migration).toMatchObject({ job: "a-migrate", result: "Complete" });
    expect(jobStory(cluster)).toEqual(["web:1 Complete"]);
    const states = cluster.history(Job, "a-migrate");
    expect(states.at(-1)?.metadata.finalizers).toBeUndefined();
    const releasedAt = states.findIndex(({ metadata }) => metadata.finalizers === undefined);
    const savedAt = cluster.history(App, "a").find(({ status }) => status?.migration !== undefined);
    expect(Number(states[releasedAt]?.metadata.resourceVersion)).toBeGreaterThan(
      Number(savedAt?.metadata.resourceVersion),
    );
  });

  test("at rest costs no write", async () => {
    await using cluster = await started();
    await later(cluster, 5_000);
    const writes = cluster.faults.count(isWrite);
    await cluster.patch(App, "a", { metadata: { labels: { look: "again" } } });
    expect(await later(cluster, 3_600_000)).toBeReady();
    expect(cluster.faults.count(isWrite)).toBe(writes);
  });

  test("is not run again after a restart and the deletion of the Job", async () => {
    await using cluster = await testCluster({ workloads: true });
    const first = cluster.run(operator(App, [migrate()]));
    await cluster.apply(App, { name: "a", spec: { image: "web:1" } });
    await later(cluster, 5_000);
    await first.stop();
    await cluster.delete(Job, "a-migrate");
    await cluster.gone(Job, "a-migrate");
    cluster.run(operator(App, [migrate()]));
    expect(await later(cluster, 60_000)).toBeReady();
    expect(jobStory(cluster)).toEqual(["web:1 Complete"]);
  });

  test("is not run again when its TTL takes it away, not even while the operator is away", async () => {
    await using cluster = await testCluster({ workloads: true });
    const first = cluster.run(operator(App, [migrate()]));
    await cluster.apply(App, { name: "a", spec: { image: "web:1", ttl: 0 } });
    await cluster.rest();
    await first.stop();
    await cluster.clock.advance(600_000);
    // Ended and meant to go, but nobody has heard of it yet.
    expect((await cluster.settled(Job, "a-migrate")).metadata.deletionTimestamp).toBeDefined();
    cluster.run(operator(App, [migrate()]));
    expect(await later(cluster, 60_000)).toBeReady();
    await cluster.gone(Job, "a-migrate");
    expect(jobStory(cluster)).toEqual(["web:1 Complete"]);
  });

  test("is left to end when the image changes while it runs, and only then followed by a new one", async () => {
    await using cluster = await started({ pods: LONG });
    const before = await cluster.settled(Job, "a-migrate");
    await cluster.patch(App, "a", { spec: { image: "web:2" } });
    const waiting = await later(cluster, 60_000);
    expect(waiting).toHaveCondition("MigrationReady", "False", {
      ...INFO,
      message: "job/a-migrate still runs for an earlier version: 0 of 1 pods succeeded, 1 active",
    });
    expect((await cluster.settled(Job, "a-migrate")).metadata.uid).toBe(before.metadata.uid);
    expect((await cluster.settled(Job, "a-migrate")).metadata.generation).toBe(before.metadata.generation);
    expect(await later(cluster, 1_500_000)).toBeReady();
    expect(jobStory(cluster)).toEqual(["web:1 Complete", "web:2 Complete"]);
    const [first, second] = jobRuns(cluster);
    expect(first?.uid).not.toBe(second?.uid);
  });

  test("that failed is an error with the Job's reason, left alone until the image changes", async () => {
    await using cluster = await started({ pods: BAD });
    const failed = await later(cluster, 30_000);
    const expected = {
      severity: "Error",
      reason: "BackoffLimitExceeded",
      message: "job/a-migrate: Job has reached the specified backoff limit",
    } as const;
    expect(failed).toHaveCondition("MigrationReady", "False", expected);
    expect(failed).toHaveCondition("Ready", "False", expected);
    expect(await later(cluster, 3_600_000)).toHaveCondition("MigrationReady", "False", expected);
    expect(jobStory(cluster)).toEqual(["web:1 Failed"]);
    await cluster.patch(App, "a", { spec: { image: "web:2", pods: { "sim.levelset.dev/exit-code": "0" } } });
    expect(await later(cluster, 30_000)).toBeReady();
    expect(jobStory(cluster)).toEqual(["web:1 Failed", "web:2 Complete"]);
  });

  test.each([
    ["DeadlineExceeded", { activeDeadlineSeconds: 10 }, LONG],
    [
      "PodFailurePolicy",
      { podFailurePolicy: { rules: [{ action: "FailJob", onExitCodes: { operator: "In", values: [1] } }] } },
      BAD,
    ],
  ] as const)("that failed by %s says so", async (reason, more, pods) => {
    const desired = ({ object }: { readonly object: ObjectOf<App> }): ReturnType<typeof jobOf> => {
      const { metadata, spec } = jobOf(object);
      return { metadata, spec: { ...spec, ...more } };
    };
    await using cluster = await started({ pods }, [migrate({ desired })]);
    expect(await later(cluster, 30_000)).toHaveCondition("MigrationReady", "False", { severity: "Error", reason });
  });

  test("that failed is tried again when somebody deletes it", async () => {
    await using cluster = await started({ pods: BAD });
    await later(cluster, 30_000);
    await cluster.delete(Job, "a-migrate");
    await later(cluster, 30_000);
    expect(jobStory(cluster)).toEqual(["web:1 Failed", "web:1 Failed"]);
  });

  test("that failed and went by its TTL stays failed, and is run for another image", async () => {
    await using cluster = await started({ pods: BAD, ttl: 60 });
    const failed = await later(cluster, 600_000);
    await cluster.gone(Job, "a-migrate");
    expect(failed).toHaveCondition("MigrationReady", "False", { severity: "Error", reason: "BackoffLimitExceeded" });
    expect(failed.status?.migration).toMatchObject({ result: "Failed", reason: "BackoffLimitExceeded" });
    expect(jobStory(cluster)).toEqual(["web:1 Failed"]);
    await cluster.patch(App, "a", { spec: { image: "web:2", pods: { "sim.levelset.dev/exit-code": "0" } } });
    expect(await later(cluster, 30_000)).toBeReady();
  });

  test("is not run again for a TTL or anything else that the pods do not see", async () => {
    await using cluster = await started();
    const before = await later(cluster, 5_000);
    await cluster.patch(App, "a", { spec: { ttl: 3600, replicas: 7 } });
    const after = await later(cluster, 60_000);
    expect(after).toBeReady();
    expect(after.status?.migration).toEqual(before.status?.migration);
    expect(jobRuns(cluster)).toHaveLength(1);
  });

  test("is run again for an earlier hash, for what counts is what ran last", async () => {
    await using cluster = await started();
    for (const image of ["web:2", "web:1"]) {
      await later(cluster, 5_000);
      await cluster.patch(App, "a", { spec: { image } });
    }
    expect(await later(cluster, 5_000)).toBeReady();
    expect(jobStory(cluster)).toEqual(["web:1 Complete", "web:2 Complete", "web:1 Complete"]);
  });

  test("that is deleted while it runs starts again when its pods are gone", async () => {
    await using cluster = await started({ pods: { ...LONG, "sim.levelset.dev/stop-after": "20s" } });
    await later(cluster, 5_000);
    await deleteBy(cluster, "/apis/batch/v1/namespaces/default/jobs/a-migrate", "Background");
    const stopping = await later(cluster, 10_000);
    expect(stopping).toHaveCondition("MigrationReady", "False", { ...INFO, message: "job/a-migrate is being removed" });
    expect(await cluster.list(Pod)).toHaveLength(1);
    expect(await later(cluster, 900_000)).toBeReady();
    expect(jobStory(cluster)).toEqual(["web:1 unfinished", "web:1 Complete"]);
  });

  test("can be told what it is run for", async () => {
    await using cluster = await started({}, [migrate({ hash: ({ spec }) => spec.image.split(":")[1] })]);
    await later(cluster, 5_000);
    await cluster.patch(App, "a", { spec: { image: "mirror/web:1" } });
    expect(await later(cluster, 5_000)).toBeReady();
    expect(jobStory(cluster)).toEqual(["web:1 Complete"]);
    await cluster.patch(App, "a", { spec: { image: "mirror/web:2" } });
    expect(await later(cluster, 5_000)).toBeReady();
    expect(jobStory(cluster)).toEqual(["web:1 Complete", "mirror/web:2 Complete"]);
  });

  test("is not run where none is desired, and not again when it comes back", async () => {
    const optional = migrate({ desired: ({ object }) => (object.spec.replicas === 0 ? undefined : jobOf(object)) });
    await using cluster = await started({ replicas: 0 }, [optional]);
    expect(await later(cluster, 5_000)).toBeReady();
    expect(jobRuns(cluster)).toEqual([]);
    await cluster.patch(App, "a", { spec: { replicas: 1 } });
    expect(await later(cluster, 5_000)).toBeReady();
    await cluster.patch(App, "a", { spec: { replicas: 0 } });
    expect(await later(cluster, 5_000)).toBeReady();
    await cluster.gone(Job, "a-migrate");
    await cluster.patch(App, "a", { spec: { replicas: 1 } });
    expect(await later(cluster, 5_000)).toBeReady();
    expect(jobStory(cluster)).toEqual(["web:1 Complete"]);
  });

  test("is not run by a newcomer whose copy of the object does not show yet that it was", async () => {
    const go = step(App, "Go", {
      reads: [reference(App, ConfigMap, () => "go")],
      do: (req) => (req.get(ConfigMap, { namespace: "default", name: "go" }) === undefined ? wait("no go") : ok()),
    });
    await using cluster = await started({}, [go, migrate()]);
    // What the predecessor wrote last is late, and the Job was taken by its TTL.
    cluster.faults.failNthEvent(1, { kind: "delay", ms: 60_000 }, ({ path }) => path.endsWith("/apps"));
    const { spec } = jobOf(await cluster.settled(App, "a"));
    const record = { job: "a-migrate", uid: "1", hash: hashOf(spec?.template), result: "Complete" };
    await cluster.patchStatus(App, "a", { migration: { ...record, finishedAt: "2026-01-01T00:00:00Z" } });
    await cluster.create(ConfigMap, { name: "go" });
    await later(cluster, 30_000);
    expect(cluster.requests().some(({ method, path }) => method === "GET" && path.endsWith("/apps/a"))).toBe(true);
    expect(await later(cluster, 60_000)).toBeReady();
    expect(jobRuns(cluster)).toEqual([]);
  });

  test("neither touches nor believes a Job of somebody else under its name", async () => {
    await using cluster = await testCluster({ workloads: true });
    const template = { spec: { restartPolicy: "Never" as const, containers: [{ name: "main", image: "other" }] } };
    await cluster.create(Job, { name: "a-migrate", spec: { template } });
    await cluster.clock.advance(5_000);
    const before = await cluster.settled(Job, "a-migrate");
    cluster.run(operator(App, [migrate()]));
    await cluster.apply(App, { name: "a", spec: { image: "web:1" } });
    expect(await cluster.settled(App, "a")).toHaveCondition("MigrationReady", "False", {
      severity: "Error",
      reason: "NotOurs",
    });
    expect((await cluster.settled(Job, "a-migrate")).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
    await cluster.delete(Job, "a-migrate");
    expect(await later(cluster, 40_000)).toBeReady();
  });

  test("of a step that was renamed is reported, let go of when it is deleted, and goes with its object", async () => {
    await using cluster = await testCluster({ workloads: true });
    const first = cluster.run(operator(App, [migrate()]));
    await cluster.apply(App, { name: "a", spec: { image: "web:1", pods: LONG } });
    await later(cluster, 5_000);
    await first.stop();
    const renamed = migrateAs("Renamed");
    cluster.run(operator(App, [renamed]));
    expect(await cluster.settled(App, "a")).toHaveCondition("MigrationReady", "False", {
      severity: "Error",
      message: "job/a-migrate was made by step Migrate; it must be deleted before this one can use its name",
    });
    await using other = await cluster.fork();
    other.run(operator(App, [renamed]));
    await deleteBy(other, "/apis/batch/v1/namespaces/default/jobs/a-migrate", "Background");
    expect(await later(other, 900_000)).toBeReady();
    await cluster.delete(App, "a");
    await cluster.clock.advance(60_000);
    await cluster.gone(App, "a");
    expect(await cluster.list(Job)).toEqual([]);
  });

  test("is stopped, with its pods gone, before earlier steps are cleaned up", async () => {
    const left: number[] = [];
    const database = step(App, "Database", {
      cleanup: async () => {
        left.push((await cluster.list(Pod)).length + (await cluster.list(Job)).length);
        return ok();
      },
    });
    await using cluster = await started({ pods: LONG }, [database, migrate()]);
    await later(cluster, 5_000);
    await cluster.delete(App, "a");
    await cluster.clock.advance(60_000);
    await cluster.gone(App, "a");
    expect(left).toEqual([0]);
  });

  test("that has ended goes with its object", async () => {
    await using cluster = await started({ pods: BAD });
    await later(cluster, 30_000);
    await cluster.delete(App, "a");
    await cluster.clock.advance(60_000);
    await cluster.gone(App, "a");
    expect(await cluster.list(Job)).toEqual([]);
  });
});

describe("a Job on deletion", () => {
  const backup = migrate({ when: "cleanup" });

  test("runs before what earlier steps made is cleaned up, and leaves nothing behind", async () => {
    const story: string[] = [];
    const database = step(App, "Database", {
      cleanup: () => {
        story.push(...jobStory(cluster));
        return ok();
      },
    });
    await using cluster = await started({}, [database, backup]);
    expect(await later(cluster, 5_000)).toBeReady();
    expect(jobRuns(cluster)).toEqual([]);
    await cluster.delete(App, "a");
    const message = "MigrationReady: job/a-migrate: 0 of 1 pods succeeded, 1 active";
    expect(await later(cluster, 100)).toHaveCondition("Ready", "False", { reason: "Deleting", message });
    await cluster.clock.advance(30_000);
    await cluster.gone(App, "a");
    expect(story).toEqual(["web:1 Complete"]);
    expect([await cluster.list(Job), await cluster.list(Pod)]).toEqual([[], []]);
  });

  test("is not taken away by a deletion that begins with what the object owns", async () => {
    await using cluster = await started({}, [backup]);
    await deleteBy(cluster, "/apis/test.levelset.dev/v1/namespaces/default/apps/a", "Foreground");
    await cluster.clock.advance(30_000);
    await cluster.gone(App, "a");
    expect(jobStory(cluster)).toEqual(["web:1 Complete"]);
    expect(await cluster.list(Job)).toEqual([]);
  });

  test("that failed holds the object until somebody deletes the Job or changes what it runs", async () => {
    await using cluster = await started({ pods: BAD }, [backup]);
    await cluster.delete(App, "a");
    const held = await later(cluster, 60_000);
    expect(held).toHaveCondition("MigrationReady", "False", { severity: "Error", reason: "BackoffLimitExceeded" });
    await cluster.patch(App, "a", { spec: { pods: { "sim.levelset.dev/exit-code": "0" } } });
    await cluster.clock.advance(60_000);
    await cluster.gone(App, "a");
    expect(jobStory(cluster)).toEqual(["web:1 Failed", "web:1 Complete"]);
    expect(await cluster.list(Job)).toEqual([]);
  });

  test("can neither use what steps hand over nor be refreshed", () => {
    const first = step(App, "First", { do: () => ok(1) });
    const options = { remember: "migration", desired: () => undefined, when: "cleanup" } as const;
    expect(() => job(App, "Backup", { ...options, uses: [first] })).toThrow(DeclarationError);
    expect(() => job(App, "Backup", { ...options, rerun: { refreshMs: 1 } })).toThrow("leave out rerun");
  });
});

describe("a Job that is refreshed", () => {
  test("is run again when its result is too old, and no old result stands for it meanwhile", async () => {
    await using cluster = await started({}, [migrate({ rerun: { refreshMs: 60_000 } })]);
    const first = await later(cluster, 10_000);
    expect(first).toBeReady();
    await cluster.clock.advance(300_000);
    const runs = jobRuns(cluster);
    expect(runs.length).toBeGreaterThanOrEqual(4);
    expect(runs.length).toBeLessThanOrEqual(6);
    const finished = cluster.history(App, "a").flatMap(({ status }) => status?.migration?.finishedAt ?? []);
    expect(new Set(finished).size).toBeGreaterThanOrEqual(4);
    const claims = cluster
      .history(App, "a")
      .filter(({ status }) => findCondition(status?.conditions, "MigrationReady")?.status === "True");
    expect(claims.every(({ status }) => status?.migration !== undefined)).toBe(true);
  });

  test("refuses a time that is none", () => {
    expect(() => migrate({ rerun: { refreshMs: 0 } })).toThrow("refreshMs is a number of milliseconds above 0, not 0");
  });

  test("is run again after a failure, too", async () => {
    await using cluster = await started({ pods: BAD }, [migrate({ rerun: { refreshMs: 60_000 } })]);
    await cluster.clock.advance(150_000);
    expect(jobStory(cluster).slice(0, 2)).toEqual(["web:1 Failed", "web:1 Failed"]);
  });
});
