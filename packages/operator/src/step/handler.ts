import { generationState, hasFinalizer, isConflict, isDeleting, isElsewhere, isNotFound } from "@levelset/core";
import type { AnyCustomKind, Finding, ObjectOf, RunOutcome } from "@levelset/core";
import { Budget } from "./budget.ts";
import { collectChildren } from "./collect-children.ts";
import { cleanedFinding, conditionType, conditionTypes, notReachedFinding, resultFinding } from "./finding.ts";
import { MetadataUse } from "./metadata-use.ts";
import { addOwnFinalizer, finalizerContests } from "./own-finalizer.ts";
import type { Plan } from "./plan.ts";
import { heldByOwner, RELEASED, protectingOwner } from "./protecting-owner.ts";
import { combine } from "./result.ts";
import type { AnyResult } from "./result.ts";
import { Run } from "./run.ts";
import type { RunReport, RunWrites } from "./run-report.ts";
import type { RunTools } from "./run-tools.ts";
import { Saver } from "./save.ts";

/** A run that takes longer says early that the new generation is not reached yet. */
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
 * An object that its owner protects is not cleaned up before the owner releases it.
 * Each run starts from the object alone. It writes nothing if nothing changed.
 */
export async function reconcile<K extends AnyCustomKind>(
  plan: Plan<K>,
  object: ObjectOf<K>,
  tools: RunTools,
): Promise<RunReport> {
  const use = new MetadataUse();
  const saver = new Saver(plan, object, use, tools);
  const written = (): RunWrites => ({ writes: saver.writes, conflicts: saver.conflicts });
  try {
    if (!isDeleting(object) && plan.finalizer.needed && !hasFinalizer(object, plan.finalizer.name)) {
      return await addOwnFinalizer(plan, object, tools, saver);
    }
    const ran = await runSteps(new Run(plan, object, use, tools), saver, tools);
    return { kind: "ran", ...ran, ...written() };
  } catch (error) {
    if (isNotFound(error)) return { kind: "gone", ...written() };
    if (isConflict(error)) return { kind: "again", why: "conflict", ...written() };
    throw error;
  }
}

async function runSteps<K extends AnyCustomKind>(
  run: Run<K>,
  saver: Saver<K>,
  tools: RunTools,
): Promise<Omit<Extract<RunReport, { readonly kind: "ran" }>, "kind" | keyof RunWrites>> {
  const { object, plan } = run;
  const deleting = isDeleting(object);
  const cleaning = deleting && hasFinalizer(object, plan.finalizer.name);
  const early = tools.clock.after(EARLY_MS, () => {
    if (generationState(object) !== "current") saver.saveEarly(run.findings, outcomeOf(run, "running", deleting));
  });
  const main =
    deleting && !cleaning
      ? combine([])
      : await Budget.give(tools, (budget) => (deleting ? cleanUp : doSteps)(run, budget));
  const collected =
    cleaning && main.kind === "ok" && isElsewhere(object)
      ? await Budget.give(tools, (budget) => collectChildren(plan, object, tools, budget.signal))
      : combine([]);
  const contests = deleting ? [] : [...finalizerContests(plan, object, tools), ...run.contests];
  for (const { condition, result } of contests) run.setIfWorse(resultFinding(condition, result));
  const post = await Budget.give(tools, (budget) => postSteps(run, budget));
  early.cancel();
  const result = combine([main, collected, ...contests.map((contest) => contest.result), ...post]);
  const cleaned = cleaning && result.kind === "ok";

  if (!cleaned) await saver.saveMetadata(run);
  const outcome = outcomeOf(run, result.kind === "ok" ? "complete" : "incomplete", deleting);
  const saved = await saver.saveStatus(run, outcome);
  if (cleaned) await saver.removeFinalizer();
  const { conditions, problem } = saved;
  const { records: steps, againMs } = run;
  const contested = contests.filter(({ isNew }) => isNew).length;
  return { result: combine([result, problem]), steps, conditions, againMs, contested };
}

async function doSteps<K extends AnyCustomKind>(run: Run<K>, budget: Budget): Promise<AnyResult> {
  let blockedBy: string | undefined;
  let result: AnyResult = combine([]);
  for (const step of run.steps) {
    if (blockedBy !== undefined) {
      for (const type of conditionTypes(step)) run.set(notReachedFinding(type, blockedBy));
      continue;
    }
    result = await run.phase(step, "do", budget);
    // A step without a condition of its own is visible only while it is not ok.
    if (step.condition !== undefined || result.kind !== "ok") run.set(resultFinding(conditionType(step), result));
    if (result.kind !== "ok") blockedBy = step.name;
  }
  return result;
}

async function cleanUp<K extends AnyCustomKind>(run: Run<K>, budget: Budget): Promise<AnyResult> {
  const owner = protectingOwner(run.object);
  if (owner !== undefined) {
    const held = heldByOwner(owner);
    for (const type of run.steps.flatMap(conditionTypes)) run.set(notReachedFinding(type, RELEASED));
    run.set(resultFinding(RELEASED, held));
    return held;
  }
  for (const step of run.steps.toReversed()) {
    const result = await run.phase(step, "cleanup", budget);
    if (result.kind !== "ok") {
      run.set(resultFinding(conditionType(step), result));
      return result;
    }
    for (const type of conditionTypes(step)) run.set(cleanedFinding(type));
  }
  return run.releaseRest(budget);
}

async function postSteps<K extends AnyCustomKind>(run: Run<K>, budget: Budget): Promise<readonly AnyResult[]> {
  const results: AnyResult[] = [];
  for (const step of run.steps) {
    const result = await run.phase(step, "post", budget);
    if (result.kind !== "ok") run.setIfWorse(resultFinding(conditionType(step), result));
    results.push(result);
  }
  return results;
}

function outcomeOf<K extends AnyCustomKind>(
  run: Run<K>,
  kind: "running" | "complete" | "incomplete",
  deleting: boolean,
): RunOutcome {
  return deleting ? { kind: "deleting", blocking: blockingFinding(run) } : { kind };
}

function blockingFinding<K extends AnyCustomKind>(run: Run<K>): Finding | undefined {
  return run.findings.find((finding) => finding.status === "False" && finding.reason !== "Deleted");
}
