import { ConfigMap, Deployment, findCondition, isReady, Job, Secret, StatefulSet } from "@levelset/core";
import { isWrite } from "@levelset/core/testing";
import { describe, expect, test } from "vitest";
import { eventually, setPodPhase } from "../../tests/support/cluster/kubelet.ts";
import { realEnvironment } from "../../tests/support/cluster/environments.ts";
import { Harness } from "../../tests/support/cluster/harness.ts";
import { onRealCluster } from "../../tests/support/real-cluster.ts";
import databaseOperator, { Database } from "./database.ts";
import { serviceOperator, ServiceWithDB } from "./service-with-db.ts";

/** Sets the phase of new pods, as a kubelet does, until the shop is ready for a generation. */
async function rolledOut(harness: Harness, generation: number): Promise<void> {
  await eventually(harness, `generation ${generation} is ready`, async () => {
    await setPodPhase(harness, "job-name=shop-migrate", 0, "Succeeded");
    await setPodPhase(harness, "app=shop", 0, "Running");
    const shop = await harness.find(ServiceWithDB, "shop");
    return shop !== undefined && isReady(shop, generation) ? shop : undefined;
  });
}

await onRealCluster("ServiceWithDB on a real cluster", (start) => {
  describe("ServiceWithDB on a real cluster", () => {
    test("becomes ready, rolls out a change, protects its database, writes nothing when settled, and deletes all children", async () => {
      await using target = await start({ controllerManager: true });
      await using harness = new Harness(await realEnvironment(target));
      await harness.run(serviceOperator, databaseOperator);
      await harness.create(Secret, { metadata: { name: "shop-db" }, stringData: { password: "change-me" } });
      const spec = { image: "shop:1.8", replicas: 2, passwordSecret: "shop-db" };
      await harness.create(ServiceWithDB, { metadata: { name: "shop" }, spec });
      await setPodPhase(harness, "database=shop-db", 1, "Running");
      await rolledOut(harness, 1);

      await harness.patch(ServiceWithDB, "shop", { spec: { image: "shop:1.9", logLevel: "debug" } });
      await rolledOut(harness, 2);
      expect((await harness.find(ConfigMap, "shop-config"))?.data?.["LOG_LEVEL"]).toBe("debug");
      const { resourceVersion } = (await harness.find(ServiceWithDB, "shop"))?.metadata ?? {};
      const writes = harness.environment.faults.count(isWrite);
      await harness.environment.idle(5_000);
      expect(harness.environment.faults.count(isWrite)).toBe(writes);
      expect((await harness.find(ServiceWithDB, "shop"))?.metadata.resourceVersion).toBe(resourceVersion);

      await harness.delete(Database, "shop-db");
      const reported = await harness.until(ServiceWithDB, "shop", (shop) => !isReady(shop));
      expect(findCondition(reported.status?.conditions, "Ready")).toMatchObject({
        severity: "Error",
        reason: "ChildDeleted",
      });
      expect((await harness.find(StatefulSet, "shop-db"))?.metadata.deletionTimestamp).toBeUndefined();

      await harness.delete(ServiceWithDB, "shop");
      await harness.untilDeleted(ServiceWithDB, "shop");
      for (const kind of [Database, StatefulSet]) await harness.untilDeleted(kind, "shop-db", 10_000);
      await harness.untilDeleted(Deployment, "shop", 10_000);
      await harness.untilDeleted(Job, "shop-migrate", 10_000);
    }, 120_000);
  });
});
