import { deepEqual } from "../json/index.ts";
import type { JsonValue } from "../json/index.ts";
import { checkType } from "./check.ts";
import { mergeApplied } from "./applied-value.ts";
import type { FieldConflict } from "./conflict.ts";
import { FieldSet } from "./field-set.ts";
import { ownerId } from "./owner.ts";
import type { Owner, OwnerName, Owners } from "./owner.ts";
import { inVersion, ownable, presentOwners, shiftOwners, withOwner } from "./ownership.ts";
import type { TrackedKind, VersionedValue } from "./ownership.ts";
import { removeFields } from "./removal.ts";
import { updateOwners } from "./update-owners.ts";
import { fieldsOfValue, withDeclaredFields } from "./value-fields.ts";

/** A configuration to be applied to an object. */
export interface TrackedApply {
  readonly kind: TrackedKind;
  /** The object as it is; a blank one where there is none yet. Without managedFields, as all objects here. */
  readonly live: JsonValue;
  /** What the applier wants of it. */
  readonly configuration: JsonValue;
  readonly owners: Owners;
  /** Its operation is Apply. */
  readonly applier: OwnerName;
  readonly time: string;
  /** Whether to take fields away from others who own them with another value. */
  readonly force: boolean;
}

/** What comes of applying a configuration. */
export type Applied =
  /** `value` is the object as it should be: the live one itself where nothing changes but owners, if anything. */
  | { readonly kind: "applied"; readonly value: JsonValue; readonly owners: Owners }
  | { readonly kind: "conflict"; readonly conflicts: readonly FieldConflict[] };

/** Who is said to own the fields of an object that nobody tracked before. */
const BEFORE = "before-first-apply";

/**
 * Merges a configuration into an object. Its fields are set; fields that the applier applied last time and no longer does are removed,
 * unless somebody else owns them. Throws an `UntypedValueError` for a configuration that does not have its type.
 */
export function applyConfiguration(apply: TrackedApply): Applied {
  const { kind, live, configuration, applier, time } = apply;
  const isTracked = apply.owners.size > 0 || live === kind.blank;
  const tracked = isTracked ? apply.owners : ownersSoFar(apply);
  checkType(kind.type, configuration, "refused");
  checkType(kind.type, live, "allowed");
  const owners = presentOwners(kind, tracked);
  const id = ownerId(applier);
  const last = owners.get(id);
  const fields = kind.writable(fieldsOfValue(kind.type, configuration), kind.apiVersion);
  const claimed = withOwner(owners, applier, fields, last?.time);
  const merged = mergeApplied(kind.type, live, configuration);
  const value = last === undefined ? merged : withoutAbandoned(kind, merged, claimed, last);
  const { conflicts, others } = shiftOwners(kind, live, value, claimed, id);
  if (conflicts.length > 0 && !apply.force) return { kind: "conflict", conflicts };
  const isSame = deepEqual(value, live);
  const mine = ownable(fields);
  return {
    kind: "applied",
    value: isSame ? live : value,
    owners: mine.isEmpty ? others : withOwner(others, applier, mine, isSame ? last?.time : time),
  };
}

/** An object that was written before anybody's fields were tracked. */
function ownersSoFar({ kind, live, owners, applier, time }: TrackedApply): Owners {
  const writer: OwnerName = { ...applier, manager: BEFORE, operation: "Update" };
  return updateOwners({ kind, before: kind.blank, after: live, owners, writer, time });
}

/** The object without what the applier applied last time and neither it nor anybody else owns now. */
function withoutAbandoned(kind: TrackedKind, merged: JsonValue, owners: Owners, last: Owner): JsonValue {
  const applied = owners.get(ownerId(last));
  // Mostly nothing was abandoned.
  if (applied?.apiVersion === last.apiVersion && last.fields.difference(applied.fields).isEmpty) return merged;
  const then = inVersion(kind, merged, last.apiVersion);
  if (then === undefined) return merged;
  const before = withDeclaredFields(last.fields, then.type);
  const pruned = keepOwned(kind, then, removeFields(then.type, then.value, before), owners, last.apiVersion);
  const gone = declaredFields(then).difference(declaredFields({ type: then.type, value: pruned }));
  return kind.convert(removeFields(then.type, then.value, gone.intersection(before)), kind.apiVersion);
}

function declaredFields({ type, value }: VersionedValue): FieldSet {
  return withDeclaredFields(fieldsOfValue(type, value), type);
}

/** Puts back what was pruned and is owned by somebody. */
function keepOwned(
  kind: TrackedKind,
  merged: VersionedValue,
  pruned: JsonValue,
  owners: Owners,
  version: string,
): JsonValue {
  const versions = [...new Set([version, ...[...owners.values()].map(({ apiVersion }) => apiVersion)])];
  let kept = pruned;
  for (const apiVersion of versions) {
    const [whole, rest] = [inVersion(kind, merged.value, apiVersion), inVersion(kind, kept, apiVersion)];
    if (whole === undefined || rest === undefined) continue;
    const owned = [...owners.values()]
      .filter((owner) => owner.apiVersion === apiVersion)
      .reduce((all, owner) => all.union(owner.fields), FieldSet.empty);
    const wanted = declaredFields(rest).union(withDeclaredFields(owned, whole.type));
    kept = removeFields(whole.type, whole.value, declaredFields(whole).difference(wanted));
  }
  return kept;
}
