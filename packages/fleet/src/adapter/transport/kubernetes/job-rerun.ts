import { isJsonObject } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";

/** How long a success is good for. */
const SUCCESS_TTL_MS = 30 * 60_000;
/** How soon a failure is tried again; doubled with every failure in a row. */
const FAILURE_DELAY_MS = 10_000;

/** How a Job was made: from which manifest, and which try it is since it last succeeded. */
export interface JobMade {
  readonly hash: string;
  readonly attempt: number;
}

/** Whether a Job is left alone, or deleted and made anew, as which try. */
export type JobVerdict = { readonly kind: "keep" } | { readonly kind: "rerun"; readonly attempt: number };

/**
 * A Job has one result, and keeps it for ever: a result that nobody questions is no news. So it is run again for another manifest or generation; when its success is
 * half an hour old; and when it failed, ten seconds later, then twenty, up to half an hour. One that is still running is
 * left alone unless what it runs for is no longer wanted.
 */
export function judgeJob(live: JsonObject, made: JobMade | undefined, wantedHash: string, now: number): JobVerdict {
  if (made !== undefined && made.hash !== wantedHash) return { kind: "rerun", attempt: 1 };
  const attempt = made?.attempt ?? 1;
  const succeeded = finishedAt(live, "Complete");
  if (succeeded !== undefined) {
    return now - succeeded > SUCCESS_TTL_MS ? { kind: "rerun", attempt: 1 } : { kind: "keep" };
  }
  const failed = finishedAt(live, "Failed");
  if (failed === undefined) return { kind: "keep" };
  const delay = Math.min(SUCCESS_TTL_MS, FAILURE_DELAY_MS * 2 ** (attempt - 1));
  return now - failed > delay ? { kind: "rerun", attempt: attempt + 1 } : { kind: "keep" };
}

/** The clocks of a cluster's API server and of its TTL controller may differ by so much. */
const CLOCK_SKEW_MS = 2_000;

/**
 * Whether the TTL controller of the cluster deletes, or has deleted, this finished Job (`ttlSecondsAfterFinished`). Compares times of the
 * cluster where the deletion is recorded, as it is by the TTL controller of Kubernetes, which deletes in the foreground
 * (`pkg/controller/ttlafterfinished`). So our own clock does not matter there.
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

/** When a condition of a Job became True; undefined if it is not. */
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
