import type { JsonObject } from "@levelset/core";
import type { Flips } from "./flapping.ts";

/** The values of an adapter's condition. */
export type ReportedStatus = "True" | "False" | "Unknown";

/** A condition as an adapter reports it. */
export interface ReportedCondition {
  readonly type: string;
  readonly status: ReportedStatus;
  readonly reason?: string;
  readonly message?: string;
}

/** What an adapter sends. */
export interface Report {
  readonly adapter: string;
  readonly observedGeneration: number;
  readonly observedTime: number;
  readonly conditions: readonly ReportedCondition[];
  readonly data?: JsonObject;
  readonly metadata?: JsonObject;
}

/** A condition as it is kept. */
export interface AdapterCondition extends ReportedCondition {
  readonly lastTransitionTime: number;
}

/** A report as it is kept. */
export interface KeptReport extends Omit<Report, "adapter" | "conditions"> {
  readonly conditions: readonly AdapterCondition[];
}

/**
 * What is known of one adapter's work on one resource. The verdict is the last report that said Available True or False, and is all that the
 * resource's conditions are made of. Progress is a later report that said Unknown: work under way. There is always one of them.
 */
export type AdapterStatus = {
  readonly adapter: string;
  readonly createdTime: number;
  /** How often the verdict has changed lately; absent while it is steady. */
  readonly flips?: Flips;
} & (
  | { readonly verdict: KeptReport; readonly progress?: KeptReport }
  | { readonly verdict?: undefined; readonly progress: KeptReport }
);

/** Conditions that every report must have. */
export const MANDATORY_CONDITIONS = ["Available", "Applied", "Health"] as const;

/** The status of one condition of a report; undefined if it has none of that type. */
export function statusIn(
  report: { readonly conditions: readonly ReportedCondition[] } | undefined,
  type: string,
): ReportedStatus | undefined {
  return report?.conditions.find((condition) => condition.type === type)?.status;
}

/** What the list of statuses shows of an adapter: its verdict, or its progress while there is none. */
export function shownReport(status: AdapterStatus): KeptReport {
  return status.verdict ?? status.progress;
}
