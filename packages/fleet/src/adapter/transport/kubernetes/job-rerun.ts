import { backoffBaseMs, BACKOFFS } from "@levelset/core/internal";
import { isJsonObject } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";

/** How long a success stays valid. */
const SUCCESS_TTL_MS = 30 * 60_000;

/** How a Job was created: the hash of its manifest, and the attempt since the last success. */
export interface JobOrigin {
  readonly hash: string;
  readonly attempt: number;
}

/** Whether a Job is kept, or deleted and created again, and as which attempt. */
export type JobRerunDecision = { readonly kind: "keep" } | { readonly kind: "rerun"; readonly attempt: number };

/**
 * Decides whether a Job is run again: for another manifest or generation; when its success is half an hour old; after
 * a failure with exponential backoff from ten seconds to half an hour. A running Job is kept unless its manifest or
 * generation is outdated.
 */
export function decideJobRerun(
  live: JsonObject,
  origin: JobOrigin | undefined,
  wantedHash: string,
  now: number,
): JobRerunDecision {
  if (origin !== undefined && origin.hash !== wantedHash) return { kind: "rerun", attempt: 1 };
  const attempt = origin?.attempt ?? 1;
  const succeeded = finishedAt(live, "Complete");
  if (succeeded !== undefined) {
    return now - succeeded > SUCCESS_TTL_MS ? { kind: "rerun", attempt: 1 } : { kind: "keep" };
  }
  const failed = finishedAt(live, "Failed");
  if (failed === undefined) return { kind: "keep" };
  const delay = backoffBaseMs(attempt, BACKOFFS.adapterJob);
  return now - failed > delay ? { kind: "rerun", attempt: attempt + 1 } : { kind: "keep" };
}

/** Maximum clock skew between a cluster's API server and its TTL controller. */
const CLOCK_SKEW_MS = 2_000;

/**
 * Returns whether the TTL controller of the cluster deletes, or has deleted, this finished Job
 * (`ttlSecondsAfterFinished`). Compares times of the cluster where the deletion is recorded: the TTL controller
 * deletes in the foreground (`pkg/controller/ttlafterfinished`), which sets a deletionTimestamp. Our own clock is used
 * only without one.
 */
export function isExpiredJob(job: JsonObject, now: number): boolean {
  const { metadata, spec } = job;
  const ttl = isJsonObject(spec) ? spec["ttlSecondsAfterFinished"] : undefined;
  const finished = finishedAt(job, "Complete") ?? finishedAt(job, "Failed");
  if (typeof ttl !== "number" || finished === undefined) return false;
  const deletion = isJsonObject(metadata) ? metadata["deletionTimestamp"] : undefined;
  const deleted = typeof deletion === "string" ? Date.parse(deletion) : now;
  return deleted >= finished + ttl * 1_000 - CLOCK_SKEW_MS;
}

/** Returns when a condition of a Job became True; undefined if it is not True. */
function finishedAt({ status }: JsonObject, type: string): number | undefined {
  const conditions: JsonValue | undefined = isJsonObject(status) ? status["conditions"] : undefined;
  if (!Array.isArray(conditions)) return undefined;
  const found = conditions.find(
    (one: JsonValue) => isJsonObject(one) && one["type"] === type && one["status"] === "True",
  );
  if (!isJsonObject(found)) return undefined;
  const time = typeof found["lastTransitionTime"] === "string" ? Date.parse(found["lastTransitionTime"]) : Number.NaN;
  return Number.isNaN(time) ? 0 : time;
}
