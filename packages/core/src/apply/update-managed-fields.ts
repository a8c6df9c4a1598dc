import { compareCodeUnits } from "../json/index.ts";
import type { JsonValue } from "../json/index.ts";
import { checkType } from "./check-type.ts";
import { fieldManagerId, managerSeconds } from "./managed-fields.ts";
import type { FieldManagerEntry, FieldManager, ManagedFields } from "./managed-fields.ts";
import { stripMeta, reconcileManagedFields, computeOwnershipChange, withManager } from "./ownership.ts";
import type { TypeConverter } from "./ownership.ts";

/** Input of {@link updateManagedFields}: a create, update or patch. */
export interface UpdateInput {
  readonly converter: TypeConverter;
  /** The object before the write; the zero value on create. */
  readonly before: JsonValue;
  /** The object after the write. Both are without managedFields. */
  readonly after: JsonValue;
  readonly managedFields: ManagedFields;
  readonly manager: FieldManager;
  readonly time: string;
}

/**
 * Maximum number of update managers (`DefaultMaxUpdateManagers`, k8s.io/apimachinery/pkg/util/managedfields/internal).
 */
const UPDATERS_MAX = 10;
const ANCIENT = "ancient-changes";

/**
 * Returns the managers after a write. The writer owns the fields it changed; removed fields are dropped. If the write
 * changes nothing, managers and timestamps are unchanged. Throws a `TypeMismatchError`.
 */
export function updateManagedFields(update: UpdateInput): ManagedFields {
  const { converter, after, manager, time } = update;
  checkType(converter.type, after, "allowed");
  checkType(converter.type, update.before, "allowed");
  const owners = reconcileManagedFields(converter, update.managedFields);
  // The writer's earlier entry is treated like any other: changed fields move to the new entry.
  const { comparison, others } = computeOwnershipChange(converter, update.before, after, owners, undefined);
  const { modified, added } = comparison();
  const changed = stripMeta(modified.union(added));
  if (changed.isEmpty) return others;
  const id = fieldManagerId(manager);
  const [before, left] = [owners.get(id)?.fields, others.get(id)?.fields];
  const fields = left === undefined ? changed : changed.union(left);
  // Most writes change fields that the writer owns already: the same set is neither encoded nor decoded again.
  return withoutAncient(withManager(others, manager, before?.equals(fields) === true ? before : fields, time));
}

/** Merges the oldest update managers into one per version until the limit is met. */
function withoutAncient(owners: ManagedFields): ManagedFields {
  const updaters = [...owners].filter(([, { operation }]) => operation === "Update");
  if (updaters.length <= UPDATERS_MAX) return owners;
  const kept = new Map(owners);
  const firsts = new Map<string, string>();
  let count = updaters.length;
  for (const [id, owner] of updaters.toSorted(byAge)) {
    if (count <= UPDATERS_MAX) break;
    const first = firsts.get(owner.apiVersion);
    if (first === undefined) {
      firsts.set(owner.apiVersion, id);
      continue;
    }
    const ancient: FieldManager = {
      manager: ANCIENT,
      operation: "Update",
      apiVersion: owner.apiVersion,
      subresource: "",
    };
    const bucket = fieldManagerId(ancient);
    const older = kept.get(bucket) ?? kept.get(first);
    if (!kept.has(bucket)) kept.delete(first);
    const fields = older === undefined ? owner.fields : owner.fields.union(older.fields);
    kept.set(bucket, { ...ancient, fields, time: owner.time });
    // Like kube-apiserver, this drops merged managers that sort after another of the same second.
    kept.delete(id);
    count--;
  }
  return kept;
}

function byAge(
  [a, first]: readonly [string, FieldManagerEntry],
  [b, second]: readonly [string, FieldManagerEntry],
): number {
  return managerSeconds(first) - managerSeconds(second) || compareCodeUnits(a, b);
}
