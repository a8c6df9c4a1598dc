import { ConfigMap, Deployment, Namespace } from "@levelset/core";
import type { EmbeddedObject, JsonObject } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { Client, Discovery } from "../client/index.ts";
import { why } from "../explain/index.ts";
import type { ObjectNode } from "../explain/index.ts";
import { refTo } from "../engine/index.ts";
import { ClusterActiveOperand, Operand, operandManager } from "./index.ts";

const config = (name: string, data: JsonObject = {}): EmbeddedObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "default" },
  data,
});

function deployment(name: string, tag = "1"): EmbeddedObject {
  const labels = { app: name };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace: "default" },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "main", image: `example.com/app:${tag}` }] } },
    },
  };
}

/** Objects of an explanation, from the root down to one without another cause. */
function path(node: ObjectNode): readonly string[] {
  const [first] = [...node.conditions.flatMap(({ causes }) => causes), ...node.causes];
  return [node.kind, ...(first === undefined ? [] : path(first))];
}

describe("an Operand", () => {
  test("that waits for a new image is explained down to the pod, not by its revisions", async () => {
    await using cluster = await testCluster({ workloads: true });
    cluster.run(operandManager());
    await cluster.apply(Operand, { name: "shop", spec: { steadyState: [deployment("web")] } });
    await cluster.clock.advance(60_000);
    expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
    await cluster.patch(Operand, "shop", { spec: { steadyState: [deployment("web", "does-not-exist")] } });
    await cluster.clock.advance(60_000);
    const client = new Client({ fetch: cluster.fetch, fieldManager: "test" });
    const explanation = await why(refTo(Operand, { name: "shop" }), { client, discovery: new Discovery(client) });
    expect(path(explanation)).toEqual(["Operand", "Deployment", "Pod"]);
    expect(explanation.causes.map(({ kind }) => kind)).toEqual(["Deployment"]);
  });

  test("with empty lists becomes ready with the empty inventory", async () => {
    await using cluster = await testCluster();
    cluster.run(operandManager());
    await cluster.apply(Operand, { name: "shop", spec: {} });
    const operand = await cluster.untilSettled(Operand, "shop");
    expect(operand).toBeReady();
    expect(operand.status).toMatchObject({
      latestCreatedActiveOperand: "sha256-4f53cda18c",
      latestReadyActiveOperand: "sha256-4f53cda18c",
      installedSteadyStateGeneration: 1,
    });
    expect((await cluster.list(ClusterActiveOperand)).map(({ metadata, spec }) => [metadata.name, spec.live])).toEqual([
      ["sha256-4f53cda18c", []],
    ]);
  });

  test("replaces one set by another, and prunes the old one once the new one is ready", async () => {
    await using cluster = await testCluster({ workloads: true });
    cluster.run(operandManager());
    await cluster.apply(Namespace, { name: "other" });
    await cluster.apply(Operand, { name: "shop", spec: { steadyState: [config("x", { a: "1" }), config("y")] } });
    expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
    const before = await cluster.get(ConfigMap, "y");
    await cluster.patch(Operand, "shop", { spec: { steadyState: [config("y"), deployment("z")] } });
    await cluster.untilIdle();
    expect(await cluster.get(ConfigMap, "x")).toBeDefined();
    await cluster.clock.advance(60_000);
    expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
    expect(await cluster.get(ConfigMap, "x")).toBeUndefined();
    expect((await cluster.get(ConfigMap, "y"))?.metadata.uid).toBe(before?.metadata.uid);
    expect(await cluster.get(Deployment, "z")).toBeDefined();
    expect(await cluster.list(ClusterActiveOperand)).toHaveLength(1);
    await cluster.delete(Operand, "shop");
    await cluster.untilDeleted(Operand, "shop");
    expect(await cluster.get(ConfigMap, "y")).toBeUndefined();
    expect(await cluster.list(ClusterActiveOperand)).toEqual([]);
  });

  test("reports one of the states that every view shows, next to its phase", async () => {
    await using cluster = await testCluster({ workloads: true });
    cluster.run(operandManager());
    const state = async (): Promise<unknown> => {
      await cluster.untilIdle();
      return (await cluster.get(Operand, "shop"))?.status?.state;
    };
    await cluster.apply(Operand, { name: "shop", spec: { steadyState: [config("x"), deployment("web")] } });
    expect(await state()).toBe("Progressing");
    await cluster.clock.advance(60_000);
    expect(await state()).toBe("Ready");
    await cluster.patch(Operand, "shop", { spec: { suspend: true } });
    expect(await state()).toBe("Paused");
    await cluster.patch(Operand, "shop", { spec: { suspend: false } });
    expect(await state()).toBe("Ready");
    await cluster.patch(Operand, "shop", { spec: { steadyState: [config("x"), config("x")] } });
    expect(await state()).toBe("Failed");
    await cluster.patch(Operand, "shop", { spec: { steadyState: [config("x")] } });
    expect(await state()).toBe("Ready");
    const isApply = ({ method, path }: { readonly method: string; readonly path: string }): boolean =>
      method === "PATCH" && path.includes("/configmaps/");
    cluster.faults.failNth(1, { kind: "status", reason: "InternalError" }, isApply);
    await cluster.patch(Operand, "shop", { spec: { steadyState: [config("x", { a: "1" })] } });
    expect(await state()).toBe("Degraded");
    await cluster.clock.advance(60_000);
    expect(await state()).toBe("Ready");
    await cluster.patch(ConfigMap, "x", { metadata: { finalizers: ["example.com/hold"] } });
    await cluster.patch(Operand, "shop", { spec: { deletionPolicy: "WaitForTermination" } });
    await cluster.delete(Operand, "shop");
    expect(await state()).toBe("Deleting");
  });

  test("is Failed while one of its objects is stuck, even if another one is retried", async () => {
    await using cluster = await testCluster();
    cluster.run(operandManager());
    const health = [{ kind: "ConfigMap", ready: "!has(self.data.broken)", failed: "has(self.data.broken)" }];
    const unknown = { apiVersion: "x.example.com/v1", kind: "Unknown", metadata: { name: "y", namespace: "default" } };
    const steadyState = [config("x", { broken: "yes" }), unknown];
    await cluster.apply(Operand, { name: "shop", spec: { health, steadyState } });
    await cluster.untilIdle();
    const operand = await cluster.get(Operand, "shop");
    expect(operand).toHaveCondition("Ready", "False", { severity: "Warning" });
    expect(operand).toHaveCondition("Stalled", "True");
    expect(operand?.status?.state).toBe("Failed");
  });
});
