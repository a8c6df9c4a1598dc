import { compareGenerations } from "@levelset/core/internal";
import { adapterConditionType, ROLL_UP_TYPES } from "../resource/index.ts";
import type { WireCondition, WireResource } from "./wire.ts";

type Conditioned = Pick<WireResource, "status">;

/**
 * Returns the Ready condition: whether the latest generation is reconciled. Undefined for kinds without required
 * adapters.
 */
export function readyOf(resource: Conditioned): WireCondition | undefined {
  return rollUp(resource, ROLL_UP_TYPES.ready);
}

/**
 * Returns the Available condition: whether the system runs, and at which generation. Undefined for kinds without
 * required adapters.
 */
export function availableOf(resource: Conditioned): WireCondition | undefined {
  return rollUp(resource, ROLL_UP_TYPES.available);
}

/** Returns the last result of a required adapter; undefined if there is none. */
export function adapterConditionOf(resource: Conditioned, adapter: string): WireCondition | undefined {
  return named(resource, adapterConditionType(adapter));
}

/** Returns true if a condition or a report is about the latest generation of a resource. */
export function isCurrent(
  { generation }: Pick<WireResource, "generation">,
  observed: { readonly observed_generation: number } | undefined,
): boolean {
  return compareGenerations(observed?.observed_generation, generation) === "current";
}

/**
 * Returns true if Ready is True for the latest generation and the resource is not being deleted. Resources of kinds
 * without required adapters have no such condition and are ready from the start.
 */
export function isResourceReady(resource: Conditioned & Pick<WireResource, "generation" | "deleted_time">): boolean {
  if (resource.deleted_time !== undefined) return false;
  const ready = readyOf(resource);
  return ready === undefined || (ready.status === "True" && isCurrent(resource, ready));
}

/** Other servers may use only one of the names of a condition. */
function rollUp(
  resource: Conditioned,
  { type, alias }: { readonly type: string; readonly alias: string },
): WireCondition | undefined {
  return named(resource, type) ?? named(resource, alias);
}

function named({ status }: Conditioned, type: string): WireCondition | undefined {
  return status.conditions.find((condition) => condition.type === type);
}
