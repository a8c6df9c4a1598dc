import { compareGenerations } from "@levelset/core/internal";
import { conditionStatusIn } from "./adapter-status.ts";
import type { ReportedCondition } from "./adapter-status.ts";
import { parseTime } from "../time.ts";

/** The last report of an adapter as sent by the API. */
export interface LastReport {
  readonly observed_generation: number;
  /** RFC 3339 time. */
  readonly observed_time: string;
  readonly conditions: readonly ReportedCondition[];
}

/** Further inputs of {@link isFresh}. */
export interface FreshnessInput {
  readonly resource: { readonly generation: number; readonly deleted_time?: string };
  readonly ttlMs: number;
  readonly now: number;
}

/**
 * Returns whether an adapter can skip its work: its last report is of the latest generation, has Available True, and
 * is younger than the TTL. Always false while the resource is being deleted.
 */
export function isFresh(last: LastReport | undefined, { resource, ttlMs, now }: FreshnessInput): boolean {
  if (last === undefined || resource.deleted_time !== undefined) return false;
  const time = parseTime(last.observed_time);
  return (
    compareGenerations(last.observed_generation, resource.generation) === "current" &&
    conditionStatusIn(last, "Available") === "True" &&
    time !== undefined &&
    now - time < ttlMs
  );
}
