import { ConfigMap, controllerOf, isReady } from "@levelset/core";
import { isWrite } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import { ClusterActiveOperand, Operand, operandManager } from "@levelset/operator";
import { expect, test } from "vitest";
import { config } from "../../scenarios/operand/manifests.ts";
import { expectNoObjects } from "./expect-reached.ts";

/** More processes than a deletion needs. */
const PROCESSES_MAX = 60;

/** Creates two Operands that share the ConfigMap `x`. */
async function sharedCluster(): Promise<TestCluster> {
  const cluster = await testCluster({ seed: 7, kinds: operandManager().kinds ?? [] });
  const steadyState = [config("default", "x", { a: "1" })];
  for (const name of ["p", "q"]) await cluster.create(Operand, { name, spec: { steadyState } });
  const running = cluster.run(operandManager());
  await cluster.untilIdle();
  await cluster.clock.advance(10_000);
  for (const name of ["p", "q"]) expect(isReady(await cluster.untilSettled(Operand, name))).toBe(true);
  await running.stop();
  return cluster;
}

/** Runs one process after the other for one write each. Returns their number once the Operands are gone. */
async function runUntilDeleted(cluster: TestCluster): Promise<number> {
  const { faults, clock } = cluster;
  let processes = 0;
  while ((await cluster.list(Operand)).length > 0) {
    expect(++processes, "processes").toBeLessThan(PROCESSES_MAX);
    faults.failNth(1, { kind: "crash" }, isWrite);
    const operands = operandManager();
    const running = cluster.run({ name: operands.name, start: (world) => operands.start(world) });
    await cluster.untilIdle();
    if (!faults.isCrashed) await clock.advance(1_000);
    await cluster.untilIdle();
    await running.stop();
    if (faults.isCrashed) faults.restart();
  }
  return processes;
}

/** Removes the label and the owner reference of an Operand from `x`, as the first write of its deletion does. */
async function letGo(cluster: TestCluster, operand: string): Promise<void> {
  const { uid = "" } = (await cluster.get(Operand, operand))?.metadata ?? {};
  const own = (await cluster.list(ClusterActiveOperand)).filter((inventory) => controllerOf(inventory)?.uid === uid);
  const { ownerReferences = [] } = (await cluster.get(ConfigMap, "x"))?.metadata ?? {};
  const others = ownerReferences.filter((reference) => !own.some(({ metadata }) => metadata.uid === reference.uid));
  expect(others).toHaveLength(1);
  const labels = { [`operand.levelset.dev/${uid}`]: null };
  await cluster.patch(ConfigMap, "x", { metadata: { labels, ownerReferences: others.map((one) => ({ ...one })) } });
}

test.each(["p", "q"])(
  "a deletion of two Operands ends if %s has let go of a shared object, with a crash after each write",
  async (operand) => {
    await using cluster = await sharedCluster();
    await letGo(cluster, operand);
    for (const name of ["p", "q"]) await cluster.delete(Operand, name);
    expect(await runUntilDeleted(cluster)).toBeGreaterThan(4);
    await expectNoObjects((kind) => cluster.list(kind));
  },
);
