import {
  availableOf,
  isCurrent,
  isResourceReady,
  readyOf,
  adapterConditionOf,
  resourceState,
} from "@levelset/fleet/client";
import type { KindDescription, WireResource } from "@levelset/fleet/client";
import type { AdapterCell, FleetRow } from "../../api/index.ts";
import { displayStateOf } from "./display-state.ts";

/** Returns a fleet resource as a row of the matrix. */
export function fleetRow(resource: WireResource, kind: KindDescription): FleetRow {
  const { id, name, generation, labels = {}, owner_references: parent } = resource;
  const ready = readyOf(resource);
  const available = availableOf(resource);
  const cells = kind.requiredAdapters.map((adapter) => adapterCell(resource, adapter));
  return {
    id,
    kind: resource.kind,
    plural: kind.plural,
    name,
    ...(parent === undefined ? {} : { parent: parent.id }),
    generation,
    state: displayStateOf(resourceState(resource, kind.requiredAdapters)),
    message: messageOf(resource, cells),
    since: resource.deleted_time ?? sinceOf(resource, ready),
    ...(available?.status === "True" ? { availableAt: available.observed_generation } : {}),
    labels: Object.entries(labels).map(([label, value]) => `${label}=${value}`),
    cells,
  };
}

/** Returns the state of an adapter for a resource, by its last result. */
export function adapterCell(resource: WireResource, adapter: string): AdapterCell {
  const condition = adapterConditionOf(resource, adapter);
  if (condition === undefined) return { adapter, state: "unknown" };
  const { observed_generation: generation, status, reason, message } = condition;
  const state = !isCurrent(resource, condition) ? "progressing" : status === "True" ? "ready" : "degraded";
  return {
    adapter,
    state,
    generation,
    ...(state !== "degraded" || reason === undefined ? {} : { reason }),
    ...(state !== "degraded" || message === undefined ? {} : { message }),
  };
}

/** Returns what a resource waits for, or why it has failed. */
function messageOf(resource: WireResource, cells: readonly AdapterCell[]): string {
  if (resource.deleted_time !== undefined) return "being deleted";
  if (cells.length === 0 || isResourceReady(resource)) return "";
  const degraded = cells.filter(({ state }) => state === "degraded");
  const [first] = degraded;
  if (first !== undefined) {
    const text = first.message ?? first.reason ?? "failed";
    const more = degraded.length === 1 ? "" : ` and ${degraded.length - 1} more`;
    return `${first.adapter}: ${text}${more}`;
  }
  const waiting = cells.filter(({ state }) => state !== "ready").map(({ adapter }) => adapter);
  // Ready may depend on more than the adapters, by a rule of the kind.
  return waiting.length === 0 ? (readyOf(resource)?.message ?? "") : `waiting for ${waiting.join(", ")}`;
}

/** Returns the last transition time of Ready; a resource without Ready uses its update time. */
function sinceOf(resource: WireResource, ready: { readonly last_transition_time: string } | undefined): string {
  return ready?.last_transition_time ?? resource.updated_time;
}
