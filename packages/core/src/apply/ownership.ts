import type { JsonValue } from "../json/index.ts";
import { compareValues, filtered } from "./comparison.ts";
import type { Comparison } from "./comparison.ts";
import type { FieldConflict } from "./conflict.ts";
import { FieldSet } from "./field-set.ts";
import { ownerId } from "./owner.ts";
import type { Owner, OwnerName, Owners } from "./owner.ts";
import { followSchema } from "./schema-change.ts";
import type { ValueType } from "./value-type.ts";

/** An object in one version of its kind. */
export interface VersionedValue {
  readonly type: ValueType;
  readonly value: JsonValue;
}

/** What is known about the kind of an object whose owners are tracked. */
export interface TrackedKind {
  /** The version of the write. */
  readonly apiVersion: string;
  readonly type: ValueType;
  /** A new object of the version of the write before anything is given. */
  readonly blank: JsonValue;
  /** The type in a version; undefined for a version that there is not. */
  readonly typeIn: (apiVersion: string) => ValueType | undefined;
  /** An object, of whichever version, in a version that there is. */
  readonly convert: (value: JsonValue, apiVersion: string) => JsonValue;
  /** Those of some fields that a write through this path can change; nobody comes to own others by it. */
  readonly writable: (fields: FieldSet, apiVersion: string) => FieldSet;
}

/** Owners in terms of the present schemas. Those of versions that are no more are forgotten. */
export function presentOwners(kind: TrackedKind, owners: Owners): Owners {
  const kept = new Map<string, Owner>();
  for (const [id, owner] of owners) {
    const type = kind.typeIn(owner.apiVersion);
    if (type === undefined) continue;
    const fields = followSchema(owner.fields, type);
    kept.set(id, fields === owner.fields ? owner : { ...owner, fields });
  }
  return kept;
}

/** An object in a version; undefined for a version that there is not. */
export function inVersion(kind: TrackedKind, value: JsonValue, apiVersion: string): VersionedValue | undefined {
  const type = kind.typeIn(apiVersion);
  return type === undefined ? undefined : { type, value: kind.convert(value, apiVersion) };
}

/** What a write did to the other owners. */
export interface Shift {
  /** What it changed, in the version of the write. */
  readonly comparison: () => Comparison;
  /** What others own that the write changes. */
  readonly conflicts: readonly FieldConflict[];
  /** Everybody but the writer, without what the write changed or removed. */
  readonly others: Owners;
}

/** What a write from `before` to `after` does to all owners but the writer. */
export function shiftOwners(
  kind: TrackedKind,
  before: JsonValue,
  after: JsonValue,
  owners: Owners,
  writer: string | undefined,
): Shift {
  const comparisons = new Map<string, Comparison | undefined>();
  const comparisonIn = (apiVersion: string): Comparison | undefined => {
    if (!comparisons.has(apiVersion)) comparisons.set(apiVersion, compareIn(kind, before, after, apiVersion));
    return comparisons.get(apiVersion);
  };
  const conflicts: FieldConflict[] = [];
  const others = new Map<string, Owner>();
  for (const [id, owner] of owners) {
    if (id === writer) continue;
    const comparison = comparisonIn(owner.apiVersion);
    if (comparison === undefined) continue;
    const lost = owner.fields.intersection(comparison.modified.union(comparison.added));
    for (const path of lost.paths()) conflicts.push({ owner, path });
    const fields = owner.fields.difference(lost).difference(comparison.removed);
    if (!fields.isEmpty) others.set(id, fields.equals(owner.fields) ? owner : { ...owner, fields });
  }
  return { comparison: () => comparisonIn(kind.apiVersion) ?? NO_CHANGE, conflicts, others };
}

const NO_CHANGE: Comparison = { added: FieldSet.empty, modified: FieldSet.empty, removed: FieldSet.empty };

function compareIn(kind: TrackedKind, before: JsonValue, after: JsonValue, apiVersion: string): Comparison | undefined {
  const [old, next] = [inVersion(kind, before, apiVersion), inVersion(kind, after, apiVersion)];
  if (old === undefined || next === undefined) return undefined;
  return filtered(compareValues(next.type, old.value, next.value), (fields) => kind.writable(fields, apiVersion));
}

/** Fields of every object that nobody owns: what names it, and what only the server writes. */
const UNOWNED: FieldSet = FieldSet.of(
  ["f:apiVersion"],
  ["f:kind"],
  ["f:metadata"],
  ...[
    "name",
    "namespace",
    "creationTimestamp",
    "selfLink",
    "uid",
    "clusterName",
    "generation",
    "managedFields",
    "resourceVersion",
  ].map((name) => ["f:metadata", `f:${name}`]),
);

/** The fields without those that nobody owns. */
export function ownable(fields: FieldSet): FieldSet {
  return fields.difference(UNOWNED);
}

/** The owners with one more, or with one of them changed. */
export function withOwner(owners: Owners, name: OwnerName, fields: FieldSet, time: string | undefined): Owners {
  return new Map(owners).set(ownerId(name), { ...name, fields, time });
}
