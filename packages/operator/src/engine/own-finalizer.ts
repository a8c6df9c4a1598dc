import { objectKeyOf } from "@levelset/core";
import type { AnyCustomKind, ObjectOf } from "@levelset/core";
import type { Contest, ObjectContention } from "../apply/index.ts";
import { CONTESTED, contestResult } from "./step/contest.ts";
import { conditionTypes, notReachedCondition, resultCondition } from "./step/condition-update.ts";
import { refOf } from "./step/object-ref.ts";
import type { StepPlan } from "./step/step-plan.ts";
import { describeResult } from "./step/result.ts";
import type { StepContest } from "./reconcile-run.ts";
import type { RunReport } from "./run-report.ts";
import type { RunDependencies } from "./run-dependencies.ts";
import type { Saver } from "./save.ts";

/** Condition that is False while another client keeps removing our finalizer. Absent otherwise. */
const FINALIZER = "Finalizer";

/**
 * Adds our finalizer to the object in a write of its own, before any step runs. While another client keeps removing it,
 * it is added with backoff. Steps never run without it, because a deletion would skip their cleanup. Rejects with the
 * `StatusError` of the write.
 */
export async function addOwnFinalizer<K extends AnyCustomKind>(
  plan: StepPlan<K>,
  object: ObjectOf<K>,
  tools: RunDependencies,
  saver: Saver<K>,
): Promise<RunReport> {
  const contention = contentionOf(plan, object, tools);
  const held = contention.hold();
  if (held !== undefined) {
    const { result } = stepContest(object, held);
    const waiting = plan.steps
      .flatMap((step) => conditionTypes(step))
      .map((type) => notReachedCondition(type, FINALIZER));
    const updates = [...waiting, resultCondition(FINALIZER, result)];
    const conditions = await saver.saveConditions(updates, { kind: "incomplete" });
    return { kind: "ran", result, steps: [], conditions, writes: saver.writes, conflicts: saver.conflicts };
  }
  const contest = contention.wrote(object, await saver.addFinalizer());
  if (contest?.isNew === true) {
    const message = describeResult(stepContest(object, contest).result);
    tools.logger.warn("finalizer is contested, its writes are delayed", { message });
    tools.events.record(object, { type: "Warning", reason: CONTESTED, message });
  }
  return { kind: "again", why: "finalizer added", writes: saver.writes, conflicts: saver.conflicts };
}

/** Returns a contest if our finalizer is in place but was removed recently; an empty list otherwise. */
export function finalizerContests<K extends AnyCustomKind>(
  plan: StepPlan<K>,
  object: ObjectOf<K>,
  tools: RunDependencies,
): readonly StepContest[] {
  const contest = contentionOf(plan, object, tools).seen();
  return contest === undefined ? [] : [stepContest(object, contest)];
}

function contentionOf<K extends AnyCustomKind>(
  plan: StepPlan<K>,
  object: ObjectOf<K>,
  tools: RunDependencies,
): ObjectContention {
  const writer = `${object.metadata.uid} finalizer`;
  return tools.contention.of({ writer, kind: plan.kind, key: objectKeyOf(object), desired: plan.finalizer.name });
}

function stepContest<K extends AnyCustomKind>(object: ObjectOf<K>, contest: Contest): StepContest {
  return { condition: FINALIZER, result: contestResult(refOf(object), contest), isNew: contest.isNew };
}
