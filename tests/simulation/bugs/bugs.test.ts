import { testCluster } from "@levelset/apiserver/testing";
import { describe, expect, test } from "vitest";
import { idsWithout, listChildren } from "./child-kinds.ts";
import { BUGS } from "./index.ts";
import type { Program } from "./program.ts";
import { Harness } from "./harness.ts";
import type { SimulationBug } from "./simulation-bug.ts";

/** Creates the object without faults, waits until it is ready, and deletes it. Returns what is to be seen of it. */
async function runPlainLifecycle(bug: SimulationBug, program: Program): Promise<object> {
  await using cluster = await testCluster({ workloads: true, kinds: [bug.kind] });
  const harness = new Harness(cluster, program);
  await bug.create(cluster);
  const before = await listChildren(cluster);
  harness.start();
  await harness.settle();
  const isReady = await harness.isReady(bug.kind);
  await cluster.delete(bug.kind, "a");
  await harness.settle();
  await cluster.untilDeleted(bug.kind, "a");
  const after = await listChildren(cluster);
  const [left, lost] = [idsWithout(after, before), idsWithout(before, after)];
  return { isReady, left, lost, live: program.external?.live() ?? [], defects: harness.defects };
}

const CLEAN = { isReady: true, left: [], lost: [], live: [], defects: "" };

describe.for(BUGS.map((bug) => [bug.name, bug] as const))("%s", ([, bug]) => {
  test.for(["buggy", "fixed"] as const)("the %s program passes the plain lifecycle", async (twin) => {
    expect(await runPlainLifecycle(bug, bug[twin]())).toEqual(CLEAN);
  });

  test.for(["buggy", "fixed"] as const)("the scenario ends as described for the %s program", async (twin) => {
    await using cluster = await testCluster({ workloads: true, kinds: [bug.kind] });
    expect(await bug.expose(new Harness(cluster, bug[twin]()))).toBe(bug.ends[twin]);
  });
});

test("each bug has a name of its own, a source, and two different ends", () => {
  expect(new Set(BUGS.map(({ name }) => name)).size).toBe(BUGS.length);
  for (const { source, ends } of BUGS) {
    expect(source).toMatch(/^https:\/\//u);
    expect(ends.buggy).not.toBe(ends.fixed);
  }
});
