import { isDeleting, isJsonObject } from "@levelset/core";
import type { Kind, KubeObject, ManagedFieldsEntry } from "@levelset/core";
import type { ChangeContext, ObjectChange } from "../cache/index.ts";
import { RECONCILE_ANNOTATION } from "./annotations.ts";
import { changedPaths } from "./changed-paths.ts";

/** The reason of a run that somebody asked for: it does not wait for anything. */
export const ASKED_FOR = "a run was asked for by annotation";
/** The reason of the first run of an object that is to be deleted. */
export const DELETION_ASKED_FOR = "its deletion was asked for";
/** The reason of the first run of a new object. */
export const APPEARED = "it appeared";

/** Why a change of an object asks for a run of that object, in words; undefined when it asks for none. */
export function changeReason(change: ObjectChange<KubeObject>, context: ChangeContext): string | undefined {
  switch (change.kind) {
    case "removed":
      return undefined;
    case "added":
      return context.origin === "initial" ? "it was there at the start" : APPEARED;
    case "updated":
      return updateReason(change.previous, change.object, context.managers);
  }
}

/** Why a change of another object asks for a run. */
export function otherReason(kind: Kind, change: ObjectChange<KubeObject>, via: string): string {
  const what = { added: "appeared", updated: "changed", removed: "went" }[change.kind];
  return `${kind.singular}/${change.object.metadata.name} ${what} (${via})`;
}

function updateReason(before: KubeObject, after: KubeObject, managers: readonly ManagedFieldsEntry[]): string {
  if (!isDeleting(before) && isDeleting(after)) return DELETION_ASKED_FOR;
  if (before.metadata.annotations?.[RECONCILE_ANNOTATION] !== after.metadata.annotations?.[RECONCILE_ANNOTATION]) {
    return ASKED_FOR;
  }
  const [path = "", ...others] = changedPaths(declared(before), declared(after));
  if (path === "") return "it was written without a change";
  const more = others.length === 0 ? "" : " and more";
  const manager = writerOf(path, managers);
  return `${path.slice(1)}${more} changed${manager === undefined ? "" : ` (${manager})`}`;
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
