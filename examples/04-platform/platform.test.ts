import { ConfigMap, Deployment, Namespace, Service } from "@levelset/core";
import { isWrite } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { ClusterActiveOperand, Operand } from "@levelset/operator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import operators, { Platform } from "./platform.ts";

const SPEC = { version: "1.0", workers: 2, metrics: true, settings: { LOG_LEVEL: "info" } };

/** A cluster with a platform that is ready, without a running operator. Tests use forks of it. */
let prepared: TestCluster;

beforeAll(async () => {
  prepared = await testCluster({ workloads: true });
  const running = prepared.run(operators);
  await prepared.apply(Platform, { name: "shop", spec: SPEC });
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

/** Returns the Deployments of the platform with their images. */
async function images(cluster: TestCluster): Promise<readonly string[]> {
  const all = await cluster.list(Deployment, "shop");
  return all.map(({ metadata, spec }) => `${metadata.name} ${spec?.template.spec?.containers[0]?.image ?? ""}`);
}

describe("Platform", () => {
  test("installs all objects, metrics last", async () => {
    await using cluster = await ready();
    const platform = await cluster.untilSettled(Platform, "shop");
    expect(platform).toBeReady();
    expect(platform.status).toMatchObject({ version: "1.0", objects: 9 });
    expect(await images(cluster)).toEqual([
      "gateway registry.example/gateway:1.0",
      "metrics registry.example/metrics:1.0",
      "worker registry.example/worker:1.0",
    ]);
    const [metrics] = cluster.history(Deployment, "metrics", "shop");
    const gateway = cluster
      .history(Deployment, "gateway", "shop")
      .findLast((one) => Number(one.metadata.resourceVersion) < Number(metrics?.metadata.resourceVersion));
    expect(gateway?.status?.readyReplicas).toBe(2);
  });

  test("is not ready until the new version is rolled out", async () => {
    await using cluster = await ready();
    await cluster.patch(Platform, "shop", { spec: { version: "2.0" } });
    const updating = await cluster.untilSettled(Platform, "shop");
    expect(updating).toHaveCondition("Ready", "False", {
      reason: "Waiting",
      message: /deployment\.apps\/gateway in shop/u,
    });
    expect(updating.status).not.toHaveProperty("version");
    await cluster.clock.advance(30_000);
    const platform = await cluster.untilSettled(Platform, "shop");
    expect(platform).toBeReady();
    expect(platform.status?.version).toBe("2.0");
    expect(await images(cluster)).toContain("worker registry.example/worker:2.0");
  });

  test("prunes objects only when all others are healthy in the new version", async () => {
    await using cluster = await ready();
    await cluster.patch(Platform, "shop", { spec: { version: "does-not-exist", metrics: false } });
    await cluster.clock.advance(1_200_000);
    expect(await cluster.untilSettled(Platform, "shop")).toHaveCondition("Ready", "False", { severity: "Error" });
    expect(await cluster.get(Deployment, "metrics", "shop")).toBeDefined();
    await cluster.patch(Platform, "shop", { spec: { version: "2.0" } });
    await cluster.clock.advance(60_000);
    expect(await cluster.untilSettled(Platform, "shop")).toBeReady();
    expect(await cluster.get(Deployment, "metrics", "shop")).toBeUndefined();
    expect(await cluster.get(Service, "metrics", "shop")).toBeUndefined();
  });

  test("restores objects that another client changes or deletes", async () => {
    await using cluster = await ready();
    await cluster.patch(ConfigMap, "settings", { data: { LOG_LEVEL: "debug" } }, "shop");
    await cluster.delete(Service, "gateway", "shop");
    await cluster.untilIdle();
    expect((await cluster.get(ConfigMap, "settings", "shop"))?.data).toEqual({ LOG_LEVEL: "info" });
    expect(await cluster.get(Service, "gateway", "shop")).toBeDefined();
    expect(await cluster.untilSettled(Platform, "shop")).toBeReady();
  });

  test("on deletion deletes all objects except the namespace", async () => {
    await using cluster = await ready();
    await cluster.delete(Platform, "shop");
    await cluster.untilDeleted(Platform, "shop");
    await cluster.untilDeleted(Operand, "shop");
    expect(await cluster.list(ClusterActiveOperand)).toEqual([]);
    expect(await images(cluster)).toEqual([]);
    expect(await cluster.get(ConfigMap, "settings", "shop")).toBeUndefined();
    expect(await cluster.get(Namespace, "shop")).toBeDefined();
  });

  test("writes nothing when settled", async () => {
    await using cluster = await ready();
    await cluster.clock.advance(3_600_000);
    expect(cluster.faults.count(isWrite)).toBe(0);
  });
});
