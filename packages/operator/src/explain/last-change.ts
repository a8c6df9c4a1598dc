import { decodeOwners, describePath, ManagedFieldsError } from "@levelset/core";
import type { FieldPath, FieldSet, KubeObject, Owner } from "@levelset/core";
import type { ChangeNote } from "./tree.ts";

/** What is no part of what people declare. */
const NOT_DECLARED = ["f:metadata", "f:status", "f:apiVersion", "f:kind"];
/** How many fields are named. */
const FIELDS_MAX = 3;

/** Who last changed what an object declares, and which fields; undefined when the object does not tell. */
export function lastChange(object: KubeObject): ChangeNote | undefined {
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
    fields: fields.slice(0, FIELDS_MAX).map(describePath),
    left: Math.max(0, fields.length - FIELDS_MAX),
  };
}

/** Other servers may keep entries that we cannot read; these tell nothing. */
function ownersOf(object: KubeObject): readonly Owner[] {
  try {
    return [...decodeOwners(object.metadata.managedFields).values()];
  } catch (error) {
    if (error instanceof ManagedFieldsError) return [];
    throw error;
  }
}

/** The declared fields of a set: those that hold no other of its fields. */
function leavesOf(fields: FieldSet): readonly FieldPath[] {
  return fields.elements
    .filter((element) => !NOT_DECLARED.includes(element))
    .flatMap((element) => leavesBelow(fields, [element]));
}

function leavesBelow(fields: FieldSet, path: FieldPath): readonly FieldPath[] {
  const below = path.reduce((set, element) => set.below(element), fields);
  return below.isEmpty ? [path] : below.elements.flatMap((element) => leavesBelow(fields, [...path, element]));
}
