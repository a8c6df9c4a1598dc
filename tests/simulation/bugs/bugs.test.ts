import {
  ClusterRole,
  ConfigMap,
  Deployment,
  Ingress,
  Job,
  PersistentVolumeClaim,
  Pod,
  Secret,
  Service,
  StatefulSet,
} from "@levelset/core";
import type { Kind } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import { describe, expect, test } from "vitest";
import { BUGS } from "./index.ts";
import type { Program } from "./program.ts";
import { Scene } from "./scene.ts";
import type { SimulationBug } from "./simulation-bug.ts";

const KINDS: readonly Kind[] = [
  ClusterRole,
  ConfigMap,
  Deployment,
  Ingress,
  Job,
  PersistentVolumeClaim,
  Pod,
  Secret,
  Service,
  StatefulSet,
];

/** The names and uids of all objects of the kinds that programs create. */
async function objects(cluster: TestCluster): Promise<readonly string[]> {
  const lists = await Promise.all(KINDS.map((kind) => cluster.list(kind)));
  return lists.flat().map(({ metadata }) => `${metadata.name} ${metadata.uid}`);
}

/** Creates the object without faults, waits until it is ready, and deletes it. Returns what is to be seen of it. */
async function runPlainLifecycle(bug: SimulationBug, program: Program): Promise<object> {
  await using cluster = await testCluster({ workloads: true, kinds: [bug.kind] });
  const scene = new Scene(cluster, program);
  await bug.create(cluster);
  const before = await objects(cluster);
  scene.start();
  await scene.settle();
  const isReady = await scene.isReady(bug.kind);
  await cluster.delete(bug.kind, "a");
  await scene.settle();
  await cluster.untilDeleted(bug.kind, "a");
  const after = await objects(cluster);
  const left = after.filter((object) => !before.includes(object));
  const lost = before.filter((object) => !after.includes(object));
  return { isReady, left, lost, live: program.external?.live() ?? [], defects: scene.defects };
}

const CLEAN = { isReady: true, left: [], lost: [], live: [], defects: "" };

describe.for(BUGS.map((bug) => [bug.name, bug] as const))("%s", ([, bug]) => {
  test.for(["buggy", "fixed"] as const)("the %s program passes the plain lifecycle", async (twin) => {
    expect(await runPlainLifecycle(bug, bug[twin]())).toEqual(CLEAN);
  });

  test.for(["buggy", "fixed"] as const)("the scenario ends as described for the %s program", async (twin) => {
    await using cluster = await testCluster({ workloads: true, kinds: [bug.kind] });
    expect(await bug.expose(new Scene(cluster, bug[twin]()))).toBe(bug.ends[twin]);
  });
});

test("each bug has a name of its own, a source, and two different ends", () => {
  expect(new Set(BUGS.map(({ name }) => name)).size).toBe(BUGS.length);
  for (const { source, ends } of BUGS) {
    expect(source).toMatch(/^https:\/\//u);
    expect(ends.buggy).not.toBe(ends.fixed);
  }
});
