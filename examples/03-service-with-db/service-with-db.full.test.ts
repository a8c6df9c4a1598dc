import { ConfigMap, Deployment, findCondition, isReady, Job, Secret, StatefulSet } from "@levelset/core";
import { isWrite } from "@levelset/core/testing";
import { describe, expect, test } from "vitest";
import { eventually, tellPods } from "../../tests/engine/kubelet.ts";
import { realPlace } from "../../tests/engine/place.ts";
import { Stage } from "../../tests/engine/stage.ts";
import { onRealCluster } from "../../tests/support/real-cluster.ts";
import databaseOperator, { Database } from "./database.ts";
import { serviceOperator, ServiceWithDB } from "./service-with-db.ts";

/** Tells of all pods as they come, until the shop is ready for a generation. */
async function rolledOut(stage: Stage, generation: number): Promise<void> {
  await eventually(stage, `generation ${generation} is ready`, async () => {
    await tellPods(stage, "job-name=shop-migrate", 0, "Succeeded");
    await tellPods(stage, "app=shop", 0, "Running");
    const shop = await stage.find(ServiceWithDB, "shop");
    return shop !== undefined && isReady(shop, generation) ? shop : undefined;
  });
}

await onRealCluster("ServiceWithDB on a real cluster", (start) => {
  describe("ServiceWithDB on a real cluster", () => {
    test("becomes ready, rolls out a change, holds its database, rests, and goes with all that it made", async () => {
      await using target = await start({ controllerManager: true });
      await using stage = new Stage(await realPlace(target));
      await stage.run(serviceOperator, databaseOperator);
      await stage.create(Secret, { metadata: { name: "shop-db" }, stringData: { password: "change-me" } });
      const spec = { image: "shop:1.8", replicas: 2, passwordSecret: "shop-db" };
      await stage.create(ServiceWithDB, { metadata: { name: "shop" }, spec });
      await tellPods(stage, "database=shop-db", 1, "Running");
      await rolledOut(stage, 1);

      await stage.patch(ServiceWithDB, "shop", { spec: { image: "shop:1.9", logLevel: "debug" } });
      await rolledOut(stage, 2);
      expect((await stage.find(ConfigMap, "shop-config"))?.data?.["LOG_LEVEL"]).toBe("debug");
      const { resourceVersion } = (await stage.find(ServiceWithDB, "shop"))?.metadata ?? {};
      const writes = stage.place.faults.count(isWrite);
      await stage.place.idle(5_000);
      expect(stage.place.faults.count(isWrite)).toBe(writes);
      expect((await stage.find(ServiceWithDB, "shop"))?.metadata.resourceVersion).toBe(resourceVersion);

      await stage.delete(Database, "shop-db");
      const reported = await stage.until(ServiceWithDB, "shop", (shop) => !isReady(shop));
      expect(findCondition(reported.status?.conditions, "Ready")).toMatchObject({
        severity: "Error",
        reason: "ChildDeleted",
      });
      expect((await stage.find(StatefulSet, "shop-db"))?.metadata.deletionTimestamp).toBeUndefined();

      await stage.delete(ServiceWithDB, "shop");
      await stage.gone(ServiceWithDB, "shop");
      for (const kind of [Database, StatefulSet]) await stage.gone(kind, "shop-db", 10_000);
      await stage.gone(Deployment, "shop", 10_000);
      await stage.gone(Job, "shop-migrate", 10_000);
    }, 120_000);
  });
});
