import { ConfigMap, Deployment, findCondition, isReady, Job, Secret, StatefulSet } from "@levelset/core";
import { isWrite } from "@levelset/core/testing";
import { describe, expect, test } from "vitest";
import { setPodPhase } from "../../tests/support/cluster/kubelet.ts";
import type { Cluster } from "../../tests/support/cluster/cluster.ts";
import { ServerCluster } from "../../tests/support/cluster/server-cluster.ts";
import { onRealCluster } from "../../tests/support/real-cluster.ts";
import databaseOperator, { Database } from "./database.ts";
import { serviceOperator, ServiceWithDB } from "./service-with-db.ts";

/** Sets the phase of new pods, as a kubelet does, until the shop is ready for a generation. */
async function rolledOut(cluster: Cluster, generation: number): Promise<void> {
  await cluster.eventually(`generation ${generation} is ready`, async () => {
    await setPodPhase(cluster, "job-name=shop-migrate", 0, "Succeeded");
    await setPodPhase(cluster, "app=shop", 0, "Running");
    const shop = await cluster.find(ServiceWithDB, "shop");
    return shop !== undefined && isReady(shop, generation) ? shop : undefined;
  });
}

await onRealCluster("ServiceWithDB on a real cluster", (start) => {
  describe("ServiceWithDB on a real cluster", () => {
    test("becomes ready, rolls out a change, protects its database, writes nothing when settled, and deletes all children", async () => {
      await using target = await start({ controllerManager: true });
      await using cluster = await ServerCluster.connect(target);
      await cluster.run(serviceOperator, databaseOperator);
      await cluster.create(Secret, { metadata: { name: "shop-db" }, stringData: { password: "change-me" } });
      const spec = { image: "shop:1.8", replicas: 2, passwordSecret: "shop-db" };
      await cluster.create(ServiceWithDB, { metadata: { name: "shop" }, spec });
      await setPodPhase(cluster, "database=shop-db", 1, "Running");
      await rolledOut(cluster, 1);

      await cluster.patch(ServiceWithDB, "shop", { spec: { image: "shop:1.9", logLevel: "debug" } });
      await rolledOut(cluster, 2);
      expect((await cluster.find(ConfigMap, "shop-config"))?.data?.["LOG_LEVEL"]).toBe("debug");
      const { resourceVersion } = (await cluster.find(ServiceWithDB, "shop"))?.metadata ?? {};
      const writes = cluster.faults.count(isWrite);
      await cluster.idle(5_000);
      expect(cluster.faults.count(isWrite)).toBe(writes);
      expect((await cluster.find(ServiceWithDB, "shop"))?.metadata.resourceVersion).toBe(resourceVersion);

      await cluster.delete(Database, "shop-db");
      const reported = await cluster.until(ServiceWithDB, "shop", (shop) => !isReady(shop));
      expect(findCondition(reported.status?.conditions, "Ready")).toMatchObject({
        severity: "Error",
        reason: "ChildDeleted",
      });
      expect((await cluster.find(StatefulSet, "shop-db"))?.metadata.deletionTimestamp).toBeUndefined();

      await cluster.delete(ServiceWithDB, "shop");
      await cluster.untilDeleted(ServiceWithDB, "shop");
      for (const kind of [Database, StatefulSet]) await cluster.untilDeleted(kind, "shop-db", 10_000);
      await cluster.untilDeleted(Deployment, "shop", 10_000);
      await cluster.untilDeleted(Job, "shop-migrate", 10_000);
    });
  });
});
