import { ConfigMap, Deployment, Namespace, Service } from "@levelset/core";
import { isWrite } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { ClusterActiveOperand, Operand } from "@levelset/operator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import operators, { Platform } from "./platform.ts";

const SPEC = { version: "1.0", workers: 2, metrics: true, settings: { LOG_LEVEL: "info" } };

/** A cluster with a platform that is ready, and nothing running in it: tests go on from a fork. */
let prepared: TestCluster;

beforeAll(async () => {
  prepared = await testCluster({ workloads: true });
  const running = prepared.run(operators);
  await prepared.apply(Platform, { name: "shop", spec: SPEC });
  await prepared.clock.advance(30_000);
  await prepared.rest();
  await running.stop();
});

afterAll(async () => {
  await prepared[Symbol.asyncDispose]();
});

async function ready(): Promise<TestCluster> {
  const cluster = await prepared.fork();
  cluster.run(operators);
  await cluster.rest();
  return cluster;
}

/** What runs, and of which image. */
async function images(cluster: TestCluster): Promise<readonly string[]> {
  const all = await cluster.list(Deployment, "shop");
  return all.map(({ metadata, spec }) => `${metadata.name} ${spec?.template.spec?.containers[0]?.image ?? ""}`);
}

describe("Platform", () => {
  test("installs all that it consists of, metrics last", async () => {
    await using cluster = await ready();
    const platform = await cluster.settled(Platform, "shop");
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

  test("is not ready with a new version before that runs", async () => {
    await using cluster = await ready();
    await cluster.patch(Platform, "shop", { spec: { version: "2.0" } });
    const updating = await cluster.settled(Platform, "shop");
    expect(updating).toHaveCondition("Ready", "False", {
      reason: "Waiting",
      message: /deployment\.apps\/gateway in shop/u,
    });
    expect(updating.status).not.toHaveProperty("version");
    await cluster.clock.advance(30_000);
    const platform = await cluster.settled(Platform, "shop");
    expect(platform).toBeReady();
    expect(platform.status?.version).toBe("2.0");
    expect(await images(cluster)).toContain("worker registry.example/worker:2.0");
  });

  test("keeps what it is to give up until all the rest runs in its new version", async () => {
    await using cluster = await ready();
    await cluster.patch(Platform, "shop", { spec: { version: "does-not-exist", metrics: false } });
    await cluster.clock.advance(1_200_000);
    expect(await cluster.settled(Platform, "shop")).toHaveCondition("Ready", "False", { severity: "Error" });
    expect(await cluster.get(Deployment, "metrics", "shop")).toBeDefined();
    await cluster.patch(Platform, "shop", { spec: { version: "2.0" } });
    await cluster.clock.advance(60_000);
    expect(await cluster.settled(Platform, "shop")).toBeReady();
    expect(await cluster.get(Deployment, "metrics", "shop")).toBeUndefined();
    expect(await cluster.get(Service, "metrics", "shop")).toBeUndefined();
  });

  test("brings back what somebody changes or deletes", async () => {
    await using cluster = await ready();
    await cluster.patch(ConfigMap, "settings", { data: { LOG_LEVEL: "debug" } }, "shop");
    await cluster.delete(Service, "gateway", "shop");
    await cluster.rest();
    expect((await cluster.get(ConfigMap, "settings", "shop"))?.data).toEqual({ LOG_LEVEL: "info" });
    expect(await cluster.get(Service, "gateway", "shop")).toBeDefined();
    expect(await cluster.settled(Platform, "shop")).toBeReady();
  });

  test("removes everything but the namespace, and then goes", async () => {
    await using cluster = await ready();
    await cluster.delete(Platform, "shop");
    await cluster.gone(Platform, "shop");
    await cluster.gone(Operand, "shop");
    expect(await cluster.list(ClusterActiveOperand)).toEqual([]);
    expect(await images(cluster)).toEqual([]);
    expect(await cluster.get(ConfigMap, "settings", "shop")).toBeUndefined();
    expect(await cluster.get(Namespace, "shop")).toBeDefined();
  });

  test("writes nothing at rest", async () => {
    await using cluster = await ready();
    await cluster.clock.advance(3_600_000);
    expect(cluster.faults.count(isWrite)).toBe(0);
  });
});
