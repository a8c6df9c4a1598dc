import type { PlanRedactor } from "./plan-redactor.ts";
import { totalsOf } from "./plan-totals.ts";
import { changesAnything, hasRegression } from "./upgrade-plan.ts";
import type { UpgradePlan } from "./upgrade-plan.ts";

/** Converts a plan to JSON with Secrets masked. */
export function upgradePlanJson(plan: UpgradePlan, redactor: PlanRedactor): unknown {
  return {
    isChanging: changesAnything(plan),
    isRegression: hasRegression(plan),
    totals: totalsOf(plan),
    objects: plan.objects.map((object) => {
      const [before, after] = redactor.pair(object.before, object.after);
      return { ...object, before, after };
    }),
    reports: plan.reports.map(({ statusBefore, statusAfter, before, after, ...report }) => ({
      ...report,
      before: before && { ...before, message: redactor.text(before.message) },
      after: { ...after, message: redactor.text(after.message) },
      statusBefore: redactor.object(statusBefore),
      statusAfter: redactor.object(statusAfter),
    })),
    problems: plan.problems.map((problem) => ({ ...problem, message: redactor.text(problem.message) })),
    heldBack: plan.heldBack,
    notes: plan.notes.map((note) => redactor.text(note)),
  };
}
