import { ConfigMap, Event } from "@levelset/core";
import type { EmbeddedObject } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { Operand, OperandRevision, operandManager } from "../index.ts";

const config = (name: string, value: string): EmbeddedObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "default" },
  data: { value },
});

async function ask(cluster: TestCluster, spec: Record<string, unknown>): Promise<void> {
  await cluster.apply(Operand, { name: "shop", spec });
  expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
}

async function revisions(cluster: TestCluster): Promise<readonly (readonly [string, unknown])[]> {
  const all = await cluster.list(OperandRevision);
  return all.map(({ metadata, spec }) => [metadata.name, spec.asked["steadyState"]] as const);
}

describe("the revisions of an Operand", () => {
  test("store the specs of the versions that became ready, up to the limit", async () => {
    await using cluster = await testCluster();
    cluster.run(operandManager());
    for (const value of ["1", "2", "3"]) {
      await ask(cluster, { revisionHistoryLimit: 2, steadyState: [config("a", value)] });
    }
    expect(await revisions(cluster)).toEqual([
      ["shop-2", [config("a", "2")]],
      ["shop-3", [config("a", "3")]],
    ]);
    expect(await cluster.get(OperandRevision, "shop-3")).toMatchObject({
      spec: { operand: "shop", generation: 3, objects: 1, activeOperand: expect.stringMatching(/^sha256-/u) },
    });
  });

  test("are not created by suspending, nor for a version that does not become ready", async () => {
    await using cluster = await testCluster();
    cluster.run(operandManager());
    await ask(cluster, { steadyState: [config("a", "1")] });
    await cluster.patch(Operand, "shop", { spec: { suspend: true } });
    await cluster.untilIdle();
    await ask(cluster, { suspend: false });
    await cluster.patch(Operand, "shop", { spec: { steadyState: [{ ...config("a", "2"), kind: "Unknown" }] } });
    await cluster.untilIdle();
    expect((await revisions(cluster)).map(([name]) => name)).toEqual(["shop-1"]);
  });

  test("are deleted when the limit is 0, and with the Operand", async () => {
    await using cluster = await testCluster();
    cluster.run(operandManager());
    await ask(cluster, { steadyState: [config("a", "1")] });
    await ask(cluster, { revisionHistoryLimit: 0 });
    expect(await revisions(cluster)).toEqual([]);
    await ask(cluster, { revisionHistoryLimit: 1 });
    expect(await revisions(cluster)).toHaveLength(1);
    await cluster.delete(Operand, "shop");
    await cluster.untilDeleted(Operand, "shop");
    expect(await revisions(cluster)).toEqual([]);
    expect(await cluster.get(ConfigMap, "a")).toBeUndefined();
  });

  test("do not block the Operand when they cannot be stored, and an event reports it", async () => {
    await using cluster = await testCluster();
    cluster.run(operandManager());
    const isRevision = ({ method, path }: { readonly method: string; readonly path: string }): boolean =>
      method === "POST" && path.includes("/operandrevisions");
    cluster.faults.failNth(1, { kind: "status", reason: "RequestEntityTooLarge" }, isRevision);
    await ask(cluster, { steadyState: [config("a", "1")] });
    expect(await revisions(cluster)).toEqual([]);
    expect((await cluster.list(Event)).map(({ reason }) => reason)).toContain("RevisionNotStored");
  });
});
