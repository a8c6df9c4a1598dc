import { CLUSTER_ORIGIN } from "@levelset/core/internal";
import { DeclarationError, Job, Pod } from "@levelset/core";
import { isWrite } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { operator } from "../../manager/index.ts";
import type { Step } from "../../engine/index.ts";
import { foreignWriter } from "../child/foreign-writer.fixture.ts";
import { later, started as startedWith } from "./app-cluster.fixture.ts";
import { App, jobOf, describeJobRuns, migrate } from "./app.fixture.ts";
import { job } from "./job.ts";

const LONG = { "sim.levelset.dev/run-for": "10m" };
const BAD = { "sim.levelset.dev/exit-code": "1" };
const RESULT = "test.levelset.dev/app-job";
const HELD = "test.levelset.dev/app-child";
const DELETED = {
  severity: "Error",
  reason: "ChildDeleted",
  message: "job/a-migrate is being deleted but is still needed; its finalizer stays until this object is deleted too",
} as const;

/** A settled cluster with an App whose Job is protected. */
function started(
  spec: Readonly<Record<string, unknown>> = {},
  steps: readonly Step<App>[] = [migrate({ protect: true })],
): Promise<TestCluster> {
  return startedWith(spec, steps);
}

async function finalizers(cluster: TestCluster, name = "a-migrate"): Promise<readonly string[] | undefined> {
  await cluster.untilIdle();
  const found = await cluster.get(Job, name);
  return found === undefined ? undefined : (found.metadata.finalizers ?? []);
}

/** Deletes the Job as kubectl does. The server's default would orphan its pods. */
async function deleteJob(cluster: TestCluster): Promise<void> {
  const path = "/apis/batch/v1/namespaces/default/jobs/a-migrate?propagationPolicy=Background";
  await cluster.fetch(new Request(CLUSTER_ORIGIN + path, { method: "DELETE" }));
}

async function deleteOwner(cluster: TestCluster): Promise<void> {
  await cluster.delete(App, "a");
  await cluster.clock.advance(60_000);
  await cluster.untilDeleted(App, "a");
  expect([await cluster.list(Job), await cluster.list(Pod)]).toEqual([[], []]);
}

