import { Job, kind, Namespace, s, Secret } from "@levelset/core";
import type { Runnable } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { reference, step, ok } from "../engine/index.ts";
import { operator } from "../manager/index.ts";
import { external, job, jobRecord } from "./index.ts";
import type { ExternalOptions, JobOptions } from "./index.ts";

const NS = "going";
const App = kind({
  group: "test.levelset.dev",
  version: "v1",
  kind: "App",
  spec: s.object({ secret: s.string().default("password") }),
  status: s.object({ backup: jobRecord.optional() }),
});
type App = typeof App;

const FORCE = "levelset.dev/force-cleanup";
const skipLog = (step: string, why: string): unknown =>
  expect.objectContaining({
    level: "warn",
    message: "cleanup skipped in a terminating namespace",
    fields: expect.objectContaining({
      message: `cleanup of step ${step} is skipped, because namespace ${NS} is being deleted: ${why}`,
    }),
  });

async function run(cluster: TestCluster, runnable: Runnable): Promise<void> {
  await cluster.create(Namespace, { name: NS });
  cluster.run(runnable);
  await cluster.create(Secret, { name: "password", namespace: NS });
  await cluster.create(App, { name: "a", namespace: NS, spec: {} });
  expect(await cluster.untilSettled(App, "a", NS)).toBeReady();
}

/** Deletes the namespace with all its content. */
async function deleteNamespace(cluster: TestCluster): Promise<void> {
  await cluster.delete(Namespace, NS);
  await cluster.untilIdle();
  await cluster.clock.advance(60_000);
  await cluster.untilIdle();
}

describe("a Job on deletion", () => {
  const earlier = step(App, "Earlier", { condition: "EarlierReady", do: () => ok(), cleanup: () => ok() });
  const backup = (options: Partial<JobOptions<App, readonly []>> = {}): Runnable =>
    operator(App, [
      earlier,
      job(App, "Backup", {
        condition: "BackupReady",
        statusField: "backup",
        phase: "cleanup",
        desired: ({ name }) => ({
          metadata: { name: `${name}-backup` },
          spec: { template: { spec: { restartPolicy: "Never", containers: [{ name: "main", image: "backup:1" }] } } },
        }),
        ...options,
      }),
    ]);

  test("is skipped in a terminating namespace, and the object is deleted", async () => {
    await using cluster = await testCluster({ workloads: true });
    await run(cluster, backup());
    await deleteNamespace(cluster);
    expect(await cluster.get(App, "a", NS)).toBeUndefined();
    expect(await cluster.get(Namespace, NS)).toBeUndefined();
    expect(cluster.logs).toContainEqual(skipLog("Backup", "job/a-backup cannot be created"));
  });

  test("blocks the deletion if it must not be skipped, until a person skips it", async () => {
    await using cluster = await testCluster({ workloads: true });
    await run(cluster, backup({ onNamespaceTermination: "block" }));
    await deleteNamespace(cluster);
    const message = `namespace ${NS} is being deleted: job/a-backup cannot be created; to delete the object without this cleanup, set its annotation ${FORCE} to Backup`;
    expect(await cluster.untilSettled(App, "a", NS)).toHaveCondition("BackupReady", "False", {
      severity: "Error",
      reason: "NamespaceTerminating",
      message,
    });
    await cluster.patch(App, "a", { metadata: { annotations: { [FORCE]: "Backup" } } }, NS);
    await cluster.untilIdle();
    await cluster.clock.advance(60_000);
    await cluster.untilDeleted(Namespace, NS);
  });

  test("that runs when its namespace is deleted does not block it", async () => {
    await using cluster = await testCluster({ workloads: true });
    await run(cluster, backup());
    await cluster.delete(App, "a", NS);
    await cluster.untilIdle();
    expect((await cluster.untilSettled(Job, "a-backup", NS)).status?.active).toBe(1);
    await deleteNamespace(cluster);
    await cluster.clock.advance(120_000);
    await cluster.untilDeleted(Namespace, NS);
  });

  test("runs as usual if only the object is deleted", async () => {
    await using cluster = await testCluster({ workloads: true });
    await run(cluster, backup());
    await cluster.delete(App, "a", NS);
    await cluster.untilIdle();
    await cluster.clock.advance(60_000);
    await cluster.untilDeleted(App, "a", NS);
    expect(cluster.logs).not.toContainEqual(skipLog("Backup", "job/a-backup cannot be created"));
  });
});

describe("an external resource whose credentials are gone", () => {
  const key = { namespace: NS, name: "password" };
  const bucket = (options: Partial<ExternalOptions<App, string, readonly []>> = {}): Runnable =>
    operator(App, [
      external(App, "Bucket", {
        condition: "BucketReady",
        reads: [reference(App, Secret, ({ spec }) => spec.secret)],
        observe: () => Promise.resolve({ state: "current", value: "bucket" }),
        apply: () => Promise.resolve({ state: "current", value: "bucket" }),
        delete: (req) => {
          if (req.get(Secret, key) === undefined) throw new Error("no password");
          return Promise.resolve("deleted");
        },
        ...options,
      }),
    ]);

  test("is skipped in a terminating namespace, and the object is deleted", async () => {
    await using cluster = await testCluster();
    await run(cluster, bucket());
    await deleteNamespace(cluster);
    await cluster.untilDeleted(Namespace, NS);
    expect(cluster.logs).toContainEqual(skipLog("Bucket", "secret/password is gone"));
  });

  test("blocks the deletion in a namespace that stays, until they are back", async () => {
    await using cluster = await testCluster();
    await run(cluster, bucket());
    await cluster.delete(Secret, "password", NS);
    await cluster.delete(App, "a", NS);
    await cluster.untilIdle();
    await cluster.clock.advance(60_000);
    expect(await cluster.untilSettled(App, "a", NS)).toHaveCondition("BucketReady", "False", {
      severity: "Warning",
      message: "delete: no password",
    });
    await cluster.create(Secret, { name: "password", namespace: NS });
    await cluster.untilDeleted(App, "a", NS);
  });

  test("blocks the deletion if it must not be skipped", async () => {
    await using cluster = await testCluster();
    await run(cluster, bucket({ onNamespaceTermination: "block" }));
    await deleteNamespace(cluster);
    expect(await cluster.untilSettled(App, "a", NS)).toHaveCondition("BucketReady", "False", {
      message: "delete: no password",
    });
  });

  test("blocks the deletion as long as the operator may not read its namespace", async () => {
    await using cluster = await testCluster();
    await run(cluster, bucket());
    const isRead = ({ path }: { readonly path: string }): boolean => path === `/api/v1/namespaces/${NS}`;
    cluster.faults.failNth(1, { kind: "status", reason: "Forbidden" }, isRead);
    await cluster.delete(Namespace, NS);
    const failed = await cluster.untilSettled(App, "a", NS);
    expect(failed).toHaveCondition("BucketReady", "False", { message: "delete: no password" });
    await cluster.clock.advance(60_000);
    await cluster.untilDeleted(App, "a", NS);
  });

  test("is deleted in a terminating namespace as long as they are there", async () => {
    await using cluster = await testCluster();
    await run(cluster, bucket({ reads: [], delete: () => Promise.resolve("deleted") }));
    await deleteNamespace(cluster);
    await cluster.untilDeleted(Namespace, NS);
    expect(cluster.logs).not.toContainEqual(skipLog("Bucket", "secret/password is gone"));
  });
});
