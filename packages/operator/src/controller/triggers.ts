import { isDeleting } from "@levelset/core";
import type { Kind, KubeObject, ManagedFieldsEntry } from "@levelset/core";
import { fieldChange } from "../cache/index.ts";
import type { ChangeContext, ObjectChange } from "../cache/index.ts";
import type { Trigger } from "../queue/index.ts";
import { RECONCILE_ANNOTATION } from "../step/index.ts";

/** The runs that a change of an object triggers for that object: none when it was removed. */
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

/** The trigger of a run because of a change of another object. */
export function relatedTrigger(kind: Kind, change: ObjectChange<KubeObject>, via: string): Trigger {
  return { kind: "related", object: `${kind.singular}/${change.object.metadata.name}`, change: change.kind, via };
}

function updateTriggers(
  before: KubeObject,
  after: KubeObject,
  managers: readonly ManagedFieldsEntry[],
): readonly Trigger[] {
  // One event may stand for several writes, so both may apply.
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
