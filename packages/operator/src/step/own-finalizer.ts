import { keyOf } from "@levelset/core";
import type { AnyCustomKind, ObjectOf } from "@levelset/core";
import type { Contest, ObjectContention } from "../apply/index.ts";
import { CONTESTED, contestResult } from "./contest.ts";
import { conditionTypes, notReachedFinding, resultFinding } from "./finding.ts";
import { refOf } from "./object-ref.ts";
import type { Plan } from "./plan.ts";
import { describeResult } from "./result.ts";
import type { StepContest } from "./run.ts";
import type { RunReport } from "./run-report.ts";
import type { RunTools } from "./run-tools.ts";
import type { Saver } from "./save.ts";

/** The condition that says that another client removes our finalizer each time. Absent otherwise. */
const FINALIZER = "Finalizer";

/**
 * Adds our finalizer to the object, alone, before any step runs. Where another client removes it each time, it is added with growing delays, and
 * steps do not run without it: a deletion would skip their cleanup.
 */
export async function addOwnFinalizer<K extends AnyCustomKind>(
  plan: Plan<K>,
  object: ObjectOf<K>,
  tools: RunTools,
  saver: Saver<K>,
): Promise<RunReport> {
  const contention = contentionOf(plan, object, tools);
  const held = contention.hold();
  if (held !== undefined) {
    const { result } = stepContest(object, held);
    const waiting = plan.steps
      .flatMap((step) => conditionTypes(step))
      .map((type) => notReachedFinding(type, FINALIZER));
    const findings = [...waiting, resultFinding(FINALIZER, result)];
    const conditions = await saver.saveConditions(findings, { kind: "incomplete" });
    return { kind: "ran", result, steps: [], conditions, writes: saver.writes, conflicts: saver.conflicts };
  }
  const contest = contention.wrote(object, await saver.addFinalizer());
  if (contest?.isNew === true) {
    const message = describeResult(stepContest(object, contest).result);
    tools.logger.warn("finalizer is contested, its writes are delayed", { message });
    tools.events.tell(object, { type: "Warning", reason: CONTESTED, message });
  }
  return { kind: "again", why: "finalizer added", writes: saver.writes, conflicts: saver.conflicts };
}

/** That our finalizer is in place again, but was removed too recently; empty otherwise. */
export function finalizerContests<K extends AnyCustomKind>(
  plan: Plan<K>,
  object: ObjectOf<K>,
  tools: RunTools,
): readonly StepContest[] {
  const contest = contentionOf(plan, object, tools).seen();
  return contest === undefined ? [] : [stepContest(object, contest)];
}

function contentionOf<K extends AnyCustomKind>(plan: Plan<K>, object: ObjectOf<K>, tools: RunTools): ObjectContention {
  const writer = `${object.metadata.uid} finalizer`;
  return tools.contention.of({ writer, kind: plan.kind, key: keyOf(object), desired: plan.finalizer.name });
}

function stepContest<K extends AnyCustomKind>(object: ObjectOf<K>, contest: Contest): StepContest {
  return { condition: FINALIZER, result: contestResult(refOf(object), contest), isNew: contest.isNew };
}
