import { compareGenerations } from "@levelset/core/internal";
import type { JsonObject, ObjectState } from "@levelset/core";
import { availableOf, isCurrent, isResourceReady, readyOf, adapterConditionOf } from "./conditions.ts";
import type { WireCondition, WireResource } from "./wire.ts";
import { resourceState } from "./resource-state.ts";

/** The state to wait for. */
export type FleetWaitGoal = "ready" | "available" | "deleted";

/** The criteria of a wait. */
export interface WaitCriteria {
  readonly goal: FleetWaitGoal;
  /** The oldest accepted generation: the one that the client's own write returned. */
  readonly generation?: number | undefined;
  /** The required adapters of the kind, so that progress names those that have not reported. */
  readonly requiredAdapters?: readonly string[] | undefined;
}

/** The progress of a wait. */
export interface FleetWaitProgress<Spec extends JsonObject = JsonObject> {
  /**
   * `waiting`: continues. `reached`: the goal is met. `deleted`: the resource was or is being deleted, which cannot be
   * undone.
   */
  readonly kind: "waiting" | "reached" | "deleted";
  readonly generation: number;
  /**
   * The generation that Ready is about, or Available if the wait is for that; absent for kinds without required
   * adapters.
   */
  readonly observedGeneration?: number;
  /**
   * Degraded: an adapter has failed at the latest generation and may recover. Unknown: no adapter has reported yet, or
   * the resource was deleted.
   */
  readonly state: ObjectState;
  readonly reason?: string;
  readonly message: string;
  /** The resource as it was last read. */
  readonly resource: WireResource<Spec>;
}

/** Compares a resource with the criteria of a wait. */
export function waitProgress<Spec extends JsonObject>(
  resource: WireResource<Spec>,
  criteria: WaitCriteria,
): FleetWaitProgress<Spec> {
  const condition = criteria.goal === "available" ? availableOf(resource) : readyOf(resource);
  const state = resourceState(resource, criteria.requiredAdapters ?? []);
  const kind = isReached(resource, criteria)
    ? "reached"
    : state === "Deleting" && criteria.goal !== "deleted"
      ? "deleted"
      : "waiting";
  return {
    kind,
    generation: resource.generation,
    ...(condition === undefined ? {} : { observedGeneration: condition.observed_generation }),
    state,
    ...(kind === "reached" ? conditionText(condition) : obstacle(resource, criteria)),
    resource,
  };
}

/** Returns the progress of a wait whose resource was deleted, which is the goal of a wait for deletion. */
export function deletedProgress<Spec extends JsonObject>(
  resource: WireResource<Spec>,
  { goal }: WaitCriteria,
): FleetWaitProgress<Spec> {
  const kind = goal === "deleted" ? "reached" : "deleted";
  return { kind, generation: resource.generation, state: "Unknown", message: "was deleted", resource };
}

function isReached(resource: WireResource, { goal, generation = 0 }: WaitCriteria): boolean {
  if (resource.deleted_time !== undefined || resource.generation < generation) return false;
  switch (goal) {
    case "ready":
      return isResourceReady(resource);
    case "available":
      return isAvailable(resource, generation);
    case "deleted":
      return false;
  }
}

/** Returns true if Available is True for an existing, accepted generation. */
function isAvailable(resource: WireResource, generation: number): boolean {
  const available = availableOf(resource);
  if (available === undefined) return true;
  const { status, observed_generation: observed } = available;
  return status === "True" && observed >= generation && compareGenerations(observed, resource.generation) !== "ahead";
}

type Explanation = Pick<FleetWaitProgress, "reason" | "message">;

/** Returns why the goal is not met yet. */
function obstacle(resource: WireResource, criteria: WaitCriteria): Explanation {
  const { goal, generation = 0 } = criteria;
  const { deleted_time: deleted, deleted_by: by } = resource;
  if (deleted !== undefined && goal !== "deleted") {
    return { message: `deletion requested at ${deleted}${by === undefined ? "" : ` by ${by}`}` };
  }
  if (deleted === undefined && goal === "deleted") return { reason: "NotDeleting", message: "is not being deleted" };
  if (resource.generation < generation) {
    return { reason: "OldGeneration", message: `read at generation ${resource.generation}, waiting for ${generation}` };
  }
  return deleted === undefined ? adapterObstacle(resource, criteria) : conditionText(readyOf(resource));
}

/**
 * Returns adapters that failed at the latest generation, with reasons, and those without a result for it; otherwise the
 * reason and message of the condition.
 */
function adapterObstacle(resource: WireResource, { goal, requiredAdapters = [] }: WaitCriteria): Explanation {
  const results = requiredAdapters.map((adapter) => ({ adapter, verdict: adapterConditionOf(resource, adapter) }));
  const current = results.filter(({ verdict }) => isCurrent(resource, verdict));
  const failed = current.filter(({ verdict }) => verdict?.status === "False");
  const missing = results.filter((result) => !current.includes(result)).map(({ adapter }) => adapter);
  const condition = goal === "available" ? availableOf(resource) : readyOf(resource);
  const texts = [
    ...failed.map(({ adapter, verdict }) => [adapter, verdict?.reason, verdict?.message].filter(Boolean).join(": ")),
    ...(missing.length === 0 ? [] : [`no result for generation ${resource.generation} from ${missing.join(", ")}`]),
  ];
  if (texts.length === 0)
    return condition?.status === "True" ? otherGeneration(resource, condition) : conditionText(condition);
  const reason = failed[0]?.verdict?.reason ?? condition?.reason;
  return { ...(reason === undefined ? {} : { reason }), message: texts.join("; ") };
}

/** The condition is True, but for another generation. */
function otherGeneration(
  { generation }: WireResource,
  { type, observed_generation: observed }: WireCondition,
): Explanation {
  return {
    reason: "OtherGeneration",
    message: `${type} is about generation ${observed}, the resource is at ${generation}`,
  };
}

function conditionText(condition: WireCondition | undefined): Explanation {
  const { reason, message = "" } = condition ?? {};
  return { ...(reason === undefined ? {} : { reason }), message };
}
