import { compareGenerations, describeGeneration, parseApiVersion, readinessRuleOf } from "@levelset/core/internal";
import { generationState, readinessOf } from "@levelset/core";
import type { JsonObject, JsonValue, KubeObject } from "@levelset/core";
import { readObject } from "../../resource/index.ts";

/**
 * Returns why the status of an object does not reflect its latest spec yet; undefined if it does, or if the status
 * carries no generation. In progress are: an unfinished Job; a status, or its Ready or Available condition, of another
 * generation than the latest; a workload that its controller has not observed.
 *
 * `object` is a Kubernetes object or a fleet resource as sent by the API. Any other value is never in progress.
 */
export function progressOf(object: JsonValue): string | undefined {
  const live = readObject(object);
  return live === undefined ? undefined : (jobProgress(live) ?? staleStatus(live));
}

/** Returns the readiness of an object, for conditions missing from the configuration. */
export function readinessIn(object: JsonObject): ReturnType<typeof readinessOf> | undefined {
  const live = readObject(object);
  return live === undefined ? undefined : readinessOf(live);
}

function jobProgress(object: KubeObject): string | undefined {
  if (object.kind !== "Job" || parseApiVersion(object.apiVersion).group !== "batch") return undefined;
  const { kind, message } = readinessOf(object);
  return kind === "progressing" ? message : undefined;
}

function staleStatus(object: KubeObject): string | undefined {
  const stale = ["Ready", "Available"].find((type) => isStale(generationState(object, undefined, type)));
  if (stale !== undefined) return describeGeneration(object, undefined, stale);
  const { generation } = object.metadata;
  const states = ["Ready", "Available"].map((type) => generationState(object, undefined, type));
  if (generation === undefined || states.includes("current")) return undefined;
  const newest = newestCondition(object);
  if (newest !== undefined) {
    const isOld = compareGenerations(newest, generation) === "behind";
    return isOld ? `observed generation ${newest} of ${generation}` : undefined;
  }
  return readinessRuleOf(object)?.isAlwaysObserved === true ? describeGeneration(object) : undefined;
}

function isStale(state: ReturnType<typeof generationState>): boolean {
  return state === "behind" || state === "ahead";
}

/** Returns the newest observedGeneration of all conditions; undefined if none has one. */
function newestCondition(object: KubeObject): number | undefined {
  const { status } = object as { readonly status?: { readonly conditions?: unknown } };
  const conditions: readonly unknown[] = Array.isArray(status?.conditions) ? status.conditions : [];
  const generations = conditions.flatMap((condition) => {
    const { observedGeneration } = (condition ?? {}) as { readonly observedGeneration?: unknown };
    return typeof observedGeneration === "number" ? [observedGeneration] : [];
  });
  return generations.length === 0 ? undefined : Math.max(...generations);
}
