import { kind, PersistentVolumeClaim, s } from "@levelset/core";
import type { EmbeddedObject, JsonObject } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { Client, Discovery } from "../../client/index.ts";
import { refTo } from "../../engine/index.ts";
import { why } from "../../explain/index.ts";
import { inspectOperand, Operand, operandManager } from "../index.ts";

const Widget = kind({
  group: "example.com",
  version: "v1",
  kind: "Widget",
  spec: s.object({}),
  status: s.object({}),
});
const WIDGET: EmbeddedObject = {
  apiVersion: "example.com/v1",
  kind: "Widget",
  metadata: { name: "w", namespace: "default" },
  spec: {},
};

function workload(type: "StatefulSet" | "DaemonSet" | "Job", name: string, volumes: JsonObject[] = []): EmbeddedObject {
  const labels = { app: name };
  const pod = { containers: [{ name: "main", image: "example.com/app:1" }], volumes };
  const template = { metadata: { labels }, spec: type === "Job" ? { ...pod, restartPolicy: "Never" } : pod };
  const selected = type === "Job" ? {} : { selector: { matchLabels: labels } };
  const named = type === "StatefulSet" ? { serviceName: name } : {};
  return {
    apiVersion: type === "Job" ? "batch/v1" : "apps/v1",
    kind: type,
    metadata: { name, namespace: "default" },
    spec: { template, ...selected, ...named },
  };
}

const CLAIM: EmbeddedObject = {
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name: "data", namespace: "default" },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
};
const DATA = [{ name: "data", persistentVolumeClaim: { claimName: "data" } }];

describe("an Operand with healthGate All", () => {
  test("waits for its workloads and the claims that they use, before postInstall and at the end", async () => {
    await using cluster = await testCluster({ workloads: true });
    cluster.run(operandManager());
    const steadyState = [workload("StatefulSet", "db", DATA), workload("DaemonSet", "agent"), CLAIM];
    const spec = { healthGate: "All", steadyState, postInstall: [workload("Job", "migrate")] } as const;
    await cluster.apply(Operand, { name: "shop", spec });
    await cluster.untilIdle();
    const waiting = await cluster.get(Operand, "shop");
    expect(waiting).toHaveCondition("OperandInstalled", "False", { reason: "Waiting" });
    expect(waiting?.status?.conditions?.find(({ type }) => type === "OperandInstalled")?.message).toMatch(
      /^statefulset\.apps\/db in default: \d of 1 replicas/u,
    );
    const client = new Client({ fetch: cluster.fetch, fieldManager: "test" });
    const world = { client, discovery: new Discovery(client) };
    const explanation = await why(refTo(Operand, { name: "shop" }), world);
    expect(explanation.causes.map((one) => one.kind)).toContain("StatefulSet");
    await cluster.clock.advance(120_000);
    const operand = await cluster.untilSettled(Operand, "shop");
    expect(operand).toBeReady();
    expect(operand.status?.counts).toMatchObject({ total: 4, ready: 4 });
    expect((await cluster.get(PersistentVolumeClaim, "data"))?.status?.phase).toBe("Bound");
  });

  test("ignores a custom resource without conditions, and waits for one that reports them", async () => {
    await using cluster = await testCluster({ kinds: [Widget] });
    cluster.run(operandManager());
    await cluster.apply(Operand, { name: "shop", spec: { healthGate: "All", steadyState: [WIDGET] } });
    expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
    const report = async (type: string, status: string): Promise<void> => {
      const conditions = [
        { type, status, reason: "Test", message: "busy", lastTransitionTime: "2026-01-01T00:00:00Z" },
      ];
      await cluster.patchStatus(Widget, "w", { conditions });
      await cluster.untilIdle();
    };
    await report("Reconciling", "True");
    expect(await cluster.get(Operand, "shop")).toHaveCondition("OperandInstalled", "False", { reason: "Waiting" });
    await report("Stalled", "True");
    const failed = await cluster.get(Operand, "shop");
    expect(failed).toHaveCondition("OperandInstalled", "False", { reason: "Failed" });
    expect(failed?.status?.failing).toMatchObject([{ kind: "Widget", name: "w", reason: "Test", message: "busy" }]);
    const client = new Client({ fetch: cluster.fetch, fieldManager: "test" });
    const world = {
      client,
      discovery: new Discovery(client),
      clock: cluster.clock,
      signal: new AbortController().signal,
    };
    if (failed === undefined) throw new Error("the Operand exists");
    expect(await inspectOperand(failed, world)).toMatchObject({ items: [{ readiness: { kind: "failed" } }] });
    await report("Ready", "True");
    expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
  });

  test("installs a custom resource of steadyState whose controller comes with postInstall", async () => {
    await using cluster = await testCluster({ kinds: [Widget] });
    const running = cluster.run(operandManager());
    const settings = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "controller", namespace: "default" },
    };
    await cluster.apply(Operand, { name: "shop", spec: { healthGate: "All", steadyState: [WIDGET] } });
    expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
    await running.stop();
    // As a controller that is gone left it, or as a CRD with a default status creates it.
    const conditions = [
      { type: "Ready", status: "Unknown", reason: "Pending", message: "", lastTransitionTime: "2026-01-01T00:00:00Z" },
    ];
    await cluster.patchStatus(Widget, "w", { conditions });
    await cluster.patch(Operand, "shop", { spec: { postInstall: [settings] } });
    cluster.run(operandManager());
    await cluster.untilIdle();
    const operand = await cluster.get(Operand, "shop");
    expect(operand?.status).toMatchObject({ phase: "PostInstall", installedSteadyStateGeneration: 2 });
    expect(operand?.status?.counts).toMatchObject({ total: 2, applied: 2, ready: 1 });
  });
});
