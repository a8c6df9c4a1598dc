import { ConfigMap, Deployment, findCondition, Pod } from "@levelset/core";
import type { EmbeddedObject, Kind } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { Client } from "../../client/index.ts";
import { operandManager } from "../index.ts";
import { config } from "../apply/unwatched.fixture.ts";
import { ClusterActiveOperand, Operand } from "../spec/operand-kinds.ts";
import { SKIP_DELETION_WAIT } from "../spec/labels-and-annotations.ts";

const FINALIZER = "example.com/f";

function held(object: EmbeddedObject): EmbeddedObject {
  return { ...object, metadata: { ...object.metadata, finalizers: [FINALIZER] } };
}

function deployment(name: string): EmbeddedObject {
  const labels = { app: name };
  const spec = { containers: [{ name: "main", image: "example.com/app:1" }] };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace: "default" },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
}

/** Deletes an Operand as `kubectl delete --cascade=foreground` does. */
async function deleteInForeground(at: TestCluster, kind: Kind = Operand, name = "a"): Promise<void> {
  const client = new Client({ fetch: at.fetch, fieldManager: "test" });
  await client.delete(kind, { name }, { propagationPolicy: "Foreground" });
  await at.untilIdle();
}

async function installed(at: TestCluster, ...steadyState: readonly EmbeddedObject[]): Promise<void> {
  await at.apply(Operand, { name: "a", spec: { steadyState } });
  await at.clock.advance(60_000);
  expect(await at.untilSettled(Operand, "a")).toBeReady();
}

async function letGo(at: TestCluster, kind: Kind, name: string): Promise<void> {
  await at.patch(kind, name, { metadata: { finalizers: null } });
  await at.clock.advance(3_000);
  await at.untilIdle();
}

describe("foreground deletion of an Operand", () => {
  test("keeps the Operand until its last object is gone, and names it with its finalizers", async () => {
    await using at = await testCluster();
    at.run(operandManager());
    await installed(at, config("x"), held(config("y")));
    await deleteInForeground(at);
    expect(await at.get(ConfigMap, "x")).toBeUndefined();
    const operand = await at.get(Operand, "a");
    expect(operand).toHaveCondition("OperandInstalled", "False", { reason: "WaitingForDeletion" });
    const { message } = findCondition(operand?.status?.conditions, "OperandInstalled") ?? {};
    expect(message).toContain("waiting for deletion: configmap/y in default");
    expect(message).toContain(`finalizers ${FINALIZER}`);
    await at.clock.advance(600_000);
    await at.untilIdle();
    expect(await at.get(Operand, "a")).toHaveCondition("OperandInstalled", "False", { reason: "DeletionTimedOut" });
    await letGo(at, ConfigMap, "y");
    expect(await at.get(ConfigMap, "y")).toBeUndefined();
    expect(await at.get(Operand, "a")).toBeUndefined();
    expect(await at.list(ClusterActiveOperand)).toEqual([]);
  });

  test("waits for the dependents of its objects, such as the pods of a Deployment", async () => {
    await using at = await testCluster({ workloads: true });
    at.run(operandManager());
    await installed(at, deployment("web"));
    const [pod] = await at.list(Pod);
    const name = pod?.metadata.name ?? "";
    await at.patch(Pod, name, { metadata: { finalizers: [FINALIZER] } });
    await deleteInForeground(at);
    await at.clock.advance(60_000);
    await at.untilIdle();
    expect((await at.get(Deployment, "web"))?.metadata.finalizers).toEqual(["foregroundDeletion"]);
    const { message } = findCondition((await at.get(Operand, "a"))?.status?.conditions, "OperandInstalled") ?? {};
    expect(message).toMatch(/deployment\.apps\/web in default \(deleted .*, finalizers foregroundDeletion\)/u);
    await letGo(at, Pod, name);
    await at.clock.advance(60_000);
    await at.untilIdle();
    expect(await at.list(Pod)).toEqual([]);
    expect(await at.get(Operand, "a")).toBeUndefined();
  });

  test("is remembered if the garbage collector removes its finalizer early", async () => {
    await using at = await testCluster();
    at.run(operandManager());
    await installed(at, held(config("y")));
    await deleteInForeground(at);
    const finalizers = (await at.get(Operand, "a"))?.metadata.finalizers ?? [];
    expect(finalizers).toContain("foregroundDeletion");
    const others = finalizers.filter((one) => one !== "foregroundDeletion");
    await at.patch(Operand, "a", { metadata: { finalizers: others } });
    await at.clock.advance(60_000);
    await at.untilIdle();
    expect(await at.get(Operand, "a")).toHaveCondition("OperandInstalled", "False", { reason: "WaitingForDeletion" });
    await letGo(at, ConfigMap, "y");
    expect(await at.get(Operand, "a")).toBeUndefined();
  });

  test("does not wait if the Operand skips the wait, and leaves objects of other owners alone", async () => {
    await using at = await testCluster();
    at.run(operandManager());
    await installed(at, held(config("y")));
    await at.apply(Operand, { name: "b", spec: { adoption: "Always", steadyState: [held(config("y"))] } });
    expect(await at.untilSettled(Operand, "b")).toBeReady();
    await deleteInForeground(at);
    expect(await at.get(Operand, "a")).toBeUndefined();
    expect((await at.get(ConfigMap, "y"))?.metadata.deletionTimestamp).toBeUndefined();
    await at.patch(Operand, "b", { metadata: { annotations: { [SKIP_DELETION_WAIT]: "true" } } });
    await deleteInForeground(at, Operand, "b");
    expect(await at.get(Operand, "b")).toBeUndefined();
    expect((await at.get(ConfigMap, "y"))?.metadata.deletionTimestamp).toBeDefined();
  });
});
