import { severityRank } from "@levelset/core/internal";
import { combineResults, describeResult, ok, resultCondition } from "../engine/index.ts";
import type { ConditionOverride, Result } from "../engine/index.ts";

type NotOk = Exclude<Result<never>, { readonly kind: "ok" }>;

/**
 * Combines the results of a set: ok with all values, or the worst result, the first among equals. It reports how many
 * are not ok, refers to all of them, and is requeued at the earliest requested time.
 */
export function collectResults<Value>(results: readonly Result<Value>[]): Result<readonly Value[]> {
  const bad = results.filter((result): result is NotOk => result.kind !== "ok");
  const [first, ...others] = bad;
  if (first === undefined) return ok(results.flatMap((result) => (result.kind === "ok" ? [result.value] : [])));
  const worst = others.reduce((a, b) => (severityRankOf(b) < severityRankOf(a) ? b : a), first);
  const on = [worst, ...bad.filter((result) => result !== worst)].flatMap((result) => result.on ?? []);
  return { ...timed(worst, combineResults(bad), countOf(bad.length, results.length)), on };
}

function severityRankOf(result: NotOk): number {
  return severityRank(resultCondition("", result));
}

function countOf(bad: number, all: number): string {
  return bad === 1 ? "" : ` (${bad} of ${all} are not ready)`;
}

/** Returns the condition of the worst result with the timing of all. */
function timed(worst: NotOk, all: Result<unknown>, count: string): NotOk {
  // All errors are included, regardless of which result is the worst.
  if (all.kind === "fail" || all.kind === "terminal") return { ...all, condition: conditionOf(worst) };
  const reason = describeResult(worst) + count;
  const condition = conditionOf(worst);
  if (all.kind === "requeueAfter") return { kind: "requeueAfter", reason, afterMs: all.afterMs, condition };
  return { kind: "wait", reason, condition };
}

function conditionOf(result: NotOk): ConditionOverride {
  const { type: _type, message: _message, ...override } = resultCondition("", result);
  return override;
}
