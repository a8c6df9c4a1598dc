import { ConfigMap, Pod, Secret } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { expect, test } from "vitest";
import { Shop, shopManager, shops } from "./shop.ts";

test("a shop is reconciled when its Secret or its children change", async () => {
  await using cluster = await testCluster();
  cluster.run(shops);
  const { apiVersion, kind, metadata } = await cluster.apply(Shop, { name: "a", spec: { passwordSecret: "door" } });
  expect(await cluster.untilSettled(Shop, "a")).toHaveCondition("Pages", "False", {
    message: "the secret does not exist yet",
  });
  await cluster.apply(Secret, { name: "door", stringData: { password: "open" } });
  expect((await cluster.untilSettled(Shop, "a")).status?.pages).toBe(0);
  const owner = { apiVersion, kind, name: "a", uid: metadata.uid, controller: true };
  await cluster.apply(ConfigMap, { name: "page", ownerReferences: [owner] });
  expect((await cluster.untilSettled(Shop, "a")).status?.pages).toBe(1);
});

test("deleting a shop evicts its pod first", async () => {
  await using cluster = await testCluster();
  cluster.run(shops);
  await cluster.apply(Shop, { name: "a", spec: { passwordSecret: "door" } });
  await cluster.apply(Pod, { name: "a", spec: { containers: [{ name: "main", image: "shop:1" }] } });
  await cluster.untilSettled(Shop, "a");
  await cluster.delete(Shop, "a");
  await cluster.untilIdle();
  expect([await cluster.get(Pod, "a"), await cluster.get(Shop, "a")]).toEqual([undefined, undefined]);
});

test("one manager runs several operators", () => {
  expect(shopManager("a", "secret").operators.map(({ name }) => name)).toEqual(["shop", "share"]);
});
