import { childFinalizerName } from "@levelset/core/internal";
import { ConfigMap, kind, s } from "@levelset/core";
import type { ObjectOf } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { operator } from "../../manager/index.ts";
import { ok, step, wait } from "../../engine/index.ts";
import type { Step } from "../../engine/index.ts";
import { child, subresource } from "../index.ts";

const GROUP = { group: "test.levelset.dev", version: "v1" };
const Shop = kind({
  ...GROUP,
  kind: "Shop",
  spec: s.object({ isOpen: s.boolean().default(true) }),
});
type Shop = typeof Shop;
const HELD = childFinalizerName(Shop);

/** A step with one ConfigMap. */
function settings(name: string, protect: boolean): Step<Shop> {
  return child(Shop, name, {
    condition: `${name}Ready`,
    kind: ConfigMap,
    protect,
    desired: () => ({ metadata: { name: name.toLowerCase() } }),
  });
}

async function finalizers(cluster: TestCluster, name: string): Promise<readonly string[] | undefined> {
  await cluster.untilIdle();
  const found = await cluster.get(ConfigMap, name);
  return found === undefined ? undefined : (found.metadata.finalizers ?? []);
}

async function open(cluster: TestCluster): Promise<void> {
  await cluster.create(Shop, { name: "a", spec: {} });
  expect(await cluster.untilSettled(Shop, "a")).toBeReady();
}

describe("children of one kind of several steps", () => {
  test("are protected by their own step only", async () => {
    await using cluster = await testCluster();
    cluster.run(operator(Shop, [settings("First", false), settings("Second", true)]));
    await open(cluster);
    expect(await finalizers(cluster, "first")).toEqual([]);
    expect(await finalizers(cluster, "second")).toEqual([HELD]);
    await cluster.delete(ConfigMap, "first");
    expect(await cluster.untilSettled(Shop, "a")).toBeReady();
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
    await cluster.untilDeleted(Shop, "a");
    await cluster.untilDeleted(ConfigMap, "first");
    await cluster.untilDeleted(ConfigMap, "second");
  });

  test("are released with their owner even if their step was renamed", async () => {
    await using cluster = await testCluster();
    const running = cluster.run(operator(Shop, [settings("First", true)]));
    await open(cluster);
    await running.stop();
    cluster.run(operator(Shop, [settings("Second", true)]));
    expect(await finalizers(cluster, "first")).toEqual([HELD]);
    await cluster.delete(Shop, "a");
    await cluster.untilDeleted(Shop, "a");
    await cluster.untilDeleted(ConfigMap, "first");
  });
});

test("children are released with their owner even if a new release protects none of them", async () => {
  await using cluster = await testCluster();
  const running = cluster.run(operator(Shop, [settings("First", true)]));
  await open(cluster);
  await running.stop();
  await cluster.delete(Shop, "a");
  cluster.run(operator(Shop, [settings("First", false)]));
  await cluster.untilDeleted(Shop, "a");
  expect(await finalizers(cluster, "first")).toBeUndefined();
});

describe("a protected sub CR that another client deletes", () => {
  const Database = kind({ ...GROUP, kind: "Database", spec: s.object({}) });

  /** Runs a Shop with a protected Database; `dropped` lists the Databases whose data was deleted. */
  async function opened(): Promise<{ readonly cluster: TestCluster; readonly dropped: string[] }> {
    const cluster = await testCluster();
    const dropped: string[] = [];
    const data = step(Database, "Data", {
      condition: "DataReady",
      do: () => ok(),
      cleanup: ({ name }) => {
        dropped.push(name);
        return ok();
      },
    });
    const database = subresource(Shop, "Database", {
      condition: "DatabaseReady",
      kind: Database,
      protect: true,
      desired: ({ spec }) => (spec.isOpen ? { metadata: { name: "db" }, spec: {} } : undefined),
    });
    cluster.run(operator(Database, [data]));
    cluster.run(operator(Shop, [database]));
    await open(cluster);
    return { cluster, dropped };
  }

  async function database(cluster: TestCluster): Promise<ObjectOf<typeof Database>> {
    return cluster.untilSettled(Database, "db");
  }

  test("is not cleaned up by its own operator before its owner releases it", async () => {
    const { cluster, dropped } = await opened();
    await using _ = cluster;
    await cluster.delete(Database, "db");
    expect(await cluster.untilSettled(Shop, "a")).toHaveCondition("DatabaseReady", "False", { reason: "ChildDeleted" });
    expect(await database(cluster)).toHaveCondition("Ready", "False", {
      severity: "Info",
      reason: "Deleting",
      message: `Released: shop/a holds the deletion with the finalizer ${HELD}`,
    });
    expect(dropped).toEqual([]);
    await cluster.delete(Shop, "a");
    await cluster.untilDeleted(Shop, "a");
    await cluster.untilDeleted(Database, "db");
    expect(dropped).toEqual(["db"]);
  });

  test("is cleaned up when its owner no longer needs it", async () => {
    const { cluster, dropped } = await opened();
    await using _ = cluster;
    await cluster.delete(Database, "db");
    await cluster.untilSettled(Shop, "a");
    expect(dropped).toEqual([]);
    await cluster.patch(Shop, "a", { spec: { isOpen: false } });
    await cluster.untilDeleted(Database, "db");
    expect(await cluster.untilSettled(Shop, "a")).toBeReady();
    expect(dropped).toEqual(["db"]);
  });

  test("is cleaned up if a finalizer only resembles that of an owner", async () => {
    const { cluster, dropped } = await opened();
    await using _ = cluster;
    await cluster.create(Database, { name: "free", finalizers: [HELD], spec: {} });
    await cluster.untilSettled(Database, "free");
    await cluster.delete(Database, "free");
    await cluster.untilSettled(Database, "free");
    expect(dropped).toEqual(["free"]);
  });
});
