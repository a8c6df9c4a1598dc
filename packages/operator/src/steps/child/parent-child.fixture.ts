import { kind, s } from "@levelset/core";
import type { Condition, ConditionStatus, ObjectOf, Severity } from "@levelset/core";
import type { TestCluster } from "@levelset/apiserver/testing";
import { operator } from "../../manager/index.ts";
import type { Operator } from "../../manager/index.ts";
import { ok, requeueAfter, step } from "../../engine/index.ts";

const GROUP = { group: "test.levelset.dev", version: "v1" };

/** A kind that depends on others. */
export const Parent = kind({
  ...GROUP,
  kind: "Parent",
  spec: s.object({ value: s.int32(), members: s.array(s.string()).default(["a"]) }),
  status: s.object({ sum: s.int32().optional() }),
});
/** Type of {@link Parent}. */
export type Parent = typeof Parent;

/** A kind that Parent depends on. */
export const Child = kind({
  ...GROUP,
  kind: "Child",
  plural: "children",
  spec: s.object({ value: s.int32() }),
  status: s.object({ seen: s.int32().optional() }),
});
/** Type of {@link Child}. */
export type Child = typeof Child;

/** An operator of Child that takes some time for every value. */
export function childOperator(workMs = 1_000): Operator<Child> {
  const work = step(Child, "Work", {
    condition: "WorkReady",
    preserveStatus: ["seen"],
    do: ({ spec, status, object, clock }) => {
      if (status.seen === spec.value) return ok();
      const since = Date.parse(
        object.status?.conditions?.find(({ type }) => type === "WorkReady")?.lastTransitionTime ?? "",
      );
      const isNew = object.status?.observedGeneration !== object.metadata.generation;
      if (isNew || !(clock.now() - since >= workMs)) return requeueAfter(`reaching ${spec.value}`, workMs);
      status.seen = spec.value;
      return ok();
    },
  });
  return operator(Child, [work]);
}

/** Writes the status of a Child for a generation, as its operator would. */
export async function reportStatus(
  cluster: TestCluster,
  name: string,
  observedGeneration: number,
  status: ConditionStatus,
  more: { readonly severity?: Severity; readonly reason?: string; readonly message?: string } = {},
): Promise<ObjectOf<Child>> {
  const ready: Condition = {
    type: "Ready",
    status,
    reason: status === "True" ? "Ready" : "Error",
    message: "set by the test",
    lastTransitionTime: "2026-01-01T00:00:00Z",
    ...more,
  };
  return cluster.patchStatus(Child, name, { observedGeneration, conditions: [ready] });
}
