import { availableOf, isCurrent, isResourceReady, readyOf, verdictOf } from "@levelset/fleet/client";
import type { KindDescription, WireResource } from "@levelset/fleet/client";
import type { FleetCell, FleetRow } from "../api/index.ts";

/** A resource of a fleet as a row of the matrix. */
export function fleetRow(resource: WireResource, kind: KindDescription): FleetRow {
  const { id, name, generation, labels = {}, owner_references: parent } = resource;
  const ready = readyOf(resource);
  const available = availableOf(resource);
  const cells = kind.requiredAdapters.map((adapter) => fleetCell(resource, adapter));
  return {
    id,
    kind: resource.kind,
    plural: kind.plural,
    name,
    ...(parent === undefined ? {} : { parent: parent.id }),
    generation,
    ...standingOf(resource, cells),
    since: resource.deleted_time ?? sinceOf(resource, ready),
    ...(available?.status === "True" ? { runsAt: available.observed_generation } : {}),
    labels: Object.entries(labels).map(([label, value]) => `${label}=${value}`),
    cells,
  };
}

/** What an adapter has to do with a resource, by its last verdict. */
export function fleetCell(resource: WireResource, adapter: string): FleetCell {
  const verdict = verdictOf(resource, adapter);
  if (verdict === undefined) return { adapter, state: "silent" };
  const { observed_generation: generation, status, reason, message } = verdict;
  const state = !isCurrent(resource, verdict) ? "behind" : status === "True" ? "done" : "failed";
  return {
    adapter,
    state,
    generation,
    ...(state !== "failed" || reason === undefined ? {} : { reason }),
    ...(state !== "failed" || message === undefined ? {} : { message }),
  };
}

function standingOf(resource: WireResource, cells: readonly FleetCell[]): Pick<FleetRow, "state" | "message"> {
  if (resource.deleted_time !== undefined) return { state: "deleting", message: "being deleted" };
  if (cells.length === 0 || isResourceReady(resource)) return { state: "ready", message: "" };
  const failed = cells.filter(({ state }) => state === "failed");
  const [first] = failed;
  if (first !== undefined) {
    const words = first.message ?? first.reason ?? "failed";
    const more = failed.length === 1 ? "" : ` and ${failed.length - 1} more`;
    return { state: "failed", message: `${first.adapter}: ${words}${more}` };
  }
  const waiting = cells.filter(({ state }) => state !== "done").map(({ adapter }) => adapter);
  // A rule of the kind may ask for more than its adapters.
  const message = waiting.length === 0 ? (readyOf(resource)?.message ?? "") : `waiting for ${waiting.join(", ")}`;
  return { state: "progressing", message };
}

/** Ready has been False for longer than a change of the declaration: what is not reached is the latest one. */
function sinceOf(resource: WireResource, ready: { readonly last_transition_time: string } | undefined): string {
  return ready?.last_transition_time ?? resource.updated_time;
}
