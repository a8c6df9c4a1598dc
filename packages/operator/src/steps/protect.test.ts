import { childFinalizerName, ConfigMap, kind, s } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { operator } from "../manager/index.ts";
import { ok, step, wait } from "../step/index.ts";
import type { Step } from "../step/index.ts";
import { child } from "./index.ts";

const GROUP = { group: "test.levelset.dev", version: "v1" };
const Shop = kind({
  ...GROUP,
  kind: "Shop",
  spec: s.object({ isOpen: s.boolean().default(true) }),
});
type Shop = typeof Shop;
const HELD = childFinalizerName(Shop);

/** A step that makes one ConfigMap. */
function settings(name: string, protect: boolean): Step<Shop> {
  return child(Shop, name, {
    condition: `${name}Ready`,
    kind: ConfigMap,
    protect,
    desired: () => ({ metadata: { name: name.toLowerCase() } }),
  });
}

async function finalizers(cluster: TestCluster, name: string): Promise<readonly string[] | undefined> {
  await cluster.rest();
  const found = await cluster.get(ConfigMap, name);
  return found === undefined ? undefined : (found.metadata.finalizers ?? []);
}

async function open(cluster: TestCluster): Promise<void> {
  await cluster.create(Shop, { name: "a", spec: {} });
  expect(await cluster.settled(Shop, "a")).toBeReady();
}

describe("children of one kind that several steps make", () => {
  test("are protected by their own step alone", async () => {
    await using cluster = await testCluster();
    cluster.run(operator(Shop, [settings("First", false), settings("Second", true)]));
    await open(cluster);
    expect(await finalizers(cluster, "first")).toEqual([]);
    expect(await finalizers(cluster, "second")).toEqual([HELD]);
    await cluster.delete(ConfigMap, "first");
    expect(await cluster.settled(Shop, "a")).toBeReady();
  });

  test("are released in the order of cleanup", async () => {
    await using cluster = await testCluster();
    const gate = step(Shop, "Gate", {
      cleanup: ({ object }) => (object.metadata.annotations?.["go"] === "on" ? ok() : wait("the gate is shut")),
    });
    cluster.run(operator(Shop, [settings("First", true), gate, settings("Second", true)]));
    await open(cluster);
    await cluster.delete(Shop, "a");
    expect([await finalizers(cluster, "first"), await finalizers(cluster, "second")]).toEqual([[HELD], []]);
    await cluster.patch(Shop, "a", { metadata: { annotations: { go: "on" } } });
    await cluster.gone(Shop, "a");
    await cluster.gone(ConfigMap, "first");
    await cluster.gone(ConfigMap, "second");
  });

  test("are released with their owner also when the step that made them has another name now", async () => {
    await using cluster = await testCluster();
    const running = cluster.run(operator(Shop, [settings("First", true)]));
    await open(cluster);
    await running.stop();
    cluster.run(operator(Shop, [settings("Second", true)]));
    expect(await finalizers(cluster, "first")).toEqual([HELD]);
    await cluster.delete(Shop, "a");
    await cluster.gone(Shop, "a");
    await cluster.gone(ConfigMap, "first");
  });
});
