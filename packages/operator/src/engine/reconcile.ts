import { generationState, hasFinalizer, isConflict, isDeleting, isNotFound } from "@levelset/core";
import { isRemoteOwner } from "@levelset/core/internal";
import type { AnyCustomKind, ConditionUpdate, ObjectOf } from "@levelset/core";
import type { LinkedAbortController, ReconcileOutcome } from "@levelset/core/internal";
import { withRunDeadline } from "./run-deadline.ts";
import { cleanupDeadline, timedOutResult } from "./cleanup-deadline.ts";
import { collectChildren } from "./collect-children.ts";
import { isCleanupForced } from "./forced-cleanup.ts";
import {
  CLEANED_UP,
  cleanedUpCondition,
  conditionType,
  conditionTypes,
  notReachedCondition,
  resultCondition,
} from "./step/condition-update.ts";
import { MetadataUse } from "./metadata-use.ts";
import { addOwnFinalizer, finalizerContests } from "./own-finalizer.ts";
import type { Step } from "./step/step.ts";
import type { StepPlan } from "./step/step-plan.ts";
import { heldByOwner, RELEASED, protectingOwner } from "./protecting-owner.ts";
import { combineResults } from "./step/result.ts";
import type { AnyResult } from "./step/result.ts";
import { ReconcileRun } from "./reconcile-run.ts";
import type { RunReport, RunWrites } from "./run-report.ts";
import type { RunDependencies } from "./run-dependencies.ts";
import { Saver } from "./save.ts";

/** Runs that take longer write early conditions: the new generation is not reached yet. */
const EARLY_MS = 1_000;

/**
 * Reconciles one object by a list of steps:
 *
 *     load ─► deleting? ─no──► our finalizer in place? ─no─► add it, alone; run again
 *                 │                    │ yes
 *                 │                    ▼
 *                 │            do() of each step, in order, until one is not ok ──┐
 *                yes                                                              ├─► post() of every step
 *                 │                                                               │         │
 *                 └──────────► cleanup() of each step, in reverse, likewise ──────┘         ▼
 *                                                                            conditions, Ready last ─► save
 *
 * Guarantees: our finalizer is stored before the first `do`; it is removed only after every cleanup succeeded and the
 * status is saved; an object that its owner protects is not cleaned up before the owner removes its child finalizer; a
 * run without changes writes nothing.
 *
 * Assumes that the same object is not reconciled concurrently, and that steps are idempotent. Each run starts from the
 * object alone.
 *
 * Errors thrown by steps become conditions and the result of the report. NotFound is reported as `gone` and Conflict as
 * `again`. Rejects with any other error of a write to the object, such as Forbidden or a `TransportError`.
 */
export async function reconcile<K extends AnyCustomKind>(
  plan: StepPlan<K>,
  object: ObjectOf<K>,
  tools: RunDependencies,
): Promise<RunReport> {
  const use = new MetadataUse();
  const saver = new Saver(plan, object, use, tools);
  const written = (): RunWrites => ({ writes: saver.writes, conflicts: saver.conflicts });
  try {
    if (!isDeleting(object) && plan.finalizer.needed && !hasFinalizer(object, plan.finalizer.name)) {
      return await addOwnFinalizer(plan, object, tools, saver);
    }
    const ran = await runSteps(new ReconcileRun(plan, object, use, tools), saver, tools);
    return { kind: "ran", ...ran, ...written() };
  } catch (error) {
    if (isNotFound(error)) return { kind: "gone", ...written() };
    if (isConflict(error)) return { kind: "again", why: "conflict", ...written() };
    throw error;
  }
}

