import {
  compareValues,
  decodeManagedFields,
  formatFieldPath,
  ManagedFieldsError,
  objectType,
} from "@levelset/core/apply";
import type { FieldPath, FieldSet, FieldManagerEntry } from "@levelset/core/apply";
import type { JsonObject, Kind, KubeObject } from "@levelset/core";

/** How another client reverted a write of this process. */
export type Dispute =
  | {
      readonly kind: "field";
      /** The first field that our write restored: `spec.replicas`. */
      readonly field: string;
      /** Number of further fields that it restored. */
      readonly more: number;
      /**
       * The field manager that had changed it; undefined if managedFields name none, for example because the field was
       * removed.
       */
      readonly manager: string | undefined;
    }
  | { readonly kind: "deleted" };

/** Metadata that clients declare; the server sets the rest. */
const DECLARED_METADATA = ["f:labels", "f:annotations", "f:ownerReferences", "f:finalizers"];

/**
 * Compares an object before and after a write. The difference is what another client reverted since the previous write;
 * undefined if there is none. The managedFields of `before` name the manager of a changed field, because a change takes
 * the field from all other managers. A removed field has no manager.
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
  const field = formatFieldPath(first.path).slice(1);
  return { kind: "field", field, more: found.length - 1, manager: first.manager };
}

/** Describes a dispute over an object. Equal disputes have equal messages, so that repeated Events are counted. */
export function describeDispute(object: string, dispute: Dispute): string {
  if (dispute.kind === "deleted") {
    return `${object} is repeatedly deleted by another client: stop that client, or remove the object from the desired state`;
  }
  const { field, more, manager } = dispute;
  const what = more === 0 ? field : `${field} and ${more} more ${more === 1 ? "field" : "fields"}`;
  if (manager !== undefined) {
    return `${what} of ${object} ${more === 0 ? "is" : "are"} also written by ${manager}: ${HINT}`;
  }
  const reverted = `${what} of ${object} ${more === 0 ? "is" : "are"} reverted by another client`;
  return field.startsWith("metadata.ownerReferences") ? `${reverted}: ${OWNER_HINT}` : `${reverted}: ${HINT}`;
}

const HINT = "remove the field from the desired state, or stop the other writer";
const OWNER_HINT = "the garbage collector removes references to owners that do not exist or are in another namespace";

/** Returns the fields that clients declare: without fields of the server and without the status. */
function declared(kind: Kind, fields: FieldSet): FieldSet {
  const metadata = Object.fromEntries(DECLARED_METADATA.map((name) => [name, "all" as const]));
  const others = fields.elements.filter((name) => !(name === "f:metadata" || (name === "f:status" && kind.hasStatus)));
  return fields.filter({
    ...Object.fromEntries(others.map((name) => [name, "all" as const])),
    "f:metadata": metadata,
  });
}

/** Returns the leaf paths of a set. */
function leavesOf(fields: FieldSet): readonly FieldPath[] {
  return fields.elements.flatMap((element) => leavesBelow(fields.withPrefix(element), [element]));
}

function leavesBelow(below: FieldSet, path: FieldPath): readonly FieldPath[] {
  if (below.isEmpty) return [path];
  return below.elements.flatMap((element) => leavesBelow(below.withPrefix(element), [...path, element]));
}

/** Returns the latest manager that owns a field or a part of it. */
function managerOf(path: FieldPath, owners: readonly FieldManagerEntry[]): string | undefined {
  const holders = owners.filter(({ fields }) => reaches(fields, path));
  const [latest] = holders.toSorted((a, b) => timeOf(b) - timeOf(a));
  return latest?.manager === "" ? undefined : latest?.manager;
}

/** Returns whether a set contains the path, a path below it, or an enclosing list or object as a whole. */
function reaches(fields: FieldSet, [element, ...rest]: FieldPath): boolean {
  if (element === undefined) return true;
  const below = fields.withPrefix(element);
  if (below.isEmpty) return fields.hasElement(element);
  return reaches(below, rest);
}

function timeOf({ time }: FieldManagerEntry): number {
  return time === undefined ? 0 : Date.parse(time);
}

/** Returns no managers if the managedFields entries cannot be decoded. */
function ownersOf({ metadata }: KubeObject): readonly FieldManagerEntry[] {
  try {
    return [...decodeManagedFields(metadata.managedFields).values()];
  } catch (error) {
    if (error instanceof ManagedFieldsError) return [];
    throw error;
  }
}

/** Objects are JSON; interfaces only lack the index signature. */
function jsonOf(object: KubeObject): JsonObject {
  return object as unknown as JsonObject;
}
