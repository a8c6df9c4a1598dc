import type { JsonObject } from "@levelset/core";
import type { Flips } from "./flapping.ts";

/** Statuses of an adapter's condition. */
export type ReportedStatus = "True" | "False" | "Unknown";

/** A condition as reported by an adapter. */
export interface ReportedCondition {
  readonly type: string;
  readonly status: ReportedStatus;
  readonly reason?: string;
  readonly message?: string;
}

/** A report sent by an adapter. */
export interface Report {
  readonly adapter: string;
  readonly observedGeneration: number;
  readonly observedTime: number;
  readonly conditions: readonly ReportedCondition[];
  readonly data?: JsonObject;
  readonly metadata?: JsonObject;
}

/** A stored condition of an adapter. */
export interface AdapterCondition extends ReportedCondition {
  readonly lastTransitionTime: number;
}

/** A stored report. */
export interface StoredReport extends Omit<Report, "adapter" | "conditions"> {
  readonly conditions: readonly AdapterCondition[];
}

/**
 * State of one adapter's work on one resource. The verdict is the last report with Available True or False; the
 * resource's conditions depend on verdicts only. Progress is a later report with Available Unknown: work in progress.
 * At least one of the two is present.
 */
export type AdapterStatus = {
  readonly adapter: string;
  readonly createdTime: number;
  /** Recent verdict changes; absent while the verdict is stable. */
  readonly flips?: Flips;
} & (
  | { readonly verdict: StoredReport; readonly progress?: StoredReport }
  | { readonly verdict?: undefined; readonly progress: StoredReport }
);

/** Conditions that every report must contain. */
export const MANDATORY_CONDITIONS = ["Available", "Applied", "Health"] as const;

/** Returns the status of a condition in a report; undefined if it has none of that type. */
export function conditionStatusIn(
  report: { readonly conditions: readonly ReportedCondition[] } | undefined,
  type: string,
): ReportedStatus | undefined {
  return report?.conditions.find((condition) => condition.type === type)?.status;
}

/** Returns the report shown in the list of statuses: the verdict, or the progress while there is no verdict. */
export function displayedReport(status: AdapterStatus): StoredReport {
  return status.verdict ?? status.progress;
}
