import { ConfigMap, Deployment, Event, findCondition } from "@levelset/core";
import type { EmbeddedObject, JsonObject } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { Client, Discovery } from "../../client/index.ts";
import { why } from "../../explain/index.ts";
import { refTo } from "../../engine/index.ts";
import { FOREIGN_MANAGER, foreignWriter } from "../../steps/child/foreign-writer.fixture.ts";
import { ClusterActiveOperand, Operand, operandManager } from "../index.ts";

function config(name: string, data: JsonObject = {}, metadata: JsonObject = {}): EmbeddedObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default", ...metadata }, data };
}

function web(replicas: number): EmbeddedObject {
  const labels = { app: "web" };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", namespace: "default" },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "main", image: "example.com/app:1" }] } },
    },
  };
}

/** Scales the Deployment to three whenever it has another number of replicas. */
const scaler = (cluster: TestCluster) =>
  foreignWriter(cluster, Deployment, ({ spec }) =>
    spec?.replicas === 3 ? undefined : { patch: { spec: { replicas: 3 } } },
  );

const CONTESTED = {
  severity: "Warning",
  reason: "Contested",
  message: new RegExp(`^spec\\.replicas of deployment/web is also written by ${FOREIGN_MANAGER}: `, "u"),
} as const;

describe("an object of a set with a field that another client keeps reverting", () => {
  test("is written a few times only, and the Operand is not Ready and names the object", async () => {
    await using cluster = await testCluster({ workloads: true });
    scaler(cluster);
    cluster.run(operandManager());
    await cluster.apply(Operand, { name: "shop", spec: { steadyState: [web(1), config("settings")] } });
    await cluster.clock.advance(120_000);
    const operand = await cluster.untilSettled(Operand, "shop");
    expect(operand).toHaveCondition("Ready", "False", CONTESTED);
    expect(operand.status?.phase).toBe("Failed");
    expect(operand.status?.counts).toMatchObject({ total: 2, applied: 2, ready: 1 });
    expect(operand.status?.failing).toMatchObject([{ kind: "Deployment", name: "web", reason: "Contested" }]);
    // One write to create it, five that were reverted, then delays of 1, 2, 4, 8, 16, 32 and 64 s.
    expect(cluster.writes(Deployment, "web")).toBeLessThanOrEqual(13);
    const events = await cluster.list(Event, "default");
    expect(events.filter(({ reason }) => reason === "Contested").map(({ message }) => message)).toEqual([
      expect.stringMatching(CONTESTED.message),
    ]);
    await cluster.clock.advance(1_200_000);
    // Delays of 128, 256 and then 300 s.
    expect(cluster.writes(Deployment, "web")).toBeLessThanOrEqual(18);
    const ready = cluster.history(Operand, "shop").map(({ status }) => findCondition(status?.conditions, "Ready"));
    const first = ready.findIndex((condition) => condition?.reason === "Contested");
    expect(ready.slice(first).every((condition) => condition?.reason === "Contested")).toBe(true);
  });

  test("is explained by levelset why", async () => {
    await using cluster = await testCluster({ workloads: true });
    scaler(cluster);
    cluster.run(operandManager());
    await cluster.apply(Operand, { name: "shop", spec: { steadyState: [web(1)] } });
    await cluster.clock.advance(120_000);
    await cluster.untilIdle();
    const client = new Client({ fetch: cluster.fetch, fieldManager: "test" });
    const explanation = await why(refTo(Operand, { name: "shop" }), { client, discovery: new Discovery(client) });
    expect(explanation.conditions.find(({ type }) => type === "Uncontested")).toMatchObject({
      state: "failing",
      message: expect.stringMatching(CONTESTED.message) as unknown,
    });
  });

  test("blocks neither the rest of the set nor the pruning of the previous set", async () => {
    await using cluster = await testCluster({ workloads: true });
    scaler(cluster);
    cluster.run(operandManager());
    const steadyState = [web(1), config("old")];
    await cluster.apply(Operand, { name: "shop", spec: { steadyState, postInstall: [config("last")] } });
    await cluster.clock.advance(120_000);
    await cluster.untilIdle();
    expect(await cluster.get(ConfigMap, "last")).toBeDefined();
    await cluster.patch(Operand, "shop", { spec: { steadyState: [web(1), config("new")] } });
    await cluster.clock.advance(120_000);
    expect(await cluster.untilSettled(Operand, "shop")).toHaveCondition("Ready", "False", { reason: "Contested" });
    expect([await cluster.get(ConfigMap, "old"), await cluster.get(ConfigMap, "new")]).toEqual([
      undefined,
      expect.anything(),
    ]);
    expect(await cluster.list(ClusterActiveOperand)).toHaveLength(1);
  });

  test("recovers once the other client stops", async () => {
    await using cluster = await testCluster({ workloads: true });
    const foreign = scaler(cluster);
    cluster.run(operandManager());
    await cluster.apply(Operand, { name: "shop", spec: { steadyState: [web(1)] } });
    await cluster.clock.advance(120_000);
    foreign.stop();
    await cluster.clock.advance(300_000);
    const operand = await cluster.untilSettled(Operand, "shop");
    expect(operand).toBeReady();
    expect(operand.status?.phase).toBe("Ready");
    expect((await cluster.get(Deployment, "web"))?.spec?.replicas).toBe(1);
  });

  test("is left to the other client if drift.ignore lists the field", async () => {
    await using cluster = await testCluster({ workloads: true });
    scaler(cluster);
    cluster.run(operandManager());
    const ignore = [{ kind: "Deployment", fields: ["/spec/replicas"] }];
    await cluster.apply(Operand, { name: "shop", spec: { steadyState: [web(1)], drift: { ignore } } });
    await cluster.clock.advance(120_000);
    expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
    expect((await cluster.get(Deployment, "web"))?.spec?.replicas).toBe(3);
  });
});

