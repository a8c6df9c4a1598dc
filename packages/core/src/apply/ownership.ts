import type { JsonValue } from "../json/index.ts";
import { compareValues, filterComparison } from "./comparison.ts";
import type { Comparison } from "./comparison.ts";
import type { FieldConflict } from "./conflict.ts";
import { FieldSet } from "./field-set.ts";
import { fieldManagerId } from "./managed-fields.ts";
import type { FieldManagerEntry, FieldManager, ManagedFields } from "./managed-fields.ts";
import { reconcileFieldSetWithSchema } from "./reconcile-schema.ts";
import type { ValueType } from "./value-type.ts";

/** An object in one version of its kind. */
export interface TypedValue {
  readonly type: ValueType;
  readonly value: JsonValue;
}

/** Type information and conversion for the kind of a tracked object. */
export interface TypeConverter {
  /** The version of the write. */
  readonly apiVersion: string;
  readonly type: ValueType;
  /** An empty object of the version of the write. */
  readonly zeroValue: JsonValue;
  /** Returns the type in a version; undefined for an unknown version. */
  readonly typeForVersion: (apiVersion: string) => ValueType | undefined;
  /** Converts an object of any version to a known version. */
  readonly convert: (value: JsonValue, apiVersion: string) => JsonValue;
  /** Returns the fields that a write through this endpoint can change. Other fields do not become owned. */
  readonly filterFields: (fields: FieldSet, apiVersion: string) => FieldSet;
}

/** Adapts managers to the current schemas. Managers of removed versions are dropped. */
export function reconcileManagedFields(kind: TypeConverter, owners: ManagedFields): ManagedFields {
  const kept = new Map<string, FieldManagerEntry>();
  for (const [id, owner] of owners) {
    const type = kind.typeForVersion(owner.apiVersion);
    if (type === undefined) continue;
    const fields = reconcileFieldSetWithSchema(owner.fields, type);
    kept.set(id, fields === owner.fields ? owner : { ...owner, fields });
  }
  return kept;
}

/** Converts an object to a version; returns undefined for an unknown version. */
export function toVersionedValue(kind: TypeConverter, value: JsonValue, apiVersion: string): TypedValue | undefined {
  const type = kind.typeForVersion(apiVersion);
  return type === undefined ? undefined : { type, value: kind.convert(value, apiVersion) };
}

/** The effect of a write on the other managers. */
export interface OwnershipChange {
  /** The changed fields, in the version of the write. */
  readonly comparison: () => Comparison;
  /** Returns the fields of other managers that the write changes. */
  readonly conflicts: () => readonly FieldConflict[];
  /** The other managers, without the fields that the write changed or removed. */
  readonly others: ManagedFields;
}

/** Computes the effect of a write from `before` to `after` on all managers but the writer. */
export function computeOwnershipChange(
  kind: TypeConverter,
  before: JsonValue,
  after: JsonValue,
  owners: ManagedFields,
  writer: string | undefined,
): OwnershipChange {
  const comparisons = new Map<string, Comparison | undefined>();
  const comparisonIn = (apiVersion: string): Comparison | undefined => {
    if (!comparisons.has(apiVersion)) comparisons.set(apiVersion, compareIn(kind, before, after, apiVersion));
    return comparisons.get(apiVersion);
  };
  const taken: { readonly manager: FieldManagerEntry; readonly lost: FieldSet }[] = [];
  const others = new Map<string, FieldManagerEntry>();
  for (const [id, owner] of owners) {
    if (id === writer) continue;
    const comparison = comparisonIn(owner.apiVersion);
    if (comparison === undefined) continue;
    const lost = owner.fields.intersection(comparison.modified.union(comparison.added));
    if (!lost.isEmpty) taken.push({ manager: owner, lost });
    const fields = owner.fields.difference(lost).difference(comparison.removed);
    if (!fields.isEmpty) others.set(id, fields.equals(owner.fields) ? owner : { ...owner, fields });
  }
  const conflicts = (): readonly FieldConflict[] =>
    taken.flatMap(({ manager, lost }) => [...lost.paths()].map((path) => ({ manager, path })));
  return { comparison: () => comparisonIn(kind.apiVersion) ?? NO_CHANGE, conflicts, others };
}

const NO_CHANGE: Comparison = { added: FieldSet.empty, modified: FieldSet.empty, removed: FieldSet.empty };

function compareIn(
  kind: TypeConverter,
  before: JsonValue,
  after: JsonValue,
  apiVersion: string,
): Comparison | undefined {
  const [old, next] = [toVersionedValue(kind, before, apiVersion), toVersionedValue(kind, after, apiVersion)];
  if (old === undefined || next === undefined) return undefined;
  return filterComparison(compareValues(next.type, old.value, next.value), (fields) =>
    kind.filterFields(fields, apiVersion),
  );
}

/**
 * Fields that are never owned: identity, and fields set by the server only (`stripMetaManager`,
 * k8s.io/apimachinery/pkg/util/managedfields/internal/stripmeta.go).
 */
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

/** Removes fields that are never owned. */
export function stripMeta(fields: FieldSet): FieldSet {
  return fields.difference(UNOWNED);
}

/** Returns the managers with one added or replaced. */
export function withManager(
  owners: ManagedFields,
  name: FieldManager,
  fields: FieldSet,
  time: string | undefined,
): ManagedFields {
  return new Map(owners).set(fieldManagerId(name), { ...name, fields, time });
}
