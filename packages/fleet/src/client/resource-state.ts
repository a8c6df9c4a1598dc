import { decideState } from "@levelset/core/internal";
import type { ObjectState } from "@levelset/core";
import { adapterConditionOf, isCurrent, isResourceReady } from "./conditions.ts";
import type { WireResource } from "./wire.ts";

/**
 * Returns the state of a resource from its conditions. Degraded: a required adapter has failed at the latest generation
 * and may recover. Unknown: no required adapter has a result yet.
 */
export function resourceState(resource: WireResource, requiredAdapters: readonly string[]): ObjectState {
  const results = requiredAdapters.map((adapter) => adapterConditionOf(resource, adapter));
  const isReady = isResourceReady(resource);
  const failed = results.some((result) => result?.status === "False" && isCurrent(resource, result));
  return decideState({
    readiness: resource.deleted_time !== undefined ? "deleting" : isReady ? "ready" : "progressing",
    isReported: isReady || results.length === 0 || results.some((result) => result !== undefined),
    ...(failed ? { ready: ADAPTER_FAILED } : {}),
  });
}

/** Adapters retry, so a failed adapter needs no person to act. */
const ADAPTER_FAILED = { status: "False", severity: "Warning", reason: "AdapterFailed" } as const;
