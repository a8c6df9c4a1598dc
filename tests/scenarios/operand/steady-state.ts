import { ConfigMap, isReady, Namespace } from "@levelset/core";
import type { EmbeddedObject } from "@levelset/core";
import { isWatch, isWrite } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { RunnableHandle, TestCluster } from "@levelset/apiserver/testing";
import { describe, expect, test } from "vitest";
import { Operand, operandManager } from "@levelset/operator";
import { config } from "./manifests.ts";

/** Writes beside those of objects: finalizers, statuses, inventories, a revision, events. */
const OVERHEAD = 20;

/** Size of the set. */
export interface Size {
  readonly objects: number;
  readonly namespaces: number;
}

function objectsOf({ objects, namespaces }: Size, version: (index: number) => string): readonly EmbeddedObject[] {
  return Array.from({ length: objects }, (_, index) =>
    config(`n${index % namespaces}`, `c${index}`, { v: version(index) }),
  );
}

/** Returns a cluster with the installed set, and the number of writes. */
async function installed(size: Size): Promise<{
  readonly cluster: TestCluster;
  readonly running: RunnableHandle;
  readonly writes: number;
}> {
  const cluster = await testCluster();
  for (let index = 0; index < size.namespaces; index++) await cluster.create(Namespace, { name: `n${index}` });
  const running = cluster.run(operandManager());
  await cluster.create(Operand, { name: "big", spec: { steadyState: objectsOf(size, () => "1") } });
  await ready(cluster);
  return { cluster, running, writes: cluster.faults.count(isWrite) };
}

async function ready(cluster: TestCluster): Promise<void> {
  await cluster.clock.advance(5_000);
  const operand = await cluster.untilSettled(Operand, "big");
  expect(operand.status?.conditions?.filter(({ status }) => status === "False").map(({ type }) => type)).toEqual([
    "Stalled",
  ]);
  expect(isReady(operand)).toBe(true);
}

/** Returns the number of writes of an action. */
async function cost(cluster: TestCluster, act: () => Promise<unknown>): Promise<number> {
  const before = cluster.faults.count(isWrite);
  await act();
  await ready(cluster);
  return cluster.faults.count(isWrite) - before;
}

/** Defines the tests for a set of this size. */
export function describeSteadyState(size: Size): void {
  const { objects } = size;
  describe(`${objects} objects in ${size.namespaces} namespaces`, () => {
    test("take about one write each to install, ten to change ten, a hundred to prune a hundred, and none once settled", async () => {
      const { cluster, writes } = await installed(size);
      await using _ = cluster;
      expect(writes).toBeGreaterThanOrEqual(objects);
      expect(writes).toBeLessThanOrEqual(objects + OVERHEAD);

      const kept = cluster.faults.count(isWrite);
      const requests = cluster.requests().length;
      await cluster.clock.advance(600_000);
      await cluster.untilIdle();
      expect(cluster.faults.count(isWrite)).toBe(kept);
      // Each watch is reopened every few minutes with one request; objects are not read one by one.
      expect(cluster.requests().length - requests).toBeLessThan(100);

      const ten = objectsOf(size, (index) => (index < 10 ? "2" : "1"));
      const changed = await cost(cluster, () => cluster.patch(Operand, "big", { spec: { steadyState: ten } }));
      expect(changed).toBeGreaterThanOrEqual(10);
      expect(changed).toBeLessThanOrEqual(10 + OVERHEAD);

      const fewer = objectsOf({ ...size, objects: objects - 100 }, (index) => (index < 10 ? "2" : "1"));
      const pruned = await cost(cluster, () => cluster.patch(Operand, "big", { spec: { steadyState: fewer } }));
      process.stderr.write(
        `operand, ${objects} objects: ${writes} writes to install, ${changed} to change 10, ${pruned} to prune 100\n`,
      );
      expect(await cluster.list(ConfigMap)).toHaveLength(objects - 100);
      expect(pruned).toBeLessThanOrEqual(2 * objects + OVERHEAD);
    });

    test("cause no writes after cut watches, new lists and a new process, and one write for a drifted object", async () => {
      const { cluster, running } = await installed(size);
      await using _ = cluster;
      const before = cluster.faults.count(isWrite);
      for (let minute = 1; minute <= 10; minute++) {
        if (minute % 2 === 0) cluster.faults.failNth(1, { kind: "status", reason: "Expired" }, isWatch);
        cluster.faults.cutWatches();
        await cluster.clock.advance(60_000);
      }
      await running.stop();
      cluster.run(operandManager());
      await ready(cluster);
      expect(cluster.faults.count(isWrite)).toBe(before);
      await cluster.patch(ConfigMap, "c7", { data: { v: "drifted" } }, "n7");
      await cluster.untilIdle();
      expect((await cluster.get(ConfigMap, "c7", "n7"))?.data).toEqual({ v: "1" });
      expect(cluster.writes(ConfigMap, "c7", "n7")).toBe(2);
    });
  });
}
