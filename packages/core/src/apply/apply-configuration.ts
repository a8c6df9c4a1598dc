import { deepEqual } from "../json/index.ts";
import type { JsonValue } from "../json/index.ts";
import { checkType } from "./check-type.ts";
import { mergeApplied } from "./merge-applied.ts";
import type { FieldConflict } from "./conflict.ts";
import { FieldSet } from "./field-set.ts";
import { fieldManagerId } from "./managed-fields.ts";
import type { FieldManagerEntry, FieldManager, ManagedFields } from "./managed-fields.ts";
import {
  toVersionedValue,
  stripMeta,
  reconcileManagedFields,
  computeOwnershipChange,
  withManager,
} from "./ownership.ts";
import type { TypeConverter, TypedValue } from "./ownership.ts";
import { removeFields } from "./removal.ts";
import { updateManagedFields } from "./update-managed-fields.ts";
import { toFieldSet, ensureNamedFieldsAreMembers } from "./to-field-set.ts";

/** Input of a server-side apply. */
export interface ApplyInput {
  readonly converter: TypeConverter;
  /** The live object; the zero value if it does not exist yet. Without managedFields, like all objects here. */
  readonly live: JsonValue;
  /** The applied configuration. */
  readonly configuration: JsonValue;
  readonly managedFields: ManagedFields;
  /** The manager; its operation is Apply. */
  readonly manager: FieldManager;
  readonly time: string;
  /** Whether to take over conflicting fields of other managers. */
  readonly force: boolean;
}

/** Result of a server-side apply. */
export type ApplyResult =
  /** `value` is the merged object. It is the live object itself if at most the managers change. */
  | { readonly kind: "applied"; readonly value: JsonValue; readonly owners: ManagedFields }
  | { readonly kind: "conflict"; readonly conflicts: readonly FieldConflict[] };

/**
 * Manager of the fields that existed before managedFields were tracked (k8s.io/apimachinery/pkg/util/managedfields).
 */
const BEFORE = "before-first-apply";

/**
 * Merges a configuration into an object. Sets its fields, and removes fields that the applier applied before and omits
 * now, unless another manager owns them. Throws a `TypeMismatchError` if the configuration does not match its type.
 */
export function applyConfiguration(apply: ApplyInput): ApplyResult {
  const { converter, live, configuration, manager, time } = apply;
  const isTracked = apply.managedFields.size > 0 || live === converter.zeroValue;
  const tracked = isTracked ? apply.managedFields : ownersSoFar(apply);
  checkType(converter.type, configuration, "refused");
  checkType(converter.type, live, "allowed");
  const owners = reconcileManagedFields(converter, tracked);
  const id = fieldManagerId(manager);
  const last = owners.get(id);
  const fields = converter.filterFields(toFieldSet(converter.type, configuration), converter.apiVersion);
  const claimed = withManager(owners, manager, fields, last?.time);
  const merged = mergeApplied(converter.type, live, configuration);
  const value = last === undefined ? merged : withoutAbandoned(converter, merged, claimed, last);
  const change = computeOwnershipChange(converter, live, value, claimed, id);
  const { others } = change;
  const conflicts = apply.force ? [] : change.conflicts();
  if (conflicts.length > 0) return { kind: "conflict", conflicts };
  const isSame = deepEqual(value, live);
  const mine = stripMeta(fields);
  return {
    kind: "applied",
    value: isSame ? live : value,
    owners: mine.isEmpty ? others : withManager(others, manager, mine, isSame ? last?.time : time),
  };
}

/** Returns the managers, with one for the fields of an object that was written before tracking. */
function ownersSoFar({ converter, live, managedFields, manager, time }: ApplyInput): ManagedFields {
  const writer: FieldManager = { ...manager, manager: BEFORE, operation: "Update" };
  return updateManagedFields({
    converter,
    before: converter.zeroValue,
    after: live,
    managedFields,
    manager: writer,
    time,
  });
}

/** Returns the object without fields that the applier applied before and that no manager owns now. */
function withoutAbandoned(
  kind: TypeConverter,
  merged: JsonValue,
  owners: ManagedFields,
  last: FieldManagerEntry,
): JsonValue {
  const applied = owners.get(fieldManagerId(last));
  // Fast path: no field was abandoned.
  if (applied?.apiVersion === last.apiVersion && last.fields.difference(applied.fields).isEmpty) return merged;
  const then = toVersionedValue(kind, merged, last.apiVersion);
  if (then === undefined) return merged;
  const before = ensureNamedFieldsAreMembers(last.fields, then.type);
  const pruned = keepOwned(kind, then, removeFields(then.type, then.value, before), owners, last.apiVersion);
  const gone = declaredFields(then).difference(declaredFields({ type: then.type, value: pruned }));
  return kind.convert(removeFields(then.type, then.value, gone.intersection(before)), kind.apiVersion);
}

function declaredFields({ type, value }: TypedValue): FieldSet {
  return ensureNamedFieldsAreMembers(toFieldSet(type, value), type);
}

/** Restores pruned fields that another manager owns. */
function keepOwned(
  kind: TypeConverter,
  merged: TypedValue,
  pruned: JsonValue,
  owners: ManagedFields,
  version: string,
): JsonValue {
  const versions = [...new Set([version, ...[...owners.values()].map(({ apiVersion }) => apiVersion)])];
  let kept = pruned;
  for (const apiVersion of versions) {
    const [whole, rest] = [toVersionedValue(kind, merged.value, apiVersion), toVersionedValue(kind, kept, apiVersion)];
    if (whole === undefined || rest === undefined) continue;
    const owned = [...owners.values()]
      .filter((owner) => owner.apiVersion === apiVersion)
      .reduce((all, owner) => all.union(owner.fields), FieldSet.empty);
    const desired = declaredFields(rest).union(ensureNamedFieldsAreMembers(owned, whole.type));
    kept = removeFields(whole.type, whole.value, declaredFields(whole).difference(desired));
  }
  return kept;
}
