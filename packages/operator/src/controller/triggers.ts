import { isDeleting, isJsonObject } from "@levelset/core";
import type { Kind, KubeObject, ManagedFieldsEntry } from "@levelset/core";
import type { ChangeContext, ObjectChange } from "../cache/index.ts";
import type { Trigger } from "../queue/index.ts";
import { RECONCILE_ANNOTATION } from "./annotations.ts";
import { changedPaths } from "./changed-paths.ts";

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
  const [path, ...others] = changedPaths(declared(before), declared(after));
  if (path === undefined) return { kind: "changed" };
  const manager = writerOf(path, managers);
  return {
    kind: "changed",
    field: path.slice(1),
    hasMore: others.length > 0,
    ...(manager === undefined ? {} : { manager }),
  };
}

/** What people write: all but the fields that change with every write. */
function declared({ metadata, apiVersion: _version, kind: _kind, ...rest }: KubeObject): object {
  const { labels, annotations, finalizers, ownerReferences } = metadata;
  return { ...rest, metadata: { labels, annotations, finalizers, ownerReferences } };
}

/** Who wrote a path last, as far as managedFields tell. */
function writerOf(path: string, managers: readonly ManagedFieldsEntry[]): string | undefined {
  const names = path.split(/[.[]/u).filter((name) => name !== "" && !name.endsWith("]"));
  const owners = managers.filter(({ fieldsV1 }) => covers(fieldsV1, names));
  const [latest] = owners.toSorted((a, b) => ((a.time ?? "") < (b.time ?? "") ? 1 : -1));
  return latest?.manager;
}

/** Whether a set of fields reaches into a path: its first name at least, and as far down as both go. */
function covers(fields: ManagedFieldsEntry["fieldsV1"], names: readonly string[]): boolean {
  let at: unknown = fields;
  for (const [depth, name] of names.entries()) {
    if (!isJsonObject(at)) return false;
    const next = at[`f:${name}`];
    if (next === undefined) return depth > 0 && Object.keys(at).every((key) => !key.startsWith("f:"));
    at = next;
  }
  return names.length > 0;
}
