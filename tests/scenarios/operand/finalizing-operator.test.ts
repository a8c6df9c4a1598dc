import { CustomResourceDefinition, Deployment } from "@levelset/core";
import type { KubeObject, NewOf } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import { Client } from "@levelset/operator";
import { expect, test } from "vitest";
import { finalizingOperator, gadgets, HELD_BY } from "./finalizing-operator.ts";
import { deployment } from "./manifests.ts";

const { declaration, kind: Gadget, gadget } = gadgets("default");

test("the simulated operator retries refused requests while the server prepares a new kind", async () => {
  await using cluster = await testCluster();
  const client = new Client({ fetch: cluster.fetch, fieldManager: "test" });
  // Manifests are objects of their kinds, without the index signature.
  await client.create(CustomResourceDefinition, declaration as unknown as NewOf<typeof CustomResourceDefinition>);
  await client.create(Deployment, deployment("default", "operator") as unknown as NewOf<typeof Deployment>);
  await cluster.untilIdle();
  await client.create(Gadget, gadget("g"));
  const isList = ({ method, path }: { readonly method: string; readonly path: string }): boolean =>
    method === "GET" && path.endsWith("/gadgets");
  // kube-apiserver: "storage is (re)initializing", for a moment after a CRD is established.
  cluster.faults.failNth(1, { kind: "status", reason: "TooManyRequests" }, isList);
  cluster.run(finalizingOperator({ kind: Gadget, namespace: "default", deployment: "operator" }));
  await cluster.untilIdle();
  await cluster.clock.advance(5_000);
  await cluster.untilIdle();
  const { metadata }: KubeObject = await client.get(Gadget, { namespace: "default", name: "g" });
  expect(metadata.finalizers).toEqual([HELD_BY]);
  expect(cluster.faults.count(isList)).toBeGreaterThan(1);
});