describe("a protected Job", () => {
  test("that is running stays with its pods when another client deletes it, and its owner reports it", async () => {
    await using cluster = await started({ pods: LONG });
    expect(await finalizers(cluster)).toEqual([RESULT, HELD]);
    await deleteJob(cluster);
    expect(await later(cluster, 60_000)).toHaveCondition("MigrationReady", "False", DELETED);
    expect((await cluster.list(Pod)).map(({ status }) => status?.phase)).toEqual(["Running"]);
    expect(describeJobRuns(cluster)).toEqual(["web:1 unfinished"]);
    const writes = cluster.faults.count(isWrite);
    await later(cluster, 120_000);
    expect(cluster.faults.count(isWrite)).toBe(writes);
    await deleteOwner(cluster);
  });

  test("that was deleted is run again once its hash changes", async () => {
    await using cluster = await started({ pods: LONG });
    await deleteJob(cluster);
    await later(cluster, 1_000);
    await cluster.patch(App, "a", { spec: { image: "web:2", pods: { "sim.levelset.dev/run-for": "1s" } } });
    expect(await later(cluster, 60_000)).toBeReady();
    expect(describeJobRuns(cluster)).toEqual(["web:1 unfinished", "web:2 Complete"]);
    await deleteOwner(cluster);
  });

  test("that has completed stays until its owner is deleted", async () => {
    await using cluster = await started();
    expect(await later(cluster, 10_000)).toBeReady();
    expect(await finalizers(cluster)).toEqual([HELD]);
    await deleteJob(cluster);
    expect(await later(cluster, 60_000)).toHaveCondition("MigrationReady", "False", DELETED);
    expect(await finalizers(cluster)).toEqual([HELD]);
    await deleteOwner(cluster);
    expect(describeJobRuns(cluster)).toEqual(["web:1 Complete"]);
  });

  test("is replaced by its own step when the hash changes", async () => {
    await using cluster = await started();
    await later(cluster, 10_000);
    await cluster.patch(App, "a", { spec: { image: "web:2" } });
    expect(await later(cluster, 60_000)).toBeReady();
    expect(describeJobRuns(cluster)).toEqual(["web:1 Complete", "web:2 Complete"]);
    expect(await finalizers(cluster)).toEqual([HELD]);
    await deleteOwner(cluster);
  });

  test("with a TTL is held until its result is recorded, and then deleted", async () => {
    await using cluster = await testCluster({ workloads: true });
    const first = cluster.run(operator(App, [migrate({ protect: true })]));
    await cluster.apply(App, { name: "a", spec: { image: "web:1", ttl: 0 } });
    await cluster.untilIdle();
    await first.stop();
    await cluster.clock.advance(600_000);
    expect((await cluster.untilSettled(Job, "a-migrate")).metadata.deletionTimestamp).toBeDefined();
    cluster.run(operator(App, [migrate({ protect: true })]));
    expect(await later(cluster, 60_000)).toBeReady();
    await cluster.untilDeleted(Job, "a-migrate");
    expect(describeJobRuns(cluster)).toEqual(["web:1 Complete"]);
  });

  test("that has failed may be deleted to request another attempt", async () => {
    await using cluster = await started({ pods: BAD });
    expect(await later(cluster, 30_000)).toHaveCondition("MigrationReady", "False", { reason: "BackoffLimitExceeded" });
    expect(await finalizers(cluster)).toEqual([]);
    await deleteJob(cluster);
    await later(cluster, 30_000);
    expect(describeJobRuns(cluster)).toEqual(["web:1 Failed", "web:1 Failed"]);
  });

  test("is released when its owner is deleted with orphan propagation", async () => {
    await using cluster = await started();
    await later(cluster, 10_000);
    const path = "/apis/test.levelset.dev/v1/namespaces/default/apps/a?propagationPolicy=Orphan";
    await cluster.fetch(new Request(CLUSTER_ORIGIN + path, { method: "DELETE" }));
    await cluster.clock.advance(60_000);
    await cluster.untilDeleted(App, "a");
    const left = await cluster.get(Job, "a-migrate");
    expect([left?.metadata.finalizers ?? [], left?.metadata.deletionTimestamp]).toEqual([[], undefined]);
  });

  test.each([true, false])(
    "that runs goes on without its owner after orphan propagation, protect: %s",
    async (protect) => {
      await using cluster = await started({ pods: LONG }, [migrate({ protect })]);
      const before = await cluster.untilSettled(Job, "a-migrate");
      const path = "/apis/test.levelset.dev/v1/namespaces/default/apps/a?propagationPolicy=Orphan";
      await cluster.fetch(new Request(CLUSTER_ORIGIN + path, { method: "DELETE" }));
      await cluster.untilIdle();
      await cluster.clock.advance(1_800_000);
      await cluster.untilDeleted(App, "a");
      const left = await cluster.untilSettled(Job, "a-migrate");
      expect(left.metadata).toMatchObject({ uid: before.metadata.uid });
      expect([left.metadata.finalizers ?? [], left.metadata.ownerReferences ?? []]).toEqual([[], []]);
      expect(describeJobRuns(cluster)).toEqual(["web:1 Complete"]);
    },
  );

  test("does not protect the Job of another step", async () => {
    const other = job(App, "Backup", { statusField: "backup", desired: ({ object }) => jobOf(object, "backup") });
    await using cluster = await started({}, [other, migrate({ protect: true })]);
    expect(await later(cluster, 30_000)).toBeReady();
    expect([await finalizers(cluster, "a-backup"), await finalizers(cluster)]).toEqual([[], [HELD]]);
    await cluster.patch(App, "a", { spec: { image: "web:2" } });
    expect(await later(cluster, 60_000)).toBeReady();
    expect(describeJobRuns(cluster, "a-backup")).toEqual(["web:1 Complete", "web:2 Complete"]);
    await deleteOwner(cluster);
  });

  test("is protected if it ran before, and released when its step no longer protects it", async () => {
    await using cluster = await testCluster({ workloads: true });
    const first = cluster.run(operator(App, [migrate()]));
    await cluster.apply(App, { name: "a", spec: { image: "web:1" } });
    await later(cluster, 10_000);
    await first.stop();
    const second = cluster.run(operator(App, [migrate({ protect: true })]));
    expect(await later(cluster, 1_000)).toBeReady();
    expect(await finalizers(cluster)).toEqual([HELD]);
    await second.stop();
    cluster.run(operator(App, [migrate()]));
    expect(await later(cluster, 1_000)).toBeReady();
    expect(await finalizers(cluster)).toEqual([]);
    expect(describeJobRuns(cluster)).toEqual(["web:1 Complete"]);
  });

  test("is contested if another client keeps removing its finalizers", async () => {
    await using cluster = await testCluster({ workloads: true });
    foreignWriter(cluster, Job, ({ metadata }) =>
      metadata.finalizers === undefined ? undefined : { patch: { metadata: { finalizers: null } } },
    );
    cluster.run(operator(App, [migrate({ protect: true })]));
    await cluster.apply(App, { name: "a", spec: { image: "web:1", pods: LONG } });
    expect(await later(cluster, 120_000)).toHaveCondition("Ready", "False", {
      reason: "Contested",
      message: /^metadata\.finalizers\[="test\.levelset\.dev\/app-child"\] of job\/a-migrate is reverted/u,
    });
  });

  test("accepts only a boolean for protect", () => {
    const desired = (): undefined => undefined;
    // @ts-expect-error A string is not a boolean.
    expect(job(App, "A", { statusField: "migration", desired, protect: "yes" })).toBeDefined();
    // @ts-expect-error Unknown option.
    expect(job(App, "A", { statusField: "migration", desired, protects: true })).toBeDefined();
  });

  test("on deletion is rejected, because its object is being deleted", () => {
    expect(() => migrate({ phase: "cleanup", protect: true })).toThrow(DeclarationError);
    expect(() => migrate({ phase: "cleanup", protect: true })).toThrow("leave out protect");
  });
});
