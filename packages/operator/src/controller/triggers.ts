import { isDeleting } from "@levelset/core";
import type { Kind, KubeObject, ManagedFieldsEntry } from "@levelset/core";
import { fieldChange } from "../cache/index.ts";
import type { ChangeContext, ObjectChange } from "../cache/index.ts";
import type { Trigger } from "../queue/index.ts";
import { RECONCILE_ANNOTATION } from "../engine/index.ts";

/** Returns the triggers of a change for the object itself; empty if the object was deleted. */
export function changeTriggers(change: ObjectChange<KubeObject>, context: ChangeContext): readonly Trigger[] {
  switch (change.kind) {
    case "removed":
      return [];
    case "added":
      return [{ kind: context.origin === "initial" ? "listed" : "appeared" }];
    case "updated":
      return updateTriggers(change.previous, change.object, context.managers);
  }
}

/** Returns the trigger of a change of a related object. */
export function relatedTrigger(kind: Kind, change: ObjectChange<KubeObject>, via: string): Trigger {
  return { kind: "related", object: `${kind.singular}/${change.object.metadata.name}`, change: change.kind, via };
}

function updateTriggers(
  before: KubeObject,
  after: KubeObject,
  managers: readonly ManagedFieldsEntry[],
): readonly Trigger[] {
  // One event may cover several writes, so both may apply.
  const triggers: Trigger[] = [];
  if (!isDeleting(before) && isDeleting(after)) triggers.push({ kind: "deletion" });
  if (before.metadata.annotations?.[RECONCILE_ANNOTATION] !== after.metadata.annotations?.[RECONCILE_ANNOTATION]) {
    triggers.push({ kind: "requested" });
  }
  return triggers.length > 0 ? triggers : [changedTrigger(before, after, managers)];
}

function changedTrigger(before: KubeObject, after: KubeObject, managers: readonly ManagedFieldsEntry[]): Trigger {
  const change = fieldChange(before, after, managers);
  if (change === undefined) return { kind: "changed" };
  const { field, hasMore, manager } = change;
  return { kind: "changed", field, hasMore, ...(manager === undefined ? {} : { manager }) };
}
