import { childFinalizerName } from "@levelset/core/internal";
import { findCondition, isReady, kind, s } from "@levelset/core";
import type { Condition, ObjectOf } from "@levelset/core";
import { operator, subresource } from "@levelset/operator";
import { expect } from "vitest";
import type { Scenarios } from "../../support/cluster/scenario.ts";
import type { Cluster } from "../../support/cluster/cluster.ts";

const GROUP = { group: "scenarios.levelset.dev", version: "v1" };

const Child = kind({ ...GROUP, kind: "Child", plural: "children", spec: s.object({ value: s.int32() }) });
const Parent = kind({ ...GROUP, kind: "Parent", spec: s.object({ value: s.int32() }) });

/** Creates a parent with one child of the same name; the test simulates the child's operator. */
async function createParent(cluster: Cluster, protect: boolean): Promise<void> {
  const child = subresource(Parent, "Child", {
    condition: "ChildReady",
    kind: Child,
    protect,
    desired: ({ name, spec }) => ({ metadata: { name }, spec: { value: spec.value } }),
  });
  await cluster.install(Child);
  await cluster.run(operator(Parent, [child]));
  await cluster.create(Parent, { metadata: { name: "a" }, spec: { value: 1 } });
  await cluster.until(Child, "a", () => true);
}

function childReady({ status }: ObjectOf<typeof Parent>): Condition | undefined {
  return findCondition(status?.conditions, "ChildReady");
}

async function reports(cluster: Cluster, observedGeneration: number): Promise<void> {
  const time = { lastTransitionTime: "2026-01-01T00:00:00Z" };
  const conditions = [{ type: "Ready", status: "True", reason: "Ready", message: "Setup complete", ...time }];
  await cluster.patchStatus(Child, "a", { observedGeneration, conditions });
}

/** Scenarios about a CR that depends on a CR. */
export const OWNER_CHAIN: Scenarios = {
  "a Ready of the child's older spec is ignored": async (cluster) => {
    await createParent(cluster, false);
    await reports(cluster, 1);
    await cluster.until(Parent, "a", isReady);
    await cluster.patch(Parent, "a", { spec: { value: 2 } });
    const waiting = await cluster.until(Parent, "a", ({ status }) => status?.observedGeneration === 2);
    const child = await cluster.until(Child, "a", ({ metadata }) => metadata.generation === 2);
    expect(child.status?.observedGeneration).toBe(1);
    expect(childReady(waiting)?.status).toBe("Unknown");
    expect(findCondition(waiting.status?.conditions, "Ready")?.status).not.toBe("True");
    await reports(cluster, 2);
    await cluster.until(Parent, "a", isReady);
  },

  "a child that was never reconciled is Unknown with reason Init": async (cluster) => {
    await createParent(cluster, false);
    const parent = await cluster.until(Parent, "a", ({ status }) => status?.observedGeneration === 1);
    expect(childReady(parent)).toMatchObject({ status: "Unknown", reason: "Init" });
  },

  "a deleted protected child stays and its owner reports it; both are deleted with the owner": async (cluster) => {
    await createParent(cluster, true);
    await reports(cluster, 1);
    await cluster.until(Parent, "a", isReady);
    await cluster.delete(Child, "a");
    const owner = await cluster.until(Parent, "a", (object) => childReady(object)?.reason === "ChildDeleted");
    expect(childReady(owner)).toMatchObject({ status: "False", severity: "Error" });
    const child = await cluster.find(Child, "a");
    expect(child?.metadata.deletionTimestamp).toBeDefined();
    expect(child?.metadata.finalizers).toEqual([childFinalizerName(Parent)]);
    await cluster.delete(Parent, "a");
    await cluster.untilDeleted(Parent, "a");
    await cluster.untilDeleted(Child, "a");
  },
};
