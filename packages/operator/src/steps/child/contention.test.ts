import { ConfigMap, Deployment, Event, Job, kind, s } from "@levelset/core";
import type { NewOf, ObjectOf, OwnerReference } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { operator } from "../../manager/index.ts";
import type { Operator } from "../../manager/index.ts";
import { ok, step } from "../../engine/index.ts";
import { App, deploymentOf, migrate } from "../job/app.fixture.ts";
import { Child, childOperator, Parent } from "./parent-child.fixture.ts";
import { FOREIGN_MANAGER, foreignWriter } from "./foreign-writer.fixture.ts";
import { child, subresource, workload } from "../index.ts";

const Shop = kind({
  group: "test.levelset.dev",
  version: "v1",
  kind: "Shop",
  spec: s.object({ color: s.string(), size: s.string().default("s") }),
});
type Shop = typeof Shop;

/** Other clients write the first child; the second one comes after it. */
function shopOperator(
  desired: (shop: ObjectOf<Shop>) => Partial<NewOf<typeof ConfigMap>> = () => ({}),
): Operator<Shop> {
  const first = child(Shop, "First", {
    condition: "FirstReady",
    kind: ConfigMap,
    desired: ({ object }) => ({ metadata: { name: "first" }, data: { color: object.spec.color }, ...desired(object) }),
  });
  const second = child(Shop, "Second", {
    condition: "SecondReady",
    kind: ConfigMap,
    desired: ({ spec }) => ({ metadata: { name: "second" }, data: { size: spec.size } }),
  });
  return operator(Shop, [first, second]);
}

async function contestsOf(cluster: TestCluster): Promise<readonly string[]> {
  const events = await cluster.list(Event, "default");
  return events
    .filter(({ reason, type }) => reason === "Contested" && type === "Warning")
    .map(({ message }) => message ?? "");
}

/** Sets the first child's color to blue whenever it differs. */
const painter = (cluster: TestCluster) =>
  foreignWriter(cluster, ConfigMap, ({ metadata, data }) =>
    metadata.name === "first" && data?.["color"] !== "blue" ? { patch: { data: { color: "blue" } } } : undefined,
  );

const CONTESTED = {
  severity: "Warning",
  reason: "Contested",
  message: new RegExp(`^data\\.color of configmap/first is also written by ${FOREIGN_MANAGER}: `, "u"),
} as const;

describe("a child with a field that another client keeps reverting", () => {
  test("is written a few times only, and the object is not Ready and reports the field and the manager", async () => {
    await using cluster = await testCluster();
    painter(cluster);
    cluster.run(shopOperator());
    await cluster.apply(Shop, { name: "a", spec: { color: "red" } });
    await cluster.clock.advance(60_000);
    const shop = await cluster.untilSettled(Shop, "a");
    expect(shop).toHaveCondition("FirstReady", "False", CONTESTED);
    expect(shop).toHaveCondition("Ready", "False", CONTESTED);
    // One write to create it, five that were reverted, then delays of 1, 2, 4, 8, 16 and 32 s.
    expect(cluster.writes(ConfigMap, "first")).toBeLessThanOrEqual(12);
    const writes = cluster.writes(Shop, "a");
    await cluster.clock.advance(3_600_000);
    // Delays of 64, 128, 256 and then 300 s.
    expect(cluster.writes(ConfigMap, "first")).toBeLessThanOrEqual(26);
    expect(cluster.writes(Shop, "a")).toBe(writes);
    expect(await cluster.untilSettled(Shop, "a")).toHaveCondition("Ready", "False", CONTESTED);
  });

  test("is reported by one Event with a count", async () => {
    await using cluster = await testCluster();
    painter(cluster);
    cluster.run(shopOperator());
    await cluster.apply(Shop, { name: "a", spec: { color: "red" } });
    await cluster.clock.advance(600_000);
    expect(await contestsOf(cluster)).toEqual([expect.stringMatching(CONTESTED.message)]);
  });

  test("does not block later steps", async () => {
    await using cluster = await testCluster();
    painter(cluster);
    cluster.run(shopOperator());
    await cluster.apply(Shop, { name: "a", spec: { color: "red" } });
    await cluster.clock.advance(60_000);
    await cluster.delete(ConfigMap, "second");
    expect(await cluster.untilSettled(Shop, "a")).toHaveCondition("SecondReady", "True");
    expect(await cluster.get(ConfigMap, "second")).toBeDefined();
  });

  test("recovers once the other client stops", async () => {
    await using cluster = await testCluster();
    const foreign = painter(cluster);
    cluster.run(shopOperator());
    await cluster.apply(Shop, { name: "a", spec: { color: "red" } });
    await cluster.clock.advance(600_000);
    foreign.stop();
    await cluster.clock.advance(300_000);
    expect((await cluster.get(ConfigMap, "first"))?.data).toEqual({ color: "red" });
    await cluster.clock.advance(120_000);
    expect(await cluster.untilSettled(Shop, "a")).toBeReady();
    const writes = cluster.writes(ConfigMap, "first");
    await cluster.clock.advance(3_600_000);
    expect(cluster.writes(ConfigMap, "first")).toBe(writes);
  });

  test("never coexists with Ready=True once it is contested", async () => {
    await using cluster = await testCluster();
    painter(cluster);
    cluster.run(shopOperator());
    await cluster.apply(Shop, { name: "a", spec: { color: "red" } });
    await cluster.clock.advance(3_600_000);
    const ready = cluster
      .history(Shop, "a")
      .flatMap(({ status }) => status?.conditions ?? [])
      .filter(({ type }) => type === "Ready")
      .map(({ status, reason }) => `${status} ${reason}`);
    expect(ready.at(-1)).toBe("False Contested");
    expect(ready.slice(ready.indexOf("False Contested")).every((state) => state === "False Contested")).toBe(true);
  });

  test("is written at once when the desired state changes, also during a delay", async () => {
    await using cluster = await testCluster();
    const foreign = painter(cluster);
    cluster.run(shopOperator());
    await cluster.apply(Shop, { name: "a", spec: { color: "red" } });
    await cluster.clock.advance(600_000);
    foreign.stop();
    await cluster.patch(Shop, "a", { spec: { color: "green" } });
    expect(await cluster.untilSettled(Shop, "a")).toBeReady();
    expect((await cluster.get(ConfigMap, "first"))?.data).toEqual({ color: "green" });
  });

  test("is not contested by occasional changes: each is corrected, and Ready stays True", async () => {
    await using cluster = await testCluster();
    cluster.run(shopOperator());
    await cluster.apply(Shop, { name: "a", spec: { color: "red" } });
    await cluster.untilIdle();
    for (let round = 0; round < 20; round++) {
      await cluster.patch(ConfigMap, "first", { data: { color: "blue" } });
      expect(await cluster.untilSettled(Shop, "a")).toBeReady();
      expect((await cluster.get(ConfigMap, "first"))?.data).toEqual({ color: "red" });
      await cluster.clock.advance(31_000);
    }
    expect(await contestsOf(cluster)).toEqual([]);
  });
});

