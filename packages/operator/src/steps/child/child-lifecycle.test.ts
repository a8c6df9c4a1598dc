import { ConfigMap, Deployment, kind, s } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { operator } from "../../manager/index.ts";
import { child } from "./child.ts";

const Shop = kind({ group: "test.levelset.dev", version: "v1", kind: "Shop", spec: s.object({ text: s.string() }) });

const settings = (isProtected: boolean) =>
  child(Shop, "Settings", {
    kind: ConfigMap,
    protect: isProtected,
    desired: ({ spec }) => ({ metadata: { name: "settings" }, data: { text: spec.text } }),
  });

describe("a child that its owner can create again without loss", () => {
  test("has an owner reference and no finalizer, is recreated when it is deleted, and is deleted with its owner", async () => {
    await using cluster = await testCluster();
    cluster.run(operator(Shop, [settings(false)]));
    await cluster.apply(Shop, { name: "a", spec: { text: "open" } });
    const shop = await cluster.untilSettled(Shop, "a");
    const before = await cluster.get(ConfigMap, "settings");
    expect(before?.metadata.ownerReferences).toMatchObject([{ uid: shop.metadata.uid, controller: true }]);
    expect([shop.metadata.finalizers ?? [], before?.metadata.finalizers ?? []]).toEqual([[], []]);
    await cluster.delete(ConfigMap, "settings");
    expect(await cluster.untilSettled(Shop, "a")).toBeReady();
    const after = await cluster.get(ConfigMap, "settings");
    expect(after?.data).toEqual({ text: "open" });
    expect(after?.metadata.uid).not.toBe(before?.metadata.uid);
    await cluster.delete(Shop, "a");
    await cluster.untilDeleted(Shop, "a");
    await cluster.untilDeleted(ConfigMap, "settings");
  });
});

describe("a child that its owner cannot create again without loss", () => {
  test("has a finalizer of its owner, which has one itself, and keeps its uid until its owner is deleted", async () => {
    await using cluster = await testCluster();
    cluster.run(operator(Shop, [settings(true)]));
    await cluster.apply(Shop, { name: "a", spec: { text: "open" } });
    const shop = await cluster.untilSettled(Shop, "a");
    const before = await cluster.get(ConfigMap, "settings");
    expect(shop.metadata.finalizers).toEqual(["test.levelset.dev/shop"]);
    expect(before?.metadata.finalizers).toEqual(["test.levelset.dev/shop-child"]);
    await cluster.delete(ConfigMap, "settings");
    await cluster.untilSettled(Shop, "a");
    expect((await cluster.get(ConfigMap, "settings"))?.metadata.uid).toBe(before?.metadata.uid);
    await cluster.delete(Shop, "a");
    await cluster.untilDeleted(Shop, "a");
    await cluster.untilDeleted(ConfigMap, "settings");
  });
});

test("an explicit 0, false or empty string of a child is sent to the server; an absent field is not", async () => {
  await using cluster = await testCluster();
  const labels = { app: "a" };
  const workload = child(Shop, "Workload", {
    kind: Deployment,
    desired: () => ({
      metadata: { name: "web", annotations: { note: "" } },
      spec: {
        replicas: 0,
        paused: false,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: "app", image: "app:1" }] } },
      },
    }),
  });
  const sent: unknown[] = [];
  const op = operator(Shop, [workload]);
  cluster.run({
    ...op,
    start: (world) =>
      op.start({
        ...world,
        fetch: async (request) => {
          if (request.method === "PATCH" && request.url.includes("/deployments/"))
            sent.push(await request.clone().json());
          return world.fetch(request);
        },
      }),
  });
  await cluster.apply(Shop, { name: "a", spec: { text: "" } });
  const shop = await cluster.untilSettled(Shop, "a");
  expect(shop.spec.text).toBe("");
  expect(await cluster.get(Deployment, "web")).toMatchObject({
    metadata: { annotations: { note: "" } },
    spec: { replicas: 0 },
  });
  expect(sent).toMatchObject([{ metadata: { annotations: { note: "" } }, spec: { replicas: 0, paused: false } }]);
  expect(JSON.stringify(sent)).not.toMatch(/minReadySeconds|null/u);
});
