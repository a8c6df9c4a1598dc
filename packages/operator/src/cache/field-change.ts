import { isJsonObject } from "@levelset/core";
import type { KubeObject, ManagedFieldsEntry } from "@levelset/core";
import { changedPaths } from "./changed-paths.ts";

/** A field that differs between two versions of an object. */
export interface FieldChange {
  /** `spec.image`, `status.conditions[Ready].reason`. */
  readonly field: string;
  /** Whether it is not the only one. */
  readonly hasMore: boolean;
  /** The field manager that wrote it last, as far as managedFields say. */
  readonly manager: string | undefined;
}

/** The first field that clients write and that differs; undefined when there is none. */
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

/** The field manager that wrote a field last, as far as managedFields say: of those whose fields reach deepest into it, the latest. */
export function managerOf(field: string, managers: readonly ManagedFieldsEntry[]): string | undefined {
  const owners = managers.flatMap((entry) => {
    const beyond = beyondReach(field, entry.fieldsV1, 0);
    return beyond === undefined ? [] : { ...entry, beyond };
  });
  const [latest] = owners.toSorted((a, b) => a.beyond - b.beyond || ((a.time ?? "") < (b.time ?? "") ? 1 : -1));
  return latest?.manager;
}

/** What people write: all but the fields that change with every write. */
function declared({ metadata, apiVersion: _version, kind: _kind, ...rest }: KubeObject): object {
  const { labels, annotations, finalizers, ownerReferences } = metadata;
  return { ...rest, metadata: { labels, annotations, finalizers, ownerReferences } };
}

/**
 * How many characters of a path are below what a set of fields names: 0 where it names all of it, more where it has a list or a
 * value as a whole. Undefined where it names something else. Names may contain dots.
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

/** What of a path is behind a name, without the entries of a list that it names. */
function restBehind(path: string, name: string): string | undefined {
  if (!path.startsWith(name)) return undefined;
  const rest = path.slice(name.length).replace(/^(?:\[[^\]]*\])+/u, "");
  if (rest === "") return "";
  return rest.startsWith(".") ? rest.slice(1) : undefined;
}
