import { CLUSTER_ORIGIN } from "@levelset/core/internal";
import { ConfigMap, DeclarationError, findCondition, hashJson, Job, Pod } from "@levelset/core";
import type { ObjectOf } from "@levelset/core";
import { isWrite } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { operator } from "../../manager/index.ts";
import { ok, reference, step, wait } from "../../engine/index.ts";
import type { Step } from "../../engine/index.ts";
import { later, started } from "./app-cluster.fixture.ts";
import { App, jobOf, jobRuns, describeJobRuns, migrate } from "./app.fixture.ts";
import { job } from "./job.ts";

const LONG = { "sim.levelset.dev/run-for": "10m" };
const BAD = { "sim.levelset.dev/exit-code": "1" };
const INFO = { severity: "Info", reason: "Requested" } as const;

/** Deletes as kubectl does: the server's default would orphan the pods of a Job. */
async function deleteBy(cluster: TestCluster, path: string, propagationPolicy: string): Promise<void> {
  const body = JSON.stringify({ kind: "DeleteOptions", apiVersion: "v1", propagationPolicy });
  await cluster.fetch(new Request(CLUSTER_ORIGIN + path, { method: "DELETE", body }));
}

/** The same step under another name. */
function migrateAs(name: string): Step<App> {
  return job(App, name, {
    condition: "MigrationReady",
    statusField: "migration",
    desired: ({ object }) => jobOf(object),
  });
}

