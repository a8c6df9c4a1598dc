import { ConfigMap, findCondition } from "@levelset/core";
import type { EmbeddedObject, ObjectOf } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { operandManager } from "../index.ts";
import { ClusterActiveOperand, Operand } from "../spec/operand-kinds.ts";
import { INSTALL_ORDER } from "../spec/labels-and-annotations.ts";
import { config, ListGuard, Widget, widget } from "../apply/unwatched.fixture.ts";

const FINALIZER = "example.com/f";

function held(object: EmbeddedObject, wave: number): EmbeddedObject {
  const annotations = { "operand.levelset.dev/wave": String(wave) };
  return { ...object, metadata: { ...object.metadata, annotations, finalizers: [FINALIZER] } };
}

async function letGo(at: TestCluster, name: string): Promise<void> {
  await at.patch(ConfigMap, name, { metadata: { finalizers: null } });
  await at.clock.advance(3_000);
  await at.untilIdle();
}

async function isDeleted(at: TestCluster, name: string): Promise<boolean> {
  const found = await at.get(ConfigMap, name);
  return found === undefined || found.metadata.deletionTimestamp !== undefined;
}

function reasonOf(operand: ObjectOf<Operand> | undefined): string | undefined {
  return findCondition(operand?.status?.conditions, "OperandInstalled")?.reason;
}

async function inventory(at: TestCluster): Promise<ObjectOf<ClusterActiveOperand>> {
  const [found] = await at.list(ClusterActiveOperand);
  if (found === undefined) throw new Error("the inventory exists");
  return found;
}

const WAVES = [config("base"), held(config("later"), 1)];

describe("the install order of an inventory", () => {
  test("is stored in an annotation, and added to an inventory that has none", async () => {
    await using at = await testCluster();
    const running = at.run(operandManager());
    await at.apply(Operand, { name: "a", spec: { steadyState: WAVES } });
    await at.untilSettled(Operand, "a");
    const stored = (await inventory(at)).metadata.annotations?.[INSTALL_ORDER];
    expect(stored?.split(",")).toEqual(["0.0.4.0", "0.1.4.0"]);
    await running.stop();
    const { name } = (await inventory(at)).metadata;
    await at.patch(ClusterActiveOperand, name, { metadata: { annotations: { [INSTALL_ORDER]: null } } });
    at.run(operandManager());
    await at.untilIdle();
    expect((await inventory(at)).metadata.annotations?.[INSTALL_ORDER]).toBe(stored);
    expect(await at.untilSettled(Operand, "a")).toBeReady();
  });

  test("is read from the spec if the inventory has none and the Operand is being deleted", async () => {
    await using at = await testCluster();
    const running = at.run(operandManager());
    await at.apply(Operand, { name: "a", spec: { steadyState: WAVES } });
    await at.untilSettled(Operand, "a");
    await running.stop();
    const { name } = (await inventory(at)).metadata;
    await at.patch(ClusterActiveOperand, name, { metadata: { annotations: { [INSTALL_ORDER]: null } } });
    await at.delete(Operand, "a");
    at.run(operandManager());
    await at.untilIdle();
    expect(await isDeleted(at, "later")).toBe(true);
    expect(await isDeleted(at, "base")).toBe(false);
    await letGo(at, "later");
    expect(await at.get(ConfigMap, "base")).toBeUndefined();
    expect(await at.get(Operand, "a")).toBeUndefined();
  });
});

