import { childFinalizerName, findCondition, isReady, kind, s } from "@levelset/core";
import type { Condition, ObjectOf } from "@levelset/core";
import { operator, subresource } from "@levelset/operator";
import { expect } from "vitest";
import type { Scenarios } from "./scenario.ts";
import type { Stage } from "./stage.ts";

const GROUP = { group: "scenarios.levelset.dev", version: "v1" };

const Child = kind({ ...GROUP, kind: "Child", plural: "children", spec: s.object({ value: s.int32() }) });
const Parent = kind({ ...GROUP, kind: "Parent", spec: s.object({ value: s.int32() }) });

/** A parent with one child of its own name; the test plays the child's operator. */
async function born(stage: Stage, protect: boolean): Promise<void> {
  const child = subresource(Parent, "Child", {
    condition: "ChildReady",
    kind: Child,
    protect,
    desired: ({ name, spec }) => ({ metadata: { name }, spec: { value: spec.value } }),
  });
  await stage.place.install(Child);
  await stage.run(operator(Parent, [child]));
  await stage.create(Parent, { metadata: { name: "a" }, spec: { value: 1 } });
  await stage.until(Child, "a", () => true);
}

function childReady({ status }: ObjectOf<typeof Parent>): Condition | undefined {
  return findCondition(status?.conditions, "ChildReady");
}

async function reports(stage: Stage, observedGeneration: number): Promise<void> {
  const time = { lastTransitionTime: "2026-01-01T00:00:00Z" };
  const conditions = [{ type: "Ready", status: "True", reason: "Ready", message: "Setup complete", ...time }];
  await stage.patchStatus(Child, "a", { observedGeneration, conditions });
}

/** Scenarios about a CR that depends on a CR. */
export const FAMILY: Scenarios = {
  "32 · child generation gate: a Ready of the child's older spec counts for nothing": async (stage) => {
    await born(stage, false);
    await reports(stage, 1);
    await stage.until(Parent, "a", isReady);
    await stage.patch(Parent, "a", { spec: { value: 2 } });
    const waiting = await stage.until(Parent, "a", ({ status }) => status?.observedGeneration === 2);
    const child = await stage.until(Child, "a", ({ metadata }) => metadata.generation === 2);
    expect(child.status?.observedGeneration).toBe(1);
    expect(childReady(waiting)?.status).toBe("Unknown");
    expect(findCondition(waiting.status?.conditions, "Ready")?.status).not.toBe("True");
    await reports(stage, 2);
    await stage.until(Parent, "a", isReady);
  },

  "34 · never-reconciled child: Unknown, reason Init": async (stage) => {
    await born(stage, false);
    const parent = await stage.until(Parent, "a", ({ status }) => status?.observedGeneration === 1);
    expect(childReady(parent)).toMatchObject({ status: "Unknown", reason: "Init" });
  },

  "39 · protected child: a deleted one stays and its owner reports it; with the owner both go": async (stage) => {
    await born(stage, true);
    await reports(stage, 1);
    await stage.until(Parent, "a", isReady);
    await stage.delete(Child, "a");
    const owner = await stage.until(Parent, "a", (object) => childReady(object)?.reason === "ChildDeleted");
    expect(childReady(owner)).toMatchObject({ status: "False", severity: "Error" });
    const child = await stage.find(Child, "a");
    expect(child?.metadata.deletionTimestamp).toBeDefined();
    expect(child?.metadata.finalizers).toEqual([childFinalizerName(Parent)]);
    await stage.delete(Parent, "a");
    await stage.gone(Parent, "a");
    await stage.gone(Child, "a");
  },
};
