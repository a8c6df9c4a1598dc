import { ConfigMap, Deployment, findCondition, isReady, Job, Node, Pod, StatefulSet } from "@levelset/core";
import { isWrite } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Database } from "./database.ts";
import operators, { ServiceWithDB } from "./service-with-db.ts";

const SPEC = { image: "shop:1.8", replicas: 2, passwordSecret: "shop-db" };

/** A cluster with a shop that is ready, without a running operator. Tests use forks of it. */
let prepared: TestCluster;

beforeAll(async () => {
  prepared = await testCluster({ workloads: true });
  const running = prepared.run(operators);
  await prepared.apply(ServiceWithDB, { name: "shop", spec: SPEC });
  await prepared.clock.advance(30_000);
  await prepared.untilIdle();
  await running.stop();
});

afterAll(async () => {
  await prepared[Symbol.asyncDispose]();
});

async function ready(): Promise<TestCluster> {
  const cluster = await prepared.fork();
  cluster.run(operators);
  await cluster.untilIdle();
  return cluster;
}

/** Returns the images of all pods. */
async function pods(cluster: TestCluster): Promise<readonly string[]> {
  return (await cluster.list(Pod)).map(({ spec }) => spec?.containers[0]?.image ?? "").toSorted();
}

describe("ServiceWithDB", () => {
  test("becomes ready from the bottom up: database, config, migration, deployment", async () => {
    await using cluster = await ready();
    const shop = await cluster.untilSettled(ServiceWithDB, "shop");
    expect(shop).toBeReady();
    expect(shop.status?.conditions?.map(({ type, status }) => `${type} ${status}`)).toEqual([
      "Ready True",
      "ConfigReady True",
      "DatabaseReady True",
      "DeploymentReady True",
      "MigrationReady True",
    ]);
    expect(shop.status).toMatchObject({ databaseHost: "shop-db.default.svc", readyReplicas: 2 });
    expect(await cluster.untilSettled(Database, "shop-db")).toBeReady();
    expect((await cluster.get(ConfigMap, "shop-config"))?.data).toEqual({
      DATABASE_HOST: "shop-db.default.svc",
      LOG_LEVEL: "info",
    });
    // Each one is created only after those that it depends on are ready.
    const firstAt = (created: string | undefined): number => Date.parse(created ?? "");
    const order = [
      firstAt((await cluster.get(StatefulSet, "shop-db"))?.metadata.creationTimestamp),
      firstAt((await cluster.get(Job, "shop-migrate"))?.metadata.creationTimestamp),
      firstAt((await cluster.get(Deployment, "shop"))?.metadata.creationTimestamp),
    ];
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });

  test("a new image is migrated before it is rolled out, and the object is not Ready before both are done", async () => {
    await using cluster = await ready();
    const before = await cluster.untilSettled(ServiceWithDB, "shop");
    await cluster.patch(ServiceWithDB, "shop", { spec: { image: "shop:1.9" } });
    const migrating = await cluster.untilSettled(ServiceWithDB, "shop");
    expect(migrating).toHaveCondition("MigrationReady", "False", { severity: "Info" });
    expect(migrating).toHaveCondition("DeploymentReady", "Unknown", { reason: "NotReached" });
    expect(await pods(cluster)).toEqual(["postgres:17", "shop:1.8", "shop:1.8", "shop:1.9"]);
    await cluster.clock.advance(30_000);
    const shop = await cluster.untilSettled(ServiceWithDB, "shop");
    expect(shop).toBeReady();
    expect(shop.status?.migration?.hash).not.toBe(before.status?.migration?.hash);
    expect(await pods(cluster)).toEqual(["postgres:17", "shop:1.9", "shop:1.9", "shop:1.9"]);
    for (const { status } of cluster.history(ServiceWithDB, "shop")) {
      const [condition] = status?.conditions ?? [];
      const isReported = status?.observedGeneration === 2 && condition?.status === "True";
      expect(isReported && status?.migration?.hash !== shop.status?.migration?.hash).toBe(false);
    }
  });

  test("a new setting restarts the pods without a new migration", async () => {
    await using cluster = await ready();
    const migration = (await cluster.untilSettled(ServiceWithDB, "shop")).status?.migration;
    const template = (await cluster.get(Deployment, "shop"))?.spec?.template;
    await cluster.patch(ServiceWithDB, "shop", { spec: { logLevel: "debug" } });
    await cluster.clock.advance(30_000);
    const shop = await cluster.untilSettled(ServiceWithDB, "shop");
    expect(shop).toBeReady();
    expect(shop.status?.migration).toEqual(migration);
    expect((await cluster.get(Deployment, "shop"))?.spec?.template).not.toEqual(template);
    expect((await cluster.get(Deployment, "shop"))?.metadata.generation).toBe(2);
  });

  test("is not ready while its Deployment is not, and reports how many replicas are missing", async () => {
    await using cluster = await ready();
    await cluster.patch(Node, "levelset-node-0", { spec: { unschedulable: true } });
    await cluster.patch(ServiceWithDB, "shop", { spec: { replicas: 3 } });
    await cluster.clock.advance(30_000);
    const shop = await cluster.untilSettled(ServiceWithDB, "shop");
    const waiting = { severity: "Info", message: "deployment/shop: 2 of 3 updated replicas available" } as const;
    expect(shop).toHaveCondition("DeploymentReady", "False", waiting);
    expect(shop).toHaveCondition("Ready", "False", waiting);
    expect(shop.status?.observedGeneration).toBe(2);
    await cluster.patch(Node, "levelset-node-0", { spec: { unschedulable: false } });
    await cluster.clock.advance(30_000);
    expect(await cluster.untilSettled(ServiceWithDB, "shop")).toBeReady();
  });

  test("reports a failure of the database with its message, and keeps the service running", async () => {
    await using cluster = await ready();
    await cluster.delete(Pod, "shop-db-0");
    await cluster.patch(Node, "levelset-node-0", { spec: { unschedulable: true } });
    await cluster.clock.advance(30_000);
    const shop = await cluster.untilSettled(ServiceWithDB, "shop");
    expect(shop).toHaveCondition("Ready", "False", {
      severity: "Info",
      message: "database/shop-db: statefulset/shop-db: 0 of 1 replicas ready",
    });
    expect((await cluster.get(Deployment, "shop"))?.status?.readyReplicas).toBe(2);
  });

  test("a database that another client deletes stays with its data and is reported", async () => {
    await using cluster = await ready();
    await cluster.delete(Database, "shop-db");
    const shop = await cluster.untilSettled(ServiceWithDB, "shop");
    expect(shop).toHaveCondition("Ready", "False", { severity: "Error", reason: "ChildDeleted" });
    await cluster.clock.advance(600_000);
    expect((await cluster.untilSettled(StatefulSet, "shop-db")).status?.readyReplicas).toBe(1);
    expect((await cluster.get(Deployment, "shop"))?.status?.readyReplicas).toBe(2);
  });

  test("on deletion it releases the database, and all children are deleted", async () => {
    await using cluster = await ready();
    await cluster.delete(ServiceWithDB, "shop");
    await cluster.clock.advance(30_000);
    await cluster.untilDeleted(ServiceWithDB, "shop");
    const database = cluster.history(Database, "shop-db").at(-1);
    expect(database?.metadata.finalizers ?? []).toEqual([]);
    const left: string[] = [];
    for (const kind of [Database, ConfigMap, Job, Deployment, StatefulSet, Pod]) {
      left.push(...(await cluster.list(kind)).map(({ metadata }) => `${kind.kind} ${metadata.name}`));
    }
    expect(left.filter((name) => name.includes(" shop"))).toEqual([]);
  });

  test("a change causes at most two writes of the object, and one more for each reported rollout step", async () => {
    await using cluster = await ready();
    await cluster.patch(ServiceWithDB, "shop", { spec: { logLevel: "debug" } });
    const before = cluster.history(ServiceWithDB, "shop").length;
    await cluster.untilIdle();
    expect(cluster.writes(ServiceWithDB, "shop")).toBeLessThanOrEqual(2);
    await cluster.clock.advance(30_000);
    await cluster.untilIdle();
    const reported = cluster.history(ServiceWithDB, "shop").slice(before);
    expect(cluster.writes(ServiceWithDB, "shop")).toBe(reported.length);
    expect(new Set(reported.map(({ status }) => JSON.stringify(status))).size).toBe(reported.length);
  });

  test("changes nothing when settled, also after a restart of the operator", async () => {
    await using cluster = await ready();
    await cluster.clock.advance(3_600_000);
    // A new process applies the StatefulSet once: the server completes its volumeClaimTemplates, an atomic list.
    expect(cluster.faults.count(isWrite)).toBe(1);
    expect(cluster.writes(StatefulSet, "shop-db")).toBe(1);
    expect(await cluster.get(StatefulSet, "shop-db")).toEqual(await prepared.get(StatefulSet, "shop-db"));
    expect(isReady(await cluster.untilSettled(ServiceWithDB, "shop"))).toBe(true);
  });

  test("is never Ready while a child is not ready for its own latest spec", async () => {
    await using cluster = await ready();
    for (const patch of [{ logLevel: "debug" }, { replicas: 1 }, { image: "shop:2.0" }, { image: "shop:2.1" }]) {
      await cluster.patch(ServiceWithDB, "shop", { spec: patch });
      await cluster.clock.advance(700);
    }
    await cluster.clock.advance(30_000);
    expect(await cluster.untilSettled(ServiceWithDB, "shop")).toBeReady();
    let checked = 0;
    for (const { metadata, spec, status } of cluster.history(ServiceWithDB, "shop")) {
      const isReported = findCondition(status?.conditions, "Ready")?.status === "True";
      if (!isReported || status?.observedGeneration !== metadata.generation) continue;
      const then = cluster
        .history(Deployment, "shop")
        .findLast((one) => Number(one.metadata.resourceVersion) < Number(metadata.resourceVersion));
      expect(then?.spec?.template.spec?.containers[0]?.image).toBe(spec.image);
      expect(then?.status?.observedGeneration).toBe(then?.metadata.generation);
      expect(then?.status?.readyReplicas ?? 0).toBe(spec.replicas);
      checked++;
    }
    expect(checked).toBeGreaterThan(1);
  });
});
