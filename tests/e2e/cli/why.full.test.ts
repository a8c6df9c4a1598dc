import { controllerReference, Deployment, kind, s } from "@levelset/core";
import type { NewOf } from "@levelset/core";
import { Client, Discovery, installCrd, why } from "@levelset/operator";
import type { ObjectNode, ObjectRef } from "@levelset/operator";
import { describe, expect, test } from "vitest";
import { onRealCluster } from "../../support/real-cluster.ts";
import { connectSession } from "../../support/test-server.ts";

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
    test("explains an object down to its pods, their missing dependencies, and a ReplicaSet that cannot create pods", async () => {
      await using target = await start({ controllerManager: true });
      await using connected = await connectSession(target);
      const { clock, signal } = connected.world;
      const client = new Client({ fetch: connected.world.fetch, fieldManager: "test" });
      const explain = (ref: ObjectRef): Promise<ObjectNode> => why(ref, { client, discovery: new Discovery(client) });
      await installCrd(client, Shop, { clock, signal });
      const shop = await client.create(Shop, { metadata: { namespace: "default", name: "a" }, spec: {} });
      const volumes = [{ name: "v", persistentVolumeClaim: { claimName: "data" } }];
      const deployment = web("a", { volumes });
      const ownerReferences = [controllerReference(shop)];
      await client.create(Deployment, { ...deployment, metadata: { ...deployment.metadata, ownerReferences } });
      await client.create(Deployment, web("b", { serviceAccountName: "missing" }));

      const ref = { apiVersion: "why.levelset.dev/v1", kind: "Shop", namespace: "default", name: "a" };
      await expect
        .poll(async () => outline(await explain(ref)), { timeout: 30_000 })
        .toEqual([
          "Shop: no controller has observed it yet",
          "Deployment: 0 of 2 updated replicas available",
          "Pod: Pending",
          "PersistentVolumeClaim: not found",
          "Pod: Pending",
          "PersistentVolumeClaim: not found",
        ]);
      const refused = expect.stringContaining(
        'error looking up service account default/missing: serviceaccount "missing" not found',
      );
      await expect
        .poll(async () => (await explain({ ...ref, apiVersion: "apps/v1", kind: "Deployment", name: "b" })).causes, {
          timeout: 30_000,
        })
        .toMatchObject([{ kind: "ReplicaSet", message: refused }]);
    });
  });
});

/** Returns `Kind: message` of a node and all nodes below it. */
function outline(node: ObjectNode): readonly string[] {
  const below = [...node.conditions.flatMap(({ causes }) => causes), ...node.causes].flatMap(outline);
  return [`${node.kind}: ${node.message}`, ...below];
}
