import { badness } from "@levelset/core";
import { combine, describeResult, ok, resultFinding } from "../step/index.ts";
import type { ConditionOverride, Result } from "../step/index.ts";

type NotOk = Exclude<Result<never>, { readonly kind: "ok" }>;

/**
 * One result for a set of things: ok with all values, or the worst of those that are not, first come first among equals. It says how
 * many are not ok, is about all of them, and is looked at again as soon as any of them asks for.
 */
export function allOf<Value>(results: readonly Result<Value>[]): Result<readonly Value[]> {
  const bad = results.filter((result): result is NotOk => result.kind !== "ok");
  const [first, ...others] = bad;
  if (first === undefined) return ok(results.flatMap((result) => (result.kind === "ok" ? [result.value] : [])));
  const worst = others.reduce((a, b) => (badnessOf(b) < badnessOf(a) ? b : a), first);
  const on = [worst, ...bad.filter((result) => result !== worst)].flatMap((result) => result.on ?? []);
  return { ...timed(worst, combine(bad), countOf(bad.length, results.length)), on };
}

function badnessOf(result: NotOk): number {
  return badness(resultFinding("", result));
}

function countOf(bad: number, all: number): string {
  return bad === 1 ? "" : ` (${bad} of ${all} are not ready)`;
}

/** What the worst says, with the timing of all together. */
function timed(worst: NotOk, all: Result<unknown>, count: string): NotOk {
  // Errors are all kept, whichever thing looks worst.
  if (all.kind === "fail" || all.kind === "terminal") return { ...all, condition: conditionOf(worst) };
  const reason = describeResult(worst) + count;
  const condition = conditionOf(worst);
  if (all.kind === "requeueAfter") return { kind: "requeueAfter", reason, afterMs: all.afterMs, condition };
  return { kind: "wait", reason, condition };
}

function conditionOf(result: NotOk): ConditionOverride {
  const { status, severity, reason } = resultFinding("", result);
  return { status, reason, ...(severity === undefined ? {} : { severity }) };
}
