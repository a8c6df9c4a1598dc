import { compareGenerations } from "@levelset/core";
import { adapterConditionType, ROLL_UP_TYPES } from "../resource/index.ts";
import type { WireCondition, WireResource } from "./wire.ts";

type Conditioned = Pick<WireResource, "status">;

/** Whether the latest declaration has been reached. Undefined for kinds without required adapters. */
export function readyOf(resource: Conditioned): WireCondition | undefined {
  return rollUp(resource, ROLL_UP_TYPES.ready);
}

/** Whether the system runs, and at which generation. Undefined for kinds without required adapters. */
export function availableOf(resource: Conditioned): WireCondition | undefined {
  return rollUp(resource, ROLL_UP_TYPES.available);
}

/** The last verdict of a required adapter; undefined while there is none. */
export function verdictOf(resource: Conditioned, adapter: string): WireCondition | undefined {
  return named(resource, adapterConditionType(adapter));
}

/** Whether a condition or a report is about the latest generation of a resource. */
export function isCurrent(
  { generation }: Pick<WireResource, "generation">,
  observed: { readonly observed_generation: number } | undefined,
): boolean {
  return compareGenerations(observed?.observed_generation, generation) === "current";
}

/**
 * Whether a resource is ready: Ready is True for its latest generation, and it is not being deleted. Resources of kinds without required
 * adapters have no such condition and are ready from the start.
 */
export function isResourceReady(resource: Conditioned & Pick<WireResource, "generation" | "deleted_time">): boolean {
  if (resource.deleted_time !== undefined) return false;
  const ready = readyOf(resource);
  return ready === undefined || (ready.status === "True" && isCurrent(resource, ready));
}

/** Other servers may know a condition by one of its names only. */
function rollUp(
  resource: Conditioned,
  { type, alias }: { readonly type: string; readonly alias: string },
): WireCondition | undefined {
  return named(resource, type) ?? named(resource, alias);
}

function named({ status }: Conditioned, type: string): WireCondition | undefined {
  return status.conditions.find((condition) => condition.type === type);
}
