import { compareValues, decodeOwners, describePath, ManagedFieldsError, objectType } from "@levelset/core";
import type { FieldPath, FieldSet, JsonObject, Kind, KubeObject, Owner } from "@levelset/core";

/** How another client undid a write of ours. */
export type Dispute =
  | {
      readonly kind: "field";
      /** The first field that our write put back: `spec.replicas`. */
      readonly field: string;
      /** How many others it put back. */
      readonly more: number;
      /** The field manager that had changed it; undefined where managedFields name none, as for a field that was removed. */
      readonly manager: string | undefined;
    }
  | { readonly kind: "deleted" };

/** What of metadata a client declares; the rest is the server's. */
const DECLARED_METADATA = ["f:labels", "f:annotations", "f:ownerReferences", "f:finalizers"];

/**
 * How a write differs from what it found, which is how the write before it was undone; undefined where it changed nothing. The managedFields
 * of `before` name the manager of a field that was changed: a change takes the field from every other manager. A removed field has none.
 */
export function disputeOf(kind: Kind, before: KubeObject | undefined, after: KubeObject): Dispute | undefined {
  if (before === undefined || before.metadata.uid !== after.metadata.uid) return { kind: "deleted" };
  const { added, modified, removed } = compareValues(objectType(kind.schema), jsonOf(before), jsonOf(after));
  const owners = ownersOf(before);
  const changed = leavesOf(declared(kind, modified.union(removed)));
  const found = [
    ...changed.map((path) => ({ path, manager: managerOf(path, owners) })),
    ...leavesOf(declared(kind, added)).map((path) => ({ path, manager: undefined })),
  ];
  const first = found.find(({ manager }) => manager !== undefined) ?? found[0];
  if (first === undefined) return undefined;
  const field = describePath(first.path).slice(1);
  return { kind: "field", field, more: found.length - 1, manager: first.manager };
}

/** A dispute over an object, for people. The same each time, so that Events are counted instead of piled up. */
export function describeDispute(object: string, dispute: Dispute): string {
  if (dispute.kind === "deleted") {
    return `${object} is deleted again and again by another client: stop that client, or do not ask for the object`;
  }
  const { field, more, manager } = dispute;
  const what = more === 0 ? field : `${field} and ${more} more ${more === 1 ? "field" : "fields"}`;
  if (manager !== undefined) {
    return `${what} of ${object} ${more === 0 ? "is" : "are"} also written by ${manager}: ${HINT}`;
  }
  const back = `${what} of ${object} ${more === 0 ? "is" : "are"} changed back by another client`;
  return field.startsWith("metadata.ownerReferences") ? `${back}: ${OWNER_HINT}` : `${back}: ${HINT}`;
}

const HINT = "leave the field out of what is applied here, or stop the other writer";
const OWNER_HINT = "the garbage collector removes references to owners that do not exist or live in another namespace";

/** The fields that a client declares: neither the server's bookkeeping nor the status that others report. */
function declared(kind: Kind, fields: FieldSet): FieldSet {
  const metadata = Object.fromEntries(DECLARED_METADATA.map((name) => [name, "all" as const]));
  const others = fields.elements.filter((name) => !(name === "f:metadata" || (name === "f:status" && kind.hasStatus)));
  return fields.matching({
    ...Object.fromEntries(others.map((name) => [name, "all" as const])),
    "f:metadata": metadata,
  });
}

/** The paths of a set that hold no other of its paths. */
function leavesOf(fields: FieldSet): readonly FieldPath[] {
  return fields.elements.flatMap((element) => leavesBelow(fields.below(element), [element]));
}

function leavesBelow(below: FieldSet, path: FieldPath): readonly FieldPath[] {
  if (below.isEmpty) return [path];
  return below.elements.flatMap((element) => leavesBelow(below.below(element), [...path, element]));
}

/** The manager that owns a field or something in it, the latest of them. */
function managerOf(path: FieldPath, owners: readonly Owner[]): string | undefined {
  const holders = owners.filter(({ fields }) => reaches(fields, path));
  const [latest] = holders.toSorted((a, b) => timeOf(b) - timeOf(a));
  return latest?.manager === "" ? undefined : latest?.manager;
}

/** Whether a set has the path, a path in it, or the list or object around it as a whole. */
function reaches(fields: FieldSet, [element, ...rest]: FieldPath): boolean {
  if (element === undefined) return true;
  const below = fields.below(element);
  if (below.isEmpty) return fields.hasElement(element);
  return reaches(below, rest);
}

function timeOf({ time }: Owner): number {
  return time === undefined ? 0 : Date.parse(time);
}

/** Other servers may keep entries that cannot be read; they name no manager. */
function ownersOf({ metadata }: KubeObject): readonly Owner[] {
  try {
    return [...decodeOwners(metadata.managedFields).values()];
  } catch (error) {
    if (error instanceof ManagedFieldsError) return [];
    throw error;
  }
}

/** Objects are JSON; interfaces only lack the index signature. */
function jsonOf(object: KubeObject): JsonObject {
  return object as unknown as JsonObject;
}
