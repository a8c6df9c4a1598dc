import { ConfigMap, isReady, Namespace } from "@levelset/core";
import type { EmbeddedObject } from "@levelset/core";
import { isWatch, isWrite } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { Running, TestCluster } from "@levelset/apiserver/testing";
import { describe, expect, test } from "vitest";
import { Operand, operandManager } from "@levelset/operator";
import { config } from "./manifests.ts";

/** Besides what each object costs: finalizers, statuses, inventories, a revision, events. */
const OVERHEAD = 20;

/** How large the set is. */
export interface Size {
  readonly objects: number;
  readonly namespaces: number;
}

function objectsOf({ objects, namespaces }: Size, version: (index: number) => string): readonly EmbeddedObject[] {
  return Array.from({ length: objects }, (_, index) =>
    config(`n${index % namespaces}`, `c${index}`, { v: version(index) }),
  );
}

/** A cluster where the set is installed, and what that cost. */
async function installed(size: Size): Promise<{
  readonly cluster: TestCluster;
  readonly running: Running;
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
  const operand = await cluster.settled(Operand, "big");
  expect(operand.status?.conditions?.filter(({ status }) => status === "False").map(({ type }) => type)).toEqual([
    "Stalled",
  ]);
  expect(isReady(operand)).toBe(true);
}

/** What something costs, in writes. */
async function cost(cluster: TestCluster, act: () => Promise<unknown>): Promise<number> {
  const before = cluster.faults.count(isWrite);
  await act();
  await ready(cluster);
  return cluster.faults.count(isWrite) - before;
}

/** Defines what holds for a set of some size. */
export function describeSteadySet(size: Size): void {
  const { objects } = size;
  describe(`51 · ${objects} objects in ${size.namespaces} namespaces`, () => {
    test("cost about one write each to install, ten to change ten, a hundred to prune a hundred, and none to keep", async () => {
      const { cluster, writes } = await installed(size);
      await using _ = cluster;
      expect(writes).toBeGreaterThanOrEqual(objects);
      expect(writes).toBeLessThanOrEqual(objects + OVERHEAD);

      const kept = cluster.faults.count(isWrite);
      const requests = cluster.requests().length;
      await cluster.clock.advance(600_000);
      await cluster.rest();
      expect(cluster.faults.count(isWrite)).toBe(kept);
      // Watches are opened again every few minutes, each with one request; nothing is asked for each object.
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

    test("stay as they are through cut watches, new lists and a new process, and one that drifts costs one write", async () => {
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
      await cluster.rest();
      expect((await cluster.get(ConfigMap, "c7", "n7"))?.data).toEqual({ v: "1" });
      expect(cluster.writes(ConfigMap, "c7", "n7")).toBe(2);
    });
  });
}