describe("a Job by hash", () => {
  test("runs once, and its result is recorded before it may be deleted", async () => {
    await using cluster = await started();
    const app = await cluster.untilSettled(App, "a");
    const message = "job/a-migrate: 0 of 1 pods succeeded, 1 active";
    expect(app).toHaveCondition("MigrationReady", "False", { ...INFO, message });
    expect((await cluster.untilSettled(Job, "a-migrate")).metadata.finalizers).toEqual(["test.levelset.dev/app-job"]);
    const ready = await later(cluster, 5_000);
    expect(ready).toBeReady();
    expect(ready.status?.migration).toMatchObject({ job: "a-migrate", result: "Complete" });
    expect(describeJobRuns(cluster)).toEqual(["web:1 Complete"]);
    const states = cluster.history(Job, "a-migrate");
    expect(states.at(-1)?.metadata.finalizers).toBeUndefined();
    const releasedAt = states.findIndex(({ metadata }) => metadata.finalizers === undefined);
    const savedAt = cluster.history(App, "a").find(({ status }) => status?.migration !== undefined);
    expect(Number(states[releasedAt]?.metadata.resourceVersion)).toBeGreaterThan(
      Number(savedAt?.metadata.resourceVersion),
    );
  });

  test("causes no writes once settled", async () => {
    await using cluster = await started();
    await later(cluster, 5_000);
    const writes = cluster.faults.count(isWrite);
    await cluster.patch(App, "a", { metadata: { labels: { touched: "true" } } });
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
    await cluster.untilDeleted(Job, "a-migrate");
    cluster.run(operator(App, [migrate()]));
    expect(await later(cluster, 60_000)).toBeReady();
    expect(describeJobRuns(cluster)).toEqual(["web:1 Complete"]);
  });

  test("is not run again after its TTL, not even while the operator is down", async () => {
    await using cluster = await testCluster({ workloads: true });
    const first = cluster.run(operator(App, [migrate()]));
    await cluster.apply(App, { name: "a", spec: { image: "web:1", ttl: 0 } });
    await cluster.untilIdle();
    await first.stop();
    await cluster.clock.advance(600_000);
    // Ended and being deleted, but not recorded yet.
    expect((await cluster.untilSettled(Job, "a-migrate")).metadata.deletionTimestamp).toBeDefined();
    cluster.run(operator(App, [migrate()]));
    expect(await later(cluster, 60_000)).toBeReady();
    await cluster.untilDeleted(Job, "a-migrate");
    expect(describeJobRuns(cluster)).toEqual(["web:1 Complete"]);
  });

  test("completes when the image changes while it runs, before a new one starts", async () => {
    await using cluster = await started({ pods: LONG });
    const before = await cluster.untilSettled(Job, "a-migrate");
    await cluster.patch(App, "a", { spec: { image: "web:2" } });
    const waiting = await later(cluster, 60_000);
    expect(waiting).toHaveCondition("MigrationReady", "False", {
      ...INFO,
      message: "job/a-migrate still runs for an earlier version: 0 of 1 pods succeeded, 1 active",
    });
    expect((await cluster.untilSettled(Job, "a-migrate")).metadata.uid).toBe(before.metadata.uid);
    expect((await cluster.untilSettled(Job, "a-migrate")).metadata.generation).toBe(before.metadata.generation);
    expect(await later(cluster, 1_500_000)).toBeReady();
    expect(describeJobRuns(cluster)).toEqual(["web:1 Complete", "web:2 Complete"]);
    const [first, second] = jobRuns(cluster);
    expect(first?.uid).not.toBe(second?.uid);
  });

  test("that failed is an error with the Job's reason, until the image changes", async () => {
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
    expect(describeJobRuns(cluster)).toEqual(["web:1 Failed"]);
    await cluster.patch(App, "a", { spec: { image: "web:2", pods: { "sim.levelset.dev/exit-code": "0" } } });
    expect(await later(cluster, 30_000)).toBeReady();
    expect(describeJobRuns(cluster)).toEqual(["web:1 Failed", "web:2 Complete"]);
  });

  test.each([
    ["DeadlineExceeded", { activeDeadlineSeconds: 10 }, LONG],
    [
      "PodFailurePolicy",
      { podFailurePolicy: { rules: [{ action: "FailJob", onExitCodes: { operator: "In", values: [1] } }] } },
      BAD,
    ],
  ] as const)("that failed by %s reports the reason", async (reason, more, pods) => {
    const desired = ({ object }: { readonly object: ObjectOf<App> }): ReturnType<typeof jobOf> => {
      const { metadata, spec } = jobOf(object);
      return { metadata, spec: { ...spec, ...more } };
    };
    await using cluster = await started({ pods }, [migrate({ desired })]);
    expect(await later(cluster, 30_000)).toHaveCondition("MigrationReady", "False", { severity: "Error", reason });
  });

  test("that failed is retried when it is deleted", async () => {
    await using cluster = await started({ pods: BAD });
    await later(cluster, 30_000);
    await cluster.delete(Job, "a-migrate");
    await later(cluster, 30_000);
    expect(describeJobRuns(cluster)).toEqual(["web:1 Failed", "web:1 Failed"]);
  });

  test("that failed and expired stays failed, and is run for another image", async () => {
    await using cluster = await started({ pods: BAD, ttl: 60 });
    const failed = await later(cluster, 600_000);
    await cluster.untilDeleted(Job, "a-migrate");
    expect(failed).toHaveCondition("MigrationReady", "False", { severity: "Error", reason: "BackoffLimitExceeded" });
    expect(failed.status?.migration).toMatchObject({ result: "Failed", reason: "BackoffLimitExceeded" });
    expect(describeJobRuns(cluster)).toEqual(["web:1 Failed"]);
    await cluster.patch(App, "a", { spec: { image: "web:2", pods: { "sim.levelset.dev/exit-code": "0" } } });
    expect(await later(cluster, 30_000)).toBeReady();
  });

  test("is not run again for changes outside of the pod template, such as a TTL", async () => {
    await using cluster = await started();
    const before = await later(cluster, 5_000);
    await cluster.patch(App, "a", { spec: { ttl: 3600, replicas: 7 } });
    const after = await later(cluster, 60_000);
    expect(after).toBeReady();
    expect(after.status?.migration).toEqual(before.status?.migration);
    expect(jobRuns(cluster)).toHaveLength(1);
  });

  test("is run again for an earlier hash, because only the last run counts", async () => {
    await using cluster = await started();
    for (const image of ["web:2", "web:1"]) {
      await later(cluster, 5_000);
      await cluster.patch(App, "a", { spec: { image } });
    }
    expect(await later(cluster, 5_000)).toBeReady();
    expect(describeJobRuns(cluster)).toEqual(["web:1 Complete", "web:2 Complete", "web:1 Complete"]);
  });

  test("that is deleted while it runs is restarted once its pods are gone", async () => {
    await using cluster = await started({ pods: { ...LONG, "sim.levelset.dev/stop-after": "20s" } });
    await later(cluster, 5_000);
    await deleteBy(cluster, "/apis/batch/v1/namespaces/default/jobs/a-migrate", "Background");
    const stopping = await later(cluster, 10_000);
    expect(stopping).toHaveCondition("MigrationReady", "False", { ...INFO, message: "job/a-migrate is being removed" });
    expect(await cluster.list(Pod)).toHaveLength(1);
    expect(await later(cluster, 900_000)).toBeReady();
    expect(describeJobRuns(cluster)).toEqual(["web:1 unfinished", "web:1 Complete"]);
  });

  test("accepts a custom hash", async () => {
    await using cluster = await started({}, [migrate({ hash: ({ spec }) => spec.image.split(":")[1] })]);
    await later(cluster, 5_000);
    await cluster.patch(App, "a", { spec: { image: "mirror/web:1" } });
    expect(await later(cluster, 5_000)).toBeReady();
    expect(describeJobRuns(cluster)).toEqual(["web:1 Complete"]);
    await cluster.patch(App, "a", { spec: { image: "mirror/web:2" } });
    expect(await later(cluster, 5_000)).toBeReady();
    expect(describeJobRuns(cluster)).toEqual(["web:1 Complete", "mirror/web:2 Complete"]);
  });

  test("is not run if none is desired, and not again when it is desired again", async () => {
    const optional = migrate({ desired: ({ object }) => (object.spec.replicas === 0 ? undefined : jobOf(object)) });
    await using cluster = await started({ replicas: 0 }, [optional]);
    expect(await later(cluster, 5_000)).toBeReady();
    expect(jobRuns(cluster)).toEqual([]);
    await cluster.patch(App, "a", { spec: { replicas: 1 } });
    expect(await later(cluster, 5_000)).toBeReady();
    await cluster.patch(App, "a", { spec: { replicas: 0 } });
    expect(await later(cluster, 5_000)).toBeReady();
    await cluster.untilDeleted(Job, "a-migrate");
    await cluster.patch(App, "a", { spec: { replicas: 1 } });
    expect(await later(cluster, 5_000)).toBeReady();
    expect(describeJobRuns(cluster)).toEqual(["web:1 Complete"]);
  });

  test("is not run again by a new process with a stale cache", async () => {
    const go = step(App, "Go", {
      reads: [reference(App, ConfigMap, () => "go")],
      do: (req) => (req.get(ConfigMap, { namespace: "default", name: "go" }) === undefined ? wait("no go") : ok()),
    });
    await using cluster = await started({}, [go, migrate()]);
    // The last write of the previous process is delayed, and the Job was removed by its TTL.
    cluster.faults.failNthEvent(1, { kind: "delay", ms: 60_000 }, ({ path }) => path.endsWith("/apps"));
    const { spec } = jobOf(await cluster.untilSettled(App, "a"));
    const record = { job: "a-migrate", uid: "1", hash: hashJson(spec?.template), result: "Complete" };
    await cluster.patchStatus(App, "a", { migration: { ...record, finishedAt: "2026-01-01T00:00:00Z" } });
    await cluster.create(ConfigMap, { name: "go" });
    await later(cluster, 30_000);
    expect(cluster.requests().some(({ method, path }) => method === "GET" && path.endsWith("/apps/a"))).toBe(true);
    expect(await later(cluster, 60_000)).toBeReady();
    expect(jobRuns(cluster)).toEqual([]);
  });

  test("neither touches nor trusts a Job of another owner under its name", async () => {
    await using cluster = await testCluster({ workloads: true });
    const template = { spec: { restartPolicy: "Never" as const, containers: [{ name: "main", image: "other" }] } };
    await cluster.create(Job, { name: "a-migrate", spec: { template } });
    await cluster.clock.advance(5_000);
    const before = await cluster.untilSettled(Job, "a-migrate");
    cluster.run(operator(App, [migrate()]));
    await cluster.apply(App, { name: "a", spec: { image: "web:1" } });
    expect(await cluster.untilSettled(App, "a")).toHaveCondition("MigrationReady", "False", {
      severity: "Error",
      reason: "NotOurs",
    });
    expect((await cluster.untilSettled(Job, "a-migrate")).metadata.resourceVersion).toBe(
      before.metadata.resourceVersion,
    );
    await cluster.delete(Job, "a-migrate");
    expect(await later(cluster, 40_000)).toBeReady();
  });

  test("of a renamed step is reported, released when it is deleted, and deleted with its object", async () => {
    await using cluster = await testCluster({ workloads: true });
    const first = cluster.run(operator(App, [migrate()]));
    await cluster.apply(App, { name: "a", spec: { image: "web:1", pods: LONG } });
    await later(cluster, 5_000);
    await first.stop();
    const renamed = migrateAs("Renamed");
    cluster.run(operator(App, [renamed]));
    expect(await cluster.untilSettled(App, "a")).toHaveCondition("MigrationReady", "False", {
      severity: "Error",
      message: "job/a-migrate was created by step Migrate; it must be deleted before this one can use its name",
    });
    await using other = await cluster.fork();
    other.run(operator(App, [renamed]));
    await deleteBy(other, "/apis/batch/v1/namespaces/default/jobs/a-migrate", "Background");
    expect(await later(other, 900_000)).toBeReady();
    await cluster.delete(App, "a");
    await cluster.clock.advance(60_000);
    await cluster.untilDeleted(App, "a");
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
    await cluster.untilDeleted(App, "a");
    expect(left).toEqual([0]);
  });

  test("that has ended is deleted with its object", async () => {
    await using cluster = await started({ pods: BAD });
    await later(cluster, 30_000);
    await cluster.delete(App, "a");
    await cluster.clock.advance(60_000);
    await cluster.untilDeleted(App, "a");
    expect(await cluster.list(Job)).toEqual([]);
  });
});