async function runSteps<K extends AnyCustomKind>(
  run: ReconcileRun<K>,
  saver: Saver<K>,
  tools: RunDependencies,
): Promise<Omit<Extract<RunReport, { readonly kind: "ran" }>, "kind" | keyof RunWrites>> {
  const { object, plan } = run;
  const deleting = isDeleting(object);
  const cleaning = deleting && hasFinalizer(object, plan.finalizer.name);
  const early = tools.clock.after(EARLY_MS, () => {
    if (generationState(object) !== "current")
      saver.saveProgress(run.conditionUpdates, outcomeOf(run, "running", deleting));
  });
  const main =
    deleting && !cleaning
      ? combineResults([])
      : await withRunDeadline(tools, (budget) => (deleting ? cleanUp(run, budget, tools) : doSteps(run, budget)));
  const collected =
    cleaning && main.kind === "ok" && isRemoteOwner(object)
      ? await withRunDeadline(tools, (budget) => collectChildren(plan, object, tools, budget.signal))
      : combineResults([]);
  const contests = deleting ? [] : [...finalizerContests(plan, object, tools), ...run.contests];
  for (const { condition, result } of contests) run.addToCondition(resultCondition(condition, result));
  const post = await withRunDeadline(tools, (budget) => postSteps(run, budget));
  early.cancel();
  const result = combineResults([main, collected, ...contests.map((contest) => contest.result), ...post]);
  const cleaned = cleaning && result.kind === "ok";

  if (!cleaned) await saver.saveMetadata(run);
  const outcome = outcomeOf(run, result.kind === "ok" ? "complete" : "incomplete", deleting);
  const saved = await saver.saveStatus(run, outcome);
  if (cleaned) await saver.removeFinalizer();
  const { conditions, problem } = saved;
  const { records: steps, requeueAfterMs } = run;
  const contested = contests.filter(({ isNew }) => isNew).length;
  return { result: combineResults([result, problem]), steps, conditions, requeueAfterMs, contested };
}

async function doSteps<K extends AnyCustomKind>(
  run: ReconcileRun<K>,
  budget: LinkedAbortController,
): Promise<AnyResult> {
  let blockedBy: string | undefined;
  let result: AnyResult = combineResults([]);
  for (const step of run.steps) {
    if (blockedBy !== undefined) {
      for (const type of conditionTypes(step)) run.setCondition(notReachedCondition(type, blockedBy));
      continue;
    }
    result = await run.runPhase(step, "do", budget);
    // A step without a declared condition is shown only while it is not ok.
    if (step.condition !== undefined || result.kind !== "ok")
      run.setCondition(resultCondition(conditionType(step), result));
    if (result.kind !== "ok") blockedBy = step.name;
  }
  return result;
}

async function cleanUp<K extends AnyCustomKind>(
  run: ReconcileRun<K>,
  budget: LinkedAbortController,
  tools: RunDependencies,
): Promise<AnyResult> {
  const owner = protectingOwner(run.object);
  if (owner !== undefined) {
    const held = heldByOwner(owner);
    for (const type of run.steps.flatMap(conditionTypes)) run.setCondition(notReachedCondition(type, RELEASED));
    run.setCondition(resultCondition(RELEASED, held));
    return held;
  }
  const now = tools.clock.now();
  for (const step of run.steps.toReversed()) {
    const isForced = isCleanupForced(run.object, step);
    const result = isForced ? await run.skipCleanup(step, budget) : await cleanUpStep(run, step, budget, now);
    if (result.kind !== "ok") {
      run.setCondition(resultCondition(conditionType(step), result));
      return result;
    }
    for (const type of conditionTypes(step))
      run.setCondition(cleanedUpCondition(type, isForced ? "cleanup skipped" : "cleaned up"));
  }
  return run.releaseRest(budget);
}

/** Runs the cleanup of a step, and reports it after its deadline. */
async function cleanUpStep<K extends AnyCustomKind>(
  run: ReconcileRun<K>,
  step: Step<K>,
  budget: LinkedAbortController,
  now: number,
): Promise<AnyResult> {
  const result = await run.runPhase(step, "cleanup", budget);
  const deadline = cleanupDeadline(step, run.object, now);
  // A cleanup that waits for a watch is reported at its deadline.
  if (result.kind !== "ok" && deadline.kind === "ahead") run.requestRun(deadline.leftMs);
  return deadline.kind === "exceeded" ? timedOutResult(step, result) : result;
}

async function postSteps<K extends AnyCustomKind>(
  run: ReconcileRun<K>,
  budget: LinkedAbortController,
): Promise<readonly AnyResult[]> {
  const results: AnyResult[] = [];
  for (const step of run.steps) {
    const result = await run.runPhase(step, "post", budget);
    if (result.kind !== "ok") run.addToCondition(resultCondition(conditionType(step), result));
    results.push(result);
  }
  return results;
}

function outcomeOf<K extends AnyCustomKind>(
  run: ReconcileRun<K>,
  kind: "running" | "complete" | "incomplete",
  deleting: boolean,
): ReconcileOutcome {
  return deleting ? { kind: "deleting", blocking: blockingCondition(run) } : { kind };
}

function blockingCondition<K extends AnyCustomKind>(run: ReconcileRun<K>): ConditionUpdate | undefined {
  return run.conditionUpdates.find((update) => update.status === "False" && update.reason !== CLEANED_UP);
}
