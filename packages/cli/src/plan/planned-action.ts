import type { StoreChange } from "./store-changes.ts";

/** What would happen to an object. */
export type PlannedAction = "create" | "change" | "recreate" | "delete";

/** Classifies a change by the existence of the object. An object whose deletion is requested counts as deleted. */
export function plannedAction({ before, after }: StoreChange): PlannedAction {
  if (before === undefined) return "create";
  if (after === undefined) return "delete";
  if (before.metadata.uid !== after.metadata.uid) return "recreate";
  const isMarked = before.metadata.deletionTimestamp === undefined && after.metadata.deletionTimestamp !== undefined;
  return isMarked ? "delete" : "change";
}
