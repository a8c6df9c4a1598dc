import { ConfigMap, findCondition, isReady, kind, s } from "@levelset/core";
import { controllingOwnerUid } from "@levelset/core/internal";
import { child, operator } from "@levelset/operator";
import { expect } from "vitest";
import type { Cluster } from "../../support/cluster/cluster.ts";
import type { Scenarios } from "../../support/cluster/scenario.ts";

const Shop = kind({
  group: "scenarios.levelset.dev",
  version: "v1",
  kind: "OrphanShop",
  spec: s.object({}),
});

const CHILDREN = ["owned", "marked", "held"] as const;

/** A shop with a child of each ownership. */
async function open(cluster: Cluster): Promise<void> {
  const desired = (name: string) => () => ({ metadata: { name }, data: { a: "1" } });
  const steps = [
    child(Shop, "Owned", { condition: "OwnedReady", kind: ConfigMap, desired: desired("owned") }),
    child(Shop, "Marked", { kind: ConfigMap, owned: false, desired: desired("marked") }),
    child(Shop, "Held", { kind: ConfigMap, protect: true, desired: desired("held") }),
  ];
  await cluster.run(operator(Shop, steps));
  await cluster.create(Shop, { metadata: { name: "a" }, spec: {} });
  await cluster.until(Shop, "a", isReady);
}

/** Scenarios about lost owner references, with the garbage collector. */
export const OWNERSHIP: Scenarios = {
  "owner references and owner annotations that another client removes are restored": async (cluster) => {
    await open(cluster);
    const shop = await cluster.until(Shop, "a", isReady);
    for (const name of CHILDREN) {
      const { metadata } = await cluster.until(ConfigMap, name, () => true);
      for (const marks of [
        { ownerReferences: null, annotations: { "levelset.dev/owner": null } },
        { ownerReferences: null, labels: { "levelset.dev/owner-uid": null } },
      ]) {
        await cluster.patch(ConfigMap, name, { metadata: marks });
        const isRestored = (object: Parameters<typeof controllingOwnerUid>[0]): boolean =>
          controllingOwnerUid(object) === shop.metadata.uid &&
          (object.metadata.ownerReferences?.length ?? 0) === (metadata.ownerReferences?.length ?? 0);
        const restored = await cluster.until(ConfigMap, name, isRestored, 10_000);
        expect(restored.metadata).toMatchObject({ uid: metadata.uid, annotations: metadata.annotations });
      }
    }
    expect(findCondition((await cluster.until(Shop, "a", isReady)).status?.conditions, "OwnedReady")).toBeDefined();
  },

  "kubectl delete --cascade=orphan leaves every child, without an owner and without a finalizer": async (cluster) => {
    await open(cluster);
    await cluster.client.delete(Shop, cluster.at("a"), { propagationPolicy: "Orphan" });
    await cluster.untilDeleted(Shop, "a", 10_000);
    await cluster.idle(2_000);
    for (const name of CHILDREN) {
      const { metadata, ...rest } = await cluster.until(ConfigMap, name, () => true);
      expect(controllingOwnerUid({ ...rest, metadata })).toBeUndefined();
      expect([metadata.finalizers ?? [], metadata.deletionTimestamp]).toEqual([[], undefined]);
    }
  },
};