describe("the deletion of an Operand", () => {
  test("removes leftovers first, and the set once they are gone", async () => {
    await using at = await testCluster();
    at.run(operandManager());
    const spec = { prune: { mode: "Deferred", after: "1h" } } as const;
    await at.apply(Operand, { name: "a", spec: { ...spec, steadyState: [config("base"), held(config("old"), 0)] } });
    expect(await at.untilSettled(Operand, "a")).toBeReady();
    await at.apply(Operand, { name: "a", spec: { ...spec, steadyState: [config("base")] } });
    expect(await at.untilSettled(Operand, "a")).toBeReady();
    await at.delete(Operand, "a");
    await at.clock.advance(60_000);
    await at.untilIdle();
    expect(await isDeleted(at, "old")).toBe(true);
    expect(await isDeleted(at, "base")).toBe(false);
    expect(reasonOf(await at.get(Operand, "a"))).toBe("WaitingForDeletion");
    await at.clock.advance(600_000);
    await at.untilIdle();
    expect(reasonOf(await at.get(Operand, "a"))).toBe("DeletionTimedOut");
    await letGo(at, "old");
    expect(await at.get(ConfigMap, "base")).toBeUndefined();
    expect(await at.get(Operand, "a")).toBeUndefined();
  });

  test("removes a version that never became ready before the baseline", async () => {
    await using at = await testCluster();
    at.run(operandManager());
    await at.apply(Operand, { name: "a", spec: { steadyState: [config("base")] } });
    expect(await at.untilSettled(Operand, "a")).toBeReady();
    const never = { group: "", kind: "ConfigMap", ready: "false" };
    const health = [never];
    await at.apply(Operand, { name: "a", spec: { health, steadyState: [held(config("new"), 0)] } });
    await at.untilIdle();
    expect(await at.list(ClusterActiveOperand)).toHaveLength(2);
    await at.delete(Operand, "a");
    await at.untilIdle();
    expect(await isDeleted(at, "new")).toBe(true);
    expect(await isDeleted(at, "base")).toBe(false);
    await letGo(at, "new");
    expect(await at.get(Operand, "a")).toBeUndefined();
    expect(await at.list(ClusterActiveOperand)).toEqual([]);
    expect(await at.get(ConfigMap, "base")).toBeUndefined();
  });

  test("polls objects of a kind that cannot be watched", async () => {
    await using at = await testCluster({ kinds: [Widget] });
    const guard = new ListGuard();
    at.run(guard.wrap(operandManager()));
    await at.apply(Operand, { name: "a", spec: { steadyState: [config("base"), held(widget("w"), 1)] } });
    expect(await at.untilSettled(Operand, "a")).toBeReady();
    guard.answer = "Forbidden";
    guard.cutWatches();
    await at.clock.advance(60_000);
    await at.delete(Operand, "a");
    await at.clock.advance(10_000);
    await at.untilIdle();
    expect((await at.get(Widget, "w"))?.metadata.deletionTimestamp).toBeDefined();
    expect(await isDeleted(at, "base")).toBe(false);
    await at.patch(Widget, "w", { metadata: { finalizers: null } });
    await at.clock.advance(5_000);
    await at.untilIdle();
    expect(await at.get(Operand, "a")).toBeUndefined();
  });

  test("does not read the whole set again for each deleted object", async () => {
    await using at = await testCluster();
    at.run(operandManager());
    const names = Array.from({ length: 40 }, (_, index) => `c${index}`);
    const steadyState = [config("base"), ...names.map((name) => held(config(name), 1))];
    await at.apply(Operand, { name: "a", spec: { steadyState } });
    expect(await at.untilSettled(Operand, "a")).toBeReady();
    await at.delete(Operand, "a");
    await at.untilIdle();
    const reads = (): number =>
      at.faults.count(({ method, path }) => method === "GET" && path.includes("/configmaps/"));
    const before = reads();
    for (const name of names.slice(0, 20)) {
      await at.patch(ConfigMap, name, { metadata: { finalizers: null } });
      await at.untilIdle();
    }
    expect(reads() - before).toBe(0);
    expect(await isDeleted(at, "base")).toBe(false);
    for (const name of names.slice(20)) await at.patch(ConfigMap, name, { metadata: { finalizers: null } });
    await at.clock.advance(3_000);
    await at.untilIdle();
    expect(await at.get(Operand, "a")).toBeUndefined();
    expect(await at.get(ConfigMap, "base")).toBeUndefined();
  });

  test("waits without writes, and completes at once", async () => {
    await using at = await testCluster();
    at.run(operandManager());
    await at.apply(Operand, { name: "a", spec: { steadyState: WAVES } });
    expect(await at.untilSettled(Operand, "a")).toBeReady();
    await at.delete(Operand, "a");
    await at.clock.advance(5_000);
    await at.untilIdle();
    const writes = at.writes(Operand, "a");
    await at.clock.advance(500_000);
    await at.untilIdle();
    expect(at.writes(Operand, "a")).toBe(writes);
    await at.patch(ConfigMap, "later", { metadata: { finalizers: null } });
    await at.untilIdle();
    expect(await at.get(Operand, "a")).toBeUndefined();
  });
});
