import { controllerReference, Deployment, kind, s } from "@levelset/core";
import type { NewOf } from "@levelset/core";
import { Client, Discovery, installKind, why } from "@levelset/operator";
import type { ObjectNode, ObjectRef } from "@levelset/operator";
import { describe, expect, test } from "vitest";
import { onRealCluster } from "../support/real-cluster.ts";
import { session } from "../support/target.ts";

const Shop = kind({ group: "why.levelset.dev", version: "v1", kind: "Shop", spec: s.object({}) });

function web(name: string, rest: object): NewOf<typeof Deployment> {
  const labels = { app: name };
  return {
    metadata: { namespace: "default", name },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "web:1" }], ...rest } },
    },
  };
}

await onRealCluster("levelset why on Kubernetes", (start) => {
  describe("levelset why on Kubernetes", () => {
    test("goes from an object to its pods, to what these lack, and to a ReplicaSet that may not make any", async () => {
      await using target = await start({ controllerManager: true });
      await using connected = await session(target);
      const { clock, signal } = connected.world;
      const client = new Client({ fetch: connected.world.fetch, fieldManager: "test" });
      const ask = (ref: ObjectRef): Promise<ObjectNode> => why(ref, { client, discovery: new Discovery(client) });
      await installKind(client, Shop, { clock, signal });
      const shop = await client.create(Shop, { metadata: { namespace: "default", name: "a" }, spec: {} });
      const volumes = [{ name: "v", persistentVolumeClaim: { claimName: "data" } }];
      const deployment = web("a", { volumes });
      const ownerReferences = [controllerReference(shop)];
      await client.create(Deployment, { ...deployment, metadata: { ...deployment.metadata, ownerReferences } });
      await client.create(Deployment, web("b", { serviceAccountName: "nobody" }));

      const ref = { apiVersion: "why.levelset.dev/v1", kind: "Shop", namespace: "default", name: "a" };
      await expect
        .poll(async () => outline(await ask(ref)), { timeout: 30_000 })
        .toEqual([
          "Shop: no controller has observed it yet",
          "Deployment: 0 of 2 updated replicas available",
          "Pod: Pending",
          "PersistentVolumeClaim: not there",
          "Pod: Pending",
          "PersistentVolumeClaim: not there",
        ]);
      const refused = expect.stringContaining(
        'error looking up service account default/nobody: serviceaccount "nobody" not found',
      );
      await expect
        .poll(async () => (await ask({ ...ref, apiVersion: "apps/v1", kind: "Deployment", name: "b" })).causes, {
          timeout: 30_000,
        })
        .toMatchObject([{ kind: "ReplicaSet", message: refused }]);
    }, 120_000);
  });
});

/** `Kind: message` of a node and all below it. */
function outline(node: ObjectNode): readonly string[] {
  const below = [...node.conditions.flatMap(({ causes }) => causes), ...node.causes].flatMap(outline);
  return [`${node.kind}: ${node.message}`, ...below];
}
