import { compareGenerations } from "@levelset/core";
import { statusIn } from "./adapter-status.ts";
import type { ReportedCondition } from "./adapter-status.ts";
import { parseTime } from "./time.ts";

/** What an adapter reported last, as the API sends it. */
export interface LastReport {
  readonly observed_generation: number;
  /** A time of RFC 3339. */
  readonly observed_time: string;
  readonly conditions: readonly ReportedCondition[];
}

/** What freshness depends on beside the report. */
export interface FreshnessInput {
  readonly resource: { readonly generation: number; readonly deleted_time?: string };
  readonly ttlMs: number;
  readonly now: number;
}

/**
 * Whether an adapter need not do its work again: its last report is about the latest generation, says Available True, and is younger than
 * the TTL. Never while the resource is being deleted.
 */
export function isFresh(last: LastReport | undefined, { resource, ttlMs, now }: FreshnessInput): boolean {
  if (last === undefined || resource.deleted_time !== undefined) return false;
  const time = parseTime(last.observed_time);
  return (
    compareGenerations(last.observed_generation, resource.generation) === "current" &&
    statusIn(last, "Available") === "True" &&
    time !== undefined &&
    now - time < ttlMs
  );
}