describe("a Job on deletion", () => {
  const backup = migrate({ phase: "cleanup" });

  test("runs before the cleanup of earlier steps, and leaves no objects behind", async () => {
    const story: string[] = [];
    const database = step(App, "Database", {
      cleanup: () => {
        story.push(...describeJobRuns(cluster));
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
    await cluster.untilDeleted(App, "a");
    expect(story).toEqual(["web:1 Complete"]);
    expect([await cluster.list(Job), await cluster.list(Pod)]).toEqual([[], []]);
  });

  test("is not deleted by a foreground deletion of the object", async () => {
    await using cluster = await started({}, [backup]);
    await deleteBy(cluster, "/apis/test.levelset.dev/v1/namespaces/default/apps/a", "Foreground");
    await cluster.clock.advance(30_000);
    await cluster.untilDeleted(App, "a");
    expect(describeJobRuns(cluster)).toEqual(["web:1 Complete"]);
    expect(await cluster.list(Job)).toEqual([]);
  });

  test("that failed holds the object until the Job is deleted or changed", async () => {
    await using cluster = await started({ pods: BAD }, [backup]);
    await cluster.delete(App, "a");
    const held = await later(cluster, 60_000);
    expect(held).toHaveCondition("MigrationReady", "False", { severity: "Error", reason: "BackoffLimitExceeded" });
    await cluster.patch(App, "a", { spec: { pods: { "sim.levelset.dev/exit-code": "0" } } });
    await cluster.clock.advance(60_000);
    await cluster.untilDeleted(App, "a");
    expect(describeJobRuns(cluster)).toEqual(["web:1 Failed", "web:1 Complete"]);
    expect(await cluster.list(Job)).toEqual([]);
  });

  test("can neither use outputs of steps nor be refreshed", () => {
    const first = step(App, "First", { do: () => ok(1) });
    const options = { statusField: "migration", desired: () => undefined, phase: "cleanup" } as const;
    expect(() => job(App, "Backup", { ...options, uses: [first] })).toThrow(DeclarationError);
    expect(() => job(App, "Backup", { ...options, rerun: { refreshMs: 1 } })).toThrow("leave out rerun");
  });
});

describe("a Job that is refreshed", () => {
  test("is run again when its result is too old, and the old result does not count meanwhile", async () => {
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

  test("rejects an invalid duration", () => {
    expect(() => migrate({ rerun: { refreshMs: 0 } })).toThrow(
      "refreshMs must be a number of milliseconds above 0, not 0",
    );
  });

  test("is also run again after a failure", async () => {
    await using cluster = await started({ pods: BAD }, [migrate({ rerun: { refreshMs: 60_000 } })]);
    await cluster.clock.advance(150_000);
    expect(describeJobRuns(cluster).slice(0, 2)).toEqual(["web:1 Failed", "web:1 Failed"]);
  });
});
