import { isJsonObject } from "@levelset/core";
import type { KubeObject, ManagedFieldsEntry } from "@levelset/core";
import { changedPaths } from "./changed-paths.ts";

/** A field that differs between two versions of an object. */
export interface FieldChange {
  /** `spec.image`, `status.conditions[Ready].reason`. */
  readonly field: string;
  /** Whether other fields differ, too. */
  readonly hasMore: boolean;
  /** The field manager that wrote it last according to managedFields; undefined if they do not show it. */
  readonly manager: string | undefined;
}

/** Returns the first client-written field that differs between two versions, or undefined if there is none. */
export function fieldChange(
  before: KubeObject,
  after: KubeObject,
  managers: readonly ManagedFieldsEntry[],
): FieldChange | undefined {
  const [path, ...others] = changedPaths(declared(before), declared(after));
  if (path === undefined) return undefined;
  const field = path.slice(1);
  return { field, hasMore: others.length > 0, manager: managerOf(field, managers) };
}

/**
 * Returns the field manager that wrote a field last: the latest of the managedFields entries that match its path most
 * closely.
 */
export function managerOf(field: string, managers: readonly ManagedFieldsEntry[]): string | undefined {
  const owners = managers.flatMap((entry) => {
    const beyond = beyondReach(field, entry.fieldsV1, 0);
    return beyond === undefined ? [] : { ...entry, beyond };
  });
  const [latest] = owners.toSorted((a, b) => a.beyond - b.beyond || ((a.time ?? "") < (b.time ?? "") ? 1 : -1));
  return latest?.manager;
}

/** Returns an object without the fields that change with every write. */
function declared({ metadata, apiVersion: _version, kind: _kind, ...rest }: KubeObject): object {
  const { labels, annotations, finalizers, ownerReferences } = metadata;
  return { ...rest, metadata: { labels, annotations, finalizers, ownerReferences } };
}

/**
 * Returns how many characters of a path lie below the deepest match in a field set: 0 for an exact match, more if the
 * set owns a list or value as a whole, undefined if the path does not match. Names may contain dots.
 */
function beyondReach(path: string, fields: unknown, depth: number): number | undefined {
  if (path === "") return depth > 0 ? 0 : undefined;
  if (!isJsonObject(fields)) return undefined;
  const names = Object.keys(fields).flatMap((key) => (key.startsWith("f:") ? [key.slice(2)] : []));
  if (names.length === 0) return depth > 0 ? path.length : undefined;
  const below = names.flatMap((name) => {
    const rest = restBehind(path, name);
    return rest === undefined ? [] : (beyondReach(rest, fields[`f:${name}`], depth + 1) ?? []);
  });
  return below.length === 0 ? undefined : Math.min(...below);
}

/** Returns the rest of a path after a name and its list entry. */
function restBehind(path: string, name: string): string | undefined {
  if (!path.startsWith(name)) return undefined;
  const rest = path.slice(name.length).replace(/^(?:\[[^\]]*\])+/u, "");
  if (rest === "") return "";
  return rest.startsWith(".") ? rest.slice(1) : undefined;
}