describe("a change that another client keeps reverting:", () => {
  test("an owner reference to a missing owner, removed by the garbage collector", async () => {
    await using cluster = await testCluster();
    cluster.run(operandManager());
    const ghost = { apiVersion: "v1", kind: "ConfigMap", name: "ghost", uid: "no-such-uid" };
    const steadyState = [config("settings", {}, { ownerReferences: [ghost] })];
    await cluster.apply(Operand, { name: "shop", spec: { steadyState } });
    await cluster.clock.advance(60_000);
    expect(await cluster.untilSettled(Operand, "shop")).toHaveCondition("Ready", "False", {
      reason: "Contested",
      message:
        /^metadata\.ownerReferences\[uid="no-such-uid"\] of configmap\/settings is reverted by another client: the garbage collector/u,
    });
    expect(cluster.writes(ConfigMap, "settings")).toBeLessThanOrEqual(12);
  });

  test("the owner reference to the inventory", async () => {
    await using cluster = await testCluster();
    foreignWriter(cluster, ConfigMap, ({ metadata }) =>
      metadata.ownerReferences === undefined ? undefined : { patch: { metadata: { ownerReferences: null } } },
    );
    cluster.run(operandManager());
    await cluster.apply(Operand, { name: "shop", spec: { steadyState: [config("settings")] } });
    await cluster.clock.advance(60_000);
    expect(await cluster.untilSettled(Operand, "shop")).toHaveCondition("Ready", "False", {
      reason: "Contested",
      message: /^metadata\.ownerReferences\[uid="[^"]+"\] of configmap\/settings is reverted/u,
    });
    // Both the Operand and its inventory restore it.
    expect(cluster.writes(ConfigMap, "settings")).toBeLessThanOrEqual(24);
  });

  test("the labels that mark objects of the set", async () => {
    await using cluster = await testCluster();
    foreignWriter(cluster, ConfigMap, ({ metadata }) =>
      metadata.labels === undefined ? undefined : { patch: { metadata: { labels: null } } },
    );
    cluster.run(operandManager());
    await cluster.apply(Operand, { name: "shop", spec: { steadyState: [config("settings")] } });
    await cluster.clock.advance(60_000);
    expect(await cluster.untilSettled(Operand, "shop")).toHaveCondition("Ready", "False", {
      reason: "Contested",
      message: /^metadata\.labels/u,
    });
    expect(cluster.writes(ConfigMap, "settings")).toBeLessThanOrEqual(24);
  });

  test.each(["Reconcile", "EnsureExists"])("the existence of an object of mode %s", async (mode) => {
    await using cluster = await testCluster();
    const foreign = foreignWriter(cluster, ConfigMap, () => "delete");
    cluster.run(operandManager());
    const annotations = { "operand.levelset.dev/mode": mode };
    await cluster.apply(Operand, { name: "shop", spec: { steadyState: [config("settings", {}, { annotations })] } });
    await cluster.clock.advance(60_000);
    expect(await cluster.untilSettled(Operand, "shop")).toHaveCondition("Ready", "False", {
      reason: "Contested",
      message: /^configmap\/settings is repeatedly deleted by another client/u,
    });
    expect(cluster.writes(ConfigMap, "settings")).toBeLessThanOrEqual(14);
    foreign.stop();
    await cluster.clock.advance(300_000);
    expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
  });
});