describe("a change that another client keeps reverting", () => {
  test("a removed label is reported without a manager", async () => {
    await using cluster = await testCluster();
    foreignWriter(cluster, ConfigMap, ({ metadata }) =>
      metadata.labels?.["example.com/tier"] === undefined
        ? undefined
        : { patch: { metadata: { labels: { "example.com/tier": null } } } },
    );
    cluster.run(shopOperator(() => ({ metadata: { name: "first", labels: { "example.com/tier": "gold" } } })));
    await cluster.apply(Shop, { name: "a", spec: { color: "red" } });
    await cluster.clock.advance(60_000);
    expect(await cluster.untilSettled(Shop, "a")).toHaveCondition("Ready", "False", {
      reason: "Contested",
      message: /^metadata\.labels\.example\.com\/tier of configmap\/first is reverted by another client: /u,
    });
  });

  test("an owner reference removed by the garbage collector is reported as such", async () => {
    await using cluster = await testCluster();
    const ghost: OwnerReference = { apiVersion: "v1", kind: "ConfigMap", name: "ghost", uid: "no-such-uid" };
    cluster.run(shopOperator(() => ({ metadata: { name: "first", ownerReferences: [ghost] } })));
    await cluster.apply(Shop, { name: "a", spec: { color: "red" } });
    await cluster.clock.advance(60_000);
    expect(await cluster.untilSettled(Shop, "a")).toHaveCondition("Ready", "False", {
      reason: "Contested",
      message:
        /^metadata\.ownerReferences\[uid="no-such-uid"\] of configmap\/first is reverted by another client: the garbage collector removes/u,
    });
    expect(cluster.writes(ConfigMap, "first")).toBeLessThanOrEqual(12);
  });

  test("a deleted child is recreated a few times only", async () => {
    await using cluster = await testCluster();
    const foreign = foreignWriter(cluster, ConfigMap, ({ metadata }) =>
      metadata.name === "first" ? "delete" : undefined,
    );
    cluster.run(shopOperator());
    await cluster.apply(Shop, { name: "a", spec: { color: "red" } });
    await cluster.clock.advance(60_000);
    expect(await cluster.untilSettled(Shop, "a")).toHaveCondition("Ready", "False", {
      severity: "Warning",
      reason: "Contested",
      message: /^configmap\/first is repeatedly deleted by another client/u,
    });
    expect(cluster.writes(ConfigMap, "first")).toBeLessThanOrEqual(12);
    foreign.stop();
    await cluster.clock.advance(200_000);
    expect(await cluster.untilSettled(Shop, "a")).toBeReady();
  });

  test("a deleted Job is recreated a few times only", async () => {
    await using cluster = await testCluster({ workloads: true });
    foreignWriter(cluster, Job, () => "delete");
    cluster.run(operator(App, [migrate()]));
    await cluster.apply(App, { name: "a", spec: { image: "web:1" } });
    await cluster.clock.advance(60_000);
    expect(await cluster.untilSettled(App, "a")).toHaveCondition("Ready", "False", {
      reason: "Contested",
      message: /^job\/a-migrate is repeatedly deleted by another client/u,
    });
    const uids = new Set(cluster.history(Job, "a-migrate").map(({ metadata }) => metadata.uid));
    expect(uids.size).toBeLessThanOrEqual(12);
  });

  test("the replicas of an autoscaled workload", async () => {
    await using cluster = await testCluster({ workloads: true });
    foreignWriter(cluster, Deployment, ({ spec }) =>
      spec?.replicas === 3 ? undefined : { patch: { spec: { replicas: 3 } } },
    );
    cluster.run(
      operator(App, [
        workload(App, "Web", {
          condition: "WebReady",
          kind: Deployment,
          desired: ({ object }) => deploymentOf(object),
        }),
      ]),
    );
    await cluster.apply(App, { name: "a", spec: { image: "web:1" } });
    await cluster.clock.advance(60_000);
    expect(await cluster.untilSettled(App, "a")).toHaveCondition("Ready", "False", {
      reason: "Contested",
      message: new RegExp(`^spec\\.replicas of deployment/a is also written by ${FOREIGN_MANAGER}: `, "u"),
    });
  });

  test("the finalizer of a protected child", async () => {
    await using cluster = await testCluster();
    foreignWriter(cluster, ConfigMap, ({ metadata }) =>
      metadata.finalizers === undefined ? undefined : { patch: { metadata: { finalizers: null } } },
    );
    cluster.run(
      operator(Shop, [
        child(Shop, "First", {
          condition: "FirstReady",
          kind: ConfigMap,
          protect: true,
          desired: ({ spec }) => ({ metadata: { name: "first" }, data: { color: spec.color } }),
        }),
      ]),
    );
    await cluster.apply(Shop, { name: "a", spec: { color: "red" } });
    await cluster.clock.advance(60_000);
    expect(await cluster.untilSettled(Shop, "a")).toHaveCondition("Ready", "False", {
      reason: "Contested",
      message: /^metadata\.finalizers\[="test\.levelset\.dev\/shop-child"\] of configmap\/first is reverted/u,
    });
    expect(cluster.writes(ConfigMap, "first")).toBeLessThanOrEqual(24);
  });

  test("the finalizer of the object itself, without which steps do not run", async () => {
    await using cluster = await testCluster();
    const foreign = foreignWriter(cluster, Shop, ({ metadata }) =>
      metadata.finalizers === undefined ? undefined : { patch: { metadata: { finalizers: null } } },
    );
    const cleaned: string[] = [];
    const held = step(Shop, "Held", {
      condition: "HeldReady",
      do: () => ok(),
      cleanup: ({ name }) => {
        cleaned.push(name);
        return ok();
      },
    });
    cluster.run(operator(Shop, [held]));
    await cluster.apply(Shop, { name: "a", spec: { color: "red" } });
    await cluster.clock.advance(60_000);
    const contested = {
      reason: "Contested",
      message: /^metadata\.finalizers\[="test\.levelset\.dev\/shop"\] of shop\/a is /,
    };
    expect(await cluster.untilSettled(Shop, "a")).toHaveCondition("Ready", "False", contested);
    expect(await contestsOf(cluster)).toHaveLength(1);
    const writes = cluster.writes(Shop, "a");
    await cluster.clock.advance(3_600_000);
    // The finalizer, the status after it and the status without it, at most every 64, 128, 256 and then 300 s.
    expect(cluster.writes(Shop, "a") - writes).toBeLessThanOrEqual(3 * 16);
    foreign.stop();
    await cluster.clock.advance(420_000);
    expect(await cluster.untilSettled(Shop, "a")).toBeReady();
    await cluster.delete(Shop, "a");
    await cluster.untilDeleted(Shop, "a");
    expect(cleaned).toEqual(["a"]);
  });

  test("the spec of a sub CR", async () => {
    await using cluster = await testCluster();
    foreignWriter(cluster, Child, ({ spec }) => (spec.value === 9 ? undefined : { patch: { spec: { value: 9 } } }));
    const sub = subresource(Parent, "Child", {
      condition: "ChildReady",
      kind: Child,
      desired: ({ name, spec }) => ({ metadata: { name }, spec: { value: spec.value } }),
    });
    cluster.run(operator(Parent, [sub]));
    cluster.run(childOperator(10));
    await cluster.apply(Parent, { name: "a", spec: { value: 1 } });
    await cluster.clock.advance(60_000);
    expect(await cluster.untilSettled(Parent, "a")).toHaveCondition("Ready", "False", {
      reason: "Contested",
      message: new RegExp(`^spec\\.value of child/a is also written by ${FOREIGN_MANAGER}: `, "u"),
    });
  });
});

test("two operators with different values for one child settle, and the object reports Contested", async () => {
  await using cluster = await testCluster();
  cluster.run(shopOperator());
  cluster.run(shopOperator(() => ({ data: { color: "blue" } })));
  await cluster.apply(Shop, { name: "a", spec: { color: "red" } });
  await cluster.clock.advance(60_000);
  expect(await contestsOf(cluster)).not.toEqual([]);
  expect(cluster.writes(ConfigMap, "first")).toBeLessThanOrEqual(24);
});
