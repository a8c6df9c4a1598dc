import type { PlannedAction } from "./planned-action.ts";
import type { UpgradePlan } from "./upgrade-plan.ts";

/** The numbers of a plan. */
export interface PlanTotals {
  readonly create: number;
  readonly change: number;
  readonly recreate: number;
  readonly delete: number;
  /** Objects whose reported status would change. */
  readonly report: number;
  /** Pods that would be replaced. */
  readonly restarts: number;
  /** Jobs that would run. */
  readonly jobs: number;
  readonly internal: number;
  readonly unchanged: number;
}

/** Counts the changes of a plan. */
export function totalsOf({ objects, reports, internal, unchanged }: UpgradePlan): PlanTotals {
  const having = (action: PlannedAction): number => objects.filter((object) => object.action === action).length;
  return {
    create: having("create"),
    change: having("change"),
    recreate: having("recreate"),
    delete: having("delete"),
    report: reports.length,
    restarts: objects.reduce((sum, { restarts }) => sum + restarts, 0),
    jobs: objects.filter(({ runs }) => runs).length,
    internal,
    unchanged,
  };
}

/** Formats totals: `2 to create, 3 to change, 1 to delete, 4 pods to restart; 12 objects unchanged`. */
export function totalsText(totals: PlanTotals): string {
  const parts: readonly (readonly [number, string])[] = [
    [totals.create, "to create"],
    [totals.change, "to change"],
    [totals.recreate, "to recreate"],
    [totals.delete, "to delete"],
    [totals.report, `status${totals.report === 1 ? "" : "es"} to change`],
    [totals.restarts, `pod${totals.restarts === 1 ? "" : "s"} to restart`],
    [totals.jobs, `Job${totals.jobs === 1 ? "" : "s"} to run`],
  ];
  const counts = parts.filter(([number]) => number > 0).map(([number, text]) => `${number} ${text}`);
  const internal = totals.internal === 0 ? "" : `, ${totals.internal} with internal changes only`;
  const rest = `${totals.unchanged} object${totals.unchanged === 1 ? "" : "s"} unchanged${internal}`;
  return counts.length === 0 ? `no changes; ${rest}` : `${counts.join(", ")}; ${rest}`;
}
