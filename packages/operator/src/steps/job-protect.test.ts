import { CLUSTER_ORIGIN, DeclarationError, Job, Pod } from "@levelset/core";
import type { ObjectOf } from "@levelset/core";
import { isWrite } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { operator } from "../manager/index.ts";
import type { Step } from "../step/index.ts";
import { foreignWriter } from "./foreign-writer.fixture.ts";
import { App, jobOf, jobStory, migrate } from "./app.fixture.ts";
import { job } from "./job.ts";

const LONG = { "sim.levelset.dev/run-for": "10m" };
const BAD = { "sim.levelset.dev/exit-code": "1" };
const RESULT = "test.levelset.dev/app-job";
const HELD = "test.levelset.dev/app-child";
const DELETED = {
  severity: "Error",
  reason: "ChildDeleted",
  message: "job/a-migrate is being deleted though it is needed; it is held until this object is deleted too",
} as const;

async function started(
  spec: Readonly<Record<string, unknown>> = {},
  steps: readonly Step<App>[] = [migrate({ protect: true })],
): Promise<TestCluster> {
  const cluster = await testCluster({ workloads: true });
  cluster.run(operator(App, steps));
  await cluster.apply(App, { name: "a", spec: { image: "web:1", ...spec } });
  await cluster.rest();
  return cluster;
}

async function later(cluster: TestCluster, ms: number): Promise<ObjectOf<App>> {
  await cluster.clock.advance(ms);
  return cluster.settled(App, "a");
}

async function finalizers(cluster: TestCluster, name = "a-migrate"): Promise<readonly string[] | undefined> {
  await cluster.rest();
  const found = await cluster.get(Job, name);
  return found === undefined ? undefined : (found.metadata.finalizers ?? []);
}

/** Deletes the Job as kubectl does. The default of the server would orphan its pods. */
async function deleteJob(cluster: TestCluster): Promise<void> {
  const path = "/apis/batch/v1/namespaces/default/jobs/a-migrate?propagationPolicy=Background";
  await cluster.fetch(new Request(CLUSTER_ORIGIN + path, { method: "DELETE" }));
}

async function deleteOwner(cluster: TestCluster): Promise<void> {
  await cluster.delete(App, "a");
  await cluster.clock.advance(60_000);
  await cluster.gone(App, "a");
  expect([await cluster.list(Job), await cluster.list(Pod)]).toEqual([[], []]);
}

