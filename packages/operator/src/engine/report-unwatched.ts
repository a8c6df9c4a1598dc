import { isDeleting } from "@levelset/core";
import type { AnyCustomKind, ConditionUpdate, ObjectOf } from "@levelset/core";
import { MetadataUse } from "./metadata-use.ts";
import type { RunDependencies } from "./run-dependencies.ts";
import { Saver } from "./save.ts";
import { notReachedCondition } from "./step/condition-update.ts";
import type { StepPlan } from "./step/step-plan.ts";

/** Condition of an object whose steps cannot run, because a kind that they declare cannot be watched. */
const WATCHES = "Watches";
const CANNOT_WATCH = "CannotWatch";

/**
 * Reports on an object that its steps cannot run, because a kind that they declare cannot be watched. Leaves the rest of
 * the status unchanged, and writes nothing if the status already reports it. Rejects with the error of the write.
 */
export async function reportUnwatched<K extends AnyCustomKind>(
  plan: StepPlan<K>,
  object: ObjectOf<K>,
  message: string,
  tools: RunDependencies,
): Promise<void> {
  const problem: ConditionUpdate = {
    type: WATCHES,
    status: "False",
    severity: "Error",
    reason: CANNOT_WATCH,
    message: `no step runs: ${message}`,
  };
  const updates = [problem, ...plan.conditions.map((type) => notReachedCondition(type, WATCHES))];
  const saver = new Saver(plan, object, new MetadataUse(), tools);
  await saver.saveConditions(
    updates,
    isDeleting(object) ? { kind: "deleting", blocking: problem } : { kind: "incomplete" },
  );
}
