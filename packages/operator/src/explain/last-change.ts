import { decodeManagedFields, formatFieldPath, ManagedFieldsError } from "@levelset/core/apply";
import type { FieldPath, FieldSet, FieldManagerEntry } from "@levelset/core/apply";
import type { KubeObject } from "@levelset/core";
import type { LastChange } from "./tree.ts";

/** Fields that are not part of the declared state. */
const NOT_DECLARED = ["f:metadata", "f:status", "f:apiVersion", "f:kind"];
/** Maximum number of reported fields. */
const FIELDS_MAX = 3;

/**
 * Returns the manager and the fields of the last change of the declared state; undefined if managedFields do not show
 * it.
 */
export function lastChange(object: KubeObject): LastChange | undefined {
  const declared = ownersOf(object)
    .filter(({ subresource }) => subresource === "")
    .flatMap((owner) => {
      const fields = leavesOf(owner.fields);
      return owner.time === undefined || fields.length === 0 ? [] : [{ owner, at: owner.time, fields }];
    });
  const [latest, ...others] = declared.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
  if (latest === undefined) return undefined;
  const { owner, at, fields } = latest;
  return {
    manager: owner.manager,
    at,
    created: others.length === 0 && at === object.metadata.creationTimestamp,
    fields: fields.slice(0, FIELDS_MAX).map(formatFieldPath),
    left: Math.max(0, fields.length - FIELDS_MAX),
  };
}

/** Returns the readable managedFields entries; invalid ones are ignored. */
function ownersOf(object: KubeObject): readonly FieldManagerEntry[] {
  try {
    return [...decodeManagedFields(object.metadata.managedFields).values()];
  } catch (error) {
    if (error instanceof ManagedFieldsError) return [];
    throw error;
  }
}

/** Returns the leaf fields of a set that are part of the declared state. */
function leavesOf(fields: FieldSet): readonly FieldPath[] {
  return fields.elements
    .filter((element) => !NOT_DECLARED.includes(element))
    .flatMap((element) => leavesBelow(fields, [element]));
}

function leavesBelow(fields: FieldSet, path: FieldPath): readonly FieldPath[] {
  const below = path.reduce((set, element) => set.withPrefix(element), fields);
  return below.isEmpty ? [path] : below.elements.flatMap((element) => leavesBelow(fields, [...path, element]));
}
