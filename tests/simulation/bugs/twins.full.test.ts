import { isWrite } from "@levelset/core/testing";
import type { Fault } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import { describe, expect, test } from "vitest";
import { idsWithout, listChildren } from "./child-kinds.ts";
import { Harness } from "./harness.ts";
import { BUGS } from "./index.ts";
import type { SimulationBug } from "./simulation-bug.ts";

const FAULTS: readonly Fault[] = [
  { kind: "crash" },
  { kind: "response-lost" },
  { kind: "duplicate" },
  { kind: "status", reason: "InternalError" },
  { kind: "status", reason: "Conflict" },
];

/** The end of a lifecycle without a problem. */
const CLEAN = { isReady: true, missing: [], left: [], live: [], repeated: [], undeclared: [], defects: "" };

/**
 * Creates the object, deletes its children by hand unless they are Jobs, which must not run again, and deletes the
 * object. The n-th write of the corrected program has a fault. Returns what is to be seen, and the number of writes.
 */
async function runLifecycle(bug: SimulationBug, nth: number, fault: Fault): Promise<readonly [object, number]> {
  await using cluster = await testCluster({ workloads: true, kinds: [bug.kind] });
  const program = bug.fixed();
  const harness = new Harness(cluster, program);
  await bug.create(cluster);
  const before = await listChildren(cluster);
  cluster.faults.failNth(nth, fault, isWrite);
  const settle = async (): Promise<void> => {
    await harness.settle();
    if (cluster.faults.isCrashed) await harness.restart();
    await harness.settle(200_000);
  };
  harness.start();
  await settle();
  const isReady = await harness.isReady(bug.kind);
  const created = await listChildren(cluster);
  for (const { kind, object, id } of created) {
    const { name, namespace } = object.metadata;
    if (kind.kind !== "Job" && !before.some((other) => other.id === id)) await cluster.delete(kind, name, namespace);
  }
  await settle();
  const missing = idsWithout(created, await listChildren(cluster));
  await cluster.delete(bug.kind, "a");
  await settle();
  await cluster.untilDeleted(bug.kind, "a");
  const left = idsWithout(await listChildren(cluster), before);
  const calls = program.external?.calls() ?? [];
  const repeated = calls.filter((call, index) => calls.indexOf(call) !== index);
  const live = program.external?.live() ?? [];
  const [undeclared, { defects }] = [harness.undeclared(), harness];
  return [{ isReady, missing, left, live, repeated, undeclared, defects }, harness.writes];
}

describe.for(BUGS.map((bug) => [bug.name, bug] as const))("the twin of %s", ([, bug]) => {
  test.for(FAULTS.map((fault) => [JSON.stringify(fault), fault] as const))(
    "tolerates %s at each write",
    async ([, fault]) => {
      for (let nth = 1, writes = nth; nth <= writes; nth++) {
        const [end, count] = await runLifecycle(bug, nth, fault);
        expect({ nth, ...end }).toEqual({ nth, ...CLEAN });
        writes = count;
      }
    },
  );
});
