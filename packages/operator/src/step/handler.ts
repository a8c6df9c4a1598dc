import { hasFinalizer, isConflict, isDeleting, isNotFound, keyOf } from "@levelset/core";
import type { AnyCustomKind, Condition, Finding, ObjectOf, RunOutcome } from "@levelset/core";
import { cleanedFinding, conditionType, notReachedFinding, resultFinding } from "./finding.ts";
import type { Plan } from "./plan.ts";
import { combine } from "./result.ts";
import type { AnyResult } from "./result.ts";
import { Run } from "./run.ts";
import type { RunTools, StepRecord } from "./run.ts";
import { Saver } from "./save.ts";

/** What came of a run. */
export type RunReport =
  /** Run again at once with a fresh copy: our finalizer was added, or our copy was old. No failure is counted. */
  | { readonly kind: "again"; readonly why: "finalizer added" | "copy was old"; readonly writes: number }
  /** Another client has removed the object meanwhile. */
  | { readonly kind: "gone"; readonly writes: number }
  | {
      readonly kind: "ran";
      readonly result: AnyResult;
      readonly steps: readonly StepRecord[];
      readonly conditions: readonly Condition[];
      readonly writes: number;
    };

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
 * Each run starts from the object alone. It writes nothing if nothing changed.
 */
export async function reconcile<K extends AnyCustomKind>(
  plan: Plan<K>,
  object: ObjectOf<K>,
  options: RunTools,
): Promise<RunReport> {
  const { client, signal } = options;
  const saver = new Saver({ plan, client, key: keyOf(object), object, signal });
  try {
    if (!isDeleting(object) && plan.finalizer.needed && !hasFinalizer(object, plan.finalizer.name)) {
      await saver.addFinalizer();
      return { kind: "again", why: "finalizer added", writes: saver.writes };
    }
    return await runSteps(plan, object, options, saver);
  } catch (error) {
    if (isNotFound(error)) return { kind: "gone", writes: saver.writes };
    if (isConflict(error)) return { kind: "again", why: "copy was old", writes: saver.writes };
    throw error;
  }
}

async function runSteps<K extends AnyCustomKind>(
  plan: Plan<K>,
  object: ObjectOf<K>,
  options: RunTools,
  saver: Saver<K>,
): Promise<RunReport> {
  const run = new Run(plan, object, options);
  const deleting = isDeleting(object);
  const cleaning = deleting && hasFinalizer(object, plan.finalizer.name);
  const main = deleting ? (cleaning ? await cleanUp(run) : combine([])) : await doSteps(run);
  const post = await postSteps(run);
  const result = combine([main, ...post]);
  const cleaned = cleaning && result.kind === "ok";

  if (!cleaned) await saver.saveMetadata(run);
  const conditions = await saver.saveStatus(run, outcomeOf(run, result, deleting), options.clock.now());
  if (cleaned) await saver.removeFinalizer();
  return { kind: "ran", result, steps: run.records, conditions, writes: saver.writes };
}

async function doSteps<K extends AnyCustomKind>(run: Run<K>): Promise<AnyResult> {
  let blockedBy: string | undefined;
  let result: AnyResult = combine([]);
  for (const step of run.steps) {
    if (blockedBy !== undefined) {
      if (step.condition !== undefined) run.set(notReachedFinding(step.condition, blockedBy));
      continue;
    }
    result = await run.phase(step, "do");
    // A step without a condition of its own is visible only while it is not ok.
    if (step.condition !== undefined || result.kind !== "ok") run.set(resultFinding(conditionType(step), result));
    if (result.kind !== "ok") blockedBy = step.name;
  }
  return result;
}

async function cleanUp<K extends AnyCustomKind>(run: Run<K>): Promise<AnyResult> {
  for (const step of run.steps.toReversed()) {
    const result = await run.phase(step, "cleanup");
    if (result.kind !== "ok") {
      run.set(resultFinding(conditionType(step), result));
      return result;
    }
    if (step.condition !== undefined) run.set(cleanedFinding(step.condition));
  }
  return combine([]);
}

async function postSteps<K extends AnyCustomKind>(run: Run<K>): Promise<readonly AnyResult[]> {
  const results: AnyResult[] = [];
  for (const step of run.steps) {
    const result = await run.phase(step, "post");
    if (result.kind !== "ok") run.setIfWorse(resultFinding(conditionType(step), result));
    results.push(result);
  }
  return results;
}

function outcomeOf<K extends AnyCustomKind>(run: Run<K>, result: AnyResult, deleting: boolean): RunOutcome {
  if (deleting) return { kind: "deleting", blocking: blockingFinding(run) };
  return result.kind === "ok" ? { kind: "complete" } : { kind: "incomplete" };
}

function blockingFinding<K extends AnyCustomKind>(run: Run<K>): Finding | undefined {
  return run.findings.find((finding) => finding.status === "False" && finding.reason !== "Deleted");
}