describe("a protected Job", () => {
  test("that runs stays with its pods when another client deletes it, and its owner reports it", async () => {
    await using cluster = await started({ pods: LONG });
    expect(await finalizers(cluster)).toEqual([RESULT, HELD]);
    await deleteJob(cluster);
    expect(await later(cluster, 60_000)).toHaveCondition("MigrationReady", "False", DELETED);
    expect((await cluster.list(Pod)).map(({ status }) => status?.phase)).toEqual(["Running"]);
    expect(jobStory(cluster)).toEqual(["web:1 unfinished"]);
    const writes = cluster.faults.count(isWrite);
    await later(cluster, 120_000);
    expect(cluster.faults.count(isWrite)).toBe(writes);
    await deleteOwner(cluster);
  });

  test("that was deleted is run anew once its hash changes", async () => {
    await using cluster = await started({ pods: LONG });
    await deleteJob(cluster);
    await later(cluster, 1_000);
    await cluster.patch(App, "a", { spec: { image: "web:2", pods: { "sim.levelset.dev/run-for": "1s" } } });
    expect(await later(cluster, 60_000)).toBeReady();
    expect(jobStory(cluster)).toEqual(["web:1 unfinished", "web:2 Complete"]);
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
    expect(jobStory(cluster)).toEqual(["web:1 Complete"]);
  });

  test("is replaced by its own step when the hash changes", async () => {
    await using cluster = await started();
    await later(cluster, 10_000);
    await cluster.patch(App, "a", { spec: { image: "web:2" } });
    expect(await later(cluster, 60_000)).toBeReady();
    expect(jobStory(cluster)).toEqual(["web:1 Complete", "web:2 Complete"]);
    expect(await finalizers(cluster)).toEqual([HELD]);
    await deleteOwner(cluster);
  });

  test("with a TTL is held until its result is recorded, and then goes", async () => {
    await using cluster = await testCluster({ workloads: true });
    const first = cluster.run(operator(App, [migrate({ protect: true })]));
    await cluster.apply(App, { name: "a", spec: { image: "web:1", ttl: 0 } });
    await cluster.rest();
    await first.stop();
    await cluster.clock.advance(600_000);
    expect((await cluster.settled(Job, "a-migrate")).metadata.deletionTimestamp).toBeDefined();
    cluster.run(operator(App, [migrate({ protect: true })]));
    expect(await later(cluster, 60_000)).toBeReady();
    await cluster.gone(Job, "a-migrate");
    expect(jobStory(cluster)).toEqual(["web:1 Complete"]);
  });

  test("that has failed may be deleted, which asks for another try", async () => {
    await using cluster = await started({ pods: BAD });
    expect(await later(cluster, 30_000)).toHaveCondition("MigrationReady", "False", { reason: "BackoffLimitExceeded" });
    expect(await finalizers(cluster)).toEqual([]);
    await deleteJob(cluster);
    await later(cluster, 30_000);
    expect(jobStory(cluster)).toEqual(["web:1 Failed", "web:1 Failed"]);
  });

  test("is released when its owner is deleted without its dependents", async () => {
    await using cluster = await started();
    await later(cluster, 10_000);
    const path = "/apis/test.levelset.dev/v1/namespaces/default/apps/a?propagationPolicy=Orphan";
    await cluster.fetch(new Request(CLUSTER_ORIGIN + path, { method: "DELETE" }));
    await cluster.clock.advance(60_000);
    await cluster.gone(App, "a");
    const left = await cluster.get(Job, "a-migrate");
    expect([left?.metadata.finalizers ?? [], left?.metadata.deletionTimestamp]).toEqual([[], undefined]);
  });

  test("does not protect the Job of another step", async () => {
    const other = job(App, "Backup", { remember: "backup", desired: ({ object }) => jobOf(object, "backup") });
    await using cluster = await started({}, [other, migrate({ protect: true })]);
    expect(await later(cluster, 30_000)).toBeReady();
    expect([await finalizers(cluster, "a-backup"), await finalizers(cluster)]).toEqual([[], [HELD]]);
    await cluster.patch(App, "a", { spec: { image: "web:2" } });
    expect(await later(cluster, 60_000)).toBeReady();
    expect(jobStory(cluster, "a-backup")).toEqual(["web:1 Complete", "web:2 Complete"]);
    await deleteOwner(cluster);
  });

  test("is protected also if it ran before its step asked for that, and released when its step no longer does", async () => {
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
    expect(jobStory(cluster)).toEqual(["web:1 Complete"]);
  });

  test("is contested where another client removes its finalizers each time", async () => {
    await using cluster = await testCluster({ workloads: true });
    foreignWriter(cluster, Job, ({ metadata }) =>
      metadata.finalizers === undefined ? undefined : { patch: { metadata: { finalizers: null } } },
    );
    cluster.run(operator(App, [migrate({ protect: true })]));
    await cluster.apply(App, { name: "a", spec: { image: "web:1", pods: LONG } });
    expect(await later(cluster, 120_000)).toHaveCondition("Ready", "False", {
      reason: "Contested",
      message: /^metadata\.finalizers\[="test\.levelset\.dev\/app-child"\] of job\/a-migrate is changed back/u,
    });
  });

  test("takes protect as true or false", () => {
    const desired = (): undefined => undefined;
    // @ts-expect-error A text is neither.
    expect(job(App, "A", { remember: "migration", desired, protect: "yes" })).toBeDefined();
    // @ts-expect-error There is no such option.
    expect(job(App, "A", { remember: "migration", desired, protects: true })).toBeDefined();
  });

  test("that runs on deletion is refused: its object is going", () => {
    expect(() => migrate({ when: "cleanup", protect: true })).toThrow(DeclarationError);
    expect(() => migrate({ when: "cleanup", protect: true })).toThrow("leave out protect");
  });
});
