import {
  decodeManagedFields,
  encodeManagedFields,
  FieldSet,
  ManagedFieldsError,
  objectType,
  TypeMismatchError,
  updateManagedFields,
} from "@levelset/core/apply";
import { deepEqual, isManagedFieldsReset, fieldManagerId } from "@levelset/core/internal";
import type { JsonValue, ManagedFieldsEntry, ObjectMeta } from "@levelset/core";
import type { ManagedFieldsOperation, FieldManager, ManagedFields, TypeConverter } from "@levelset/core/apply";
import type { ApiObject } from "../store/index.ts";
import type { UnvalidatedObject, Resource, WritableSubresource } from "../resource/index.ts";
import { resourceApiVersion, subresourceStrategyOf } from "../resource/index.ts";
import { settleManagedFields } from "./decode.ts";

/** A write for which field ownership is tracked. */
export interface ManagedWrite {
  readonly resource: Resource;
  /** Returns the resource in another version; undefined if it is not served. */
  readonly inVersion: (apiVersion: string) => Resource | undefined;
  readonly subresource: WritableSubresource | undefined;
  /** Name of the field manager; may be empty. */
  readonly manager: string;
  /** Current time in RFC 3339 format. */
  readonly now: string;
}

const STATUS = FieldSet.of(["f:status"]);

function writable(resource: Resource, subresource: WritableSubresource | undefined, fields: FieldSet): FieldSet {
  if (subresource === "scale") return fields;
  if (subresource === "status") return fields.recursiveDifference(resource.statusResetFields);
  const pattern = subresourceStrategyOf(resource, subresource)?.fields;
  if (pattern !== undefined) return fields.filter(pattern);
  return resource.hasStatus ? fields.recursiveDifference(STATUS) : fields;
}

/** Returns the type converter that core needs to track a write. */
export function typeConverterOf(write: ManagedWrite): TypeConverter {
  const { resource, subresource } = write;
  const apiVersion = resourceApiVersion(resource);
  const type = objectType(resource.bodySchema);
  return {
    apiVersion,
    type,
    zeroValue: resource.zeroValue,
    typeForVersion: (version) => {
      if (version === apiVersion) return type;
      const other = write.inVersion(version);
      return other === undefined ? undefined : objectType(other.bodySchema);
    },
    // Versions differ only in apiVersion and schema, so conversion replaces apiVersion.
    convert: (value, version) => ({ ...(value as Readonly<Record<string, JsonValue>>), apiVersion: version }),
    // Only the version of the request is filtered; the reset fields of other versions are unknown here.
    filterFields: (fields, version) =>
      version === apiVersion || subresource === "status" ? writable(resource, subresource, fields) : fields,
  };
}

/** Returns the field manager of a write. */
export function fieldManagerOfWrite(write: ManagedWrite, operation: ManagedFieldsOperation): FieldManager {
  return {
    manager: write.manager === "" ? "unknown" : write.manager,
    operation,
    apiVersion: resourceApiVersion(write.resource),
    subresource: write.subresource ?? "",
  };
}

/** Returns an object without its managedFields. */
export function withoutManagedFields(object: ApiObject): JsonValue {
  const { managedFields: _m, ...metadata } = object.metadata;
  // Objects consist of JSON only.
  return { ...object, metadata } as unknown as JsonValue;
}

/** Returns a draft without its managedFields and without empty metadata fields. */
function draftWithoutOwners(draft: UnvalidatedObject): JsonValue {
  const metadata = Object.entries(draft.metadata).filter(
    ([name, value]) => name !== "managedFields" && value !== "" && !isEmpty(value),
  );
  // Drafts consist of JSON only.
  return { ...draft, metadata: Object.fromEntries(metadata) } as unknown as JsonValue;
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** Returns the managedFields of a new object. */
export function managedFieldsOnCreate(write: ManagedWrite, draft: UnvalidatedObject): readonly ManagedFieldsEntry[] {
  const { deletionTimestamp: _t, deletionGracePeriodSeconds: _g, ...metadata } = draft.metadata;
  const kind = typeConverterOf(write);
  return tracked(write, kind.zeroValue, { ...draft, metadata }, requested(draft, undefined), kind);
}

/** Returns the managedFields of an object after an update to the draft. */
export function managedFieldsOnUpdate(
  write: ManagedWrite,
  old: ApiObject,
  draft: UnvalidatedObject,
): readonly ManagedFieldsEntry[] {
  const owners = write.subresource === undefined ? requested(draft, old) : liveOwners(old);
  // After managedFields are cleared, updates are not tracked until the next apply.
  if (owners.size === 0) return [];
  // A scale update does not take ownership of replicas if the field has no manager.
  if (write.subresource === "scale" && !isReplicasOwned(write.resource, owners))
    return old.metadata.managedFields ?? [];
  return tracked(write, withoutManagedFields(old), draft, owners, typeConverterOf(write));
}

function tracked(
  write: ManagedWrite,
  before: JsonValue,
  draft: UnvalidatedObject,
  owners: ManagedFields,
  kind: TypeConverter,
): readonly ManagedFieldsEntry[] {
  const writer = fieldManagerOfWrite(write, "Update");
  const update = {
    converter: kind,
    before,
    after: draftWithoutOwners(draft),
    managedFields: owners,
    manager: writer,
    time: write.now,
  };
  try {
    const next = updateManagedFields(update);
    return encodeManagedFields(write.subresource === "scale" ? timeless(next, writer, write.now) : next);
  } catch (error) {
    // The write is valid; dropping managedFields is safer than storing wrong ones.
    if (error instanceof TypeMismatchError) return [];
    throw error;
  }
}

function isReplicasOwned(resource: Resource, owners: ManagedFields): boolean {
  const path = (resource.scale?.specReplicasPath ?? ".spec.replicas")
    .split(".")
    .slice(1)
    .map((name) => `f:${name}`);
  return [...owners.values()].some(({ fields }) => fields.has(path));
}

/** Removes the time from the manager's entry: entries made through the scale subresource have none. */
function timeless(owners: ManagedFields, writer: FieldManager, now: string): ManagedFields {
  const id = fieldManagerId(writer);
  const owner = owners.get(id);
  return owner?.time === now ? new Map(owners).set(id, { ...owner, time: undefined }) : owners;
}

/** Returns the managers in the request, or those of the stored object if the request has none or invalid ones. */
function requested(draft: UnvalidatedObject, old: ApiObject | undefined): ManagedFields {
  const { managedFields } = draft.metadata;
  if (isManagedFieldsReset(managedFields)) return new Map();
  const named = managedFields === undefined ? undefined : readOwners(managedFields);
  return named === undefined || named.size === 0 ? liveOwners(old) : named;
}

/** Returns the managers of the stored object. */
function liveOwners(old: ApiObject | undefined): ManagedFields {
  return readOwners(old?.metadata.managedFields) ?? new Map();
}

function readOwners(entries: readonly ManagedFieldsEntry[] | undefined): ManagedFields | undefined {
  try {
    return decodeManagedFields(entries);
  } catch (error) {
    if (error instanceof ManagedFieldsError) return undefined;
    throw error;
  }
}

/**
 * Returns the object with the given managedFields. If only the times of managedFields would change, the old times stay,
 * so that an unchanged object is not written.
 */
export function withManagedFields(
  object: ApiObject,
  entries: readonly ManagedFieldsEntry[],
  old: ApiObject | undefined,
): ApiObject {
  const owned = withEntries(object, entries);
  const before = old?.metadata.managedFields ?? [];
  if (old === undefined || !isSameButTimes(before, entries)) return owned;
  const settled = withEntries(object, before);
  return deepEqual(settled, old) ? settled : owned;
}

function withEntries(object: ApiObject, entries: readonly ManagedFieldsEntry[]): ApiObject {
  const { managedFields: _m, ...rest } = object.metadata;
  // The spread preserves the required fields of metadata.
  const metadata = rest as ObjectMeta;
  settleManagedFields(entries);
  return { ...object, metadata: entries.length === 0 ? metadata : { ...metadata, managedFields: entries } };
}

function isSameButTimes(a: readonly ManagedFieldsEntry[], b: readonly ManagedFieldsEntry[]): boolean {
  const timelessEntries = (entries: readonly ManagedFieldsEntry[]): unknown =>
    entries.map(({ time: _t, ...rest }) => rest);
  if (a.length !== b.length || a.every((entry, index) => entry.time === b[index]?.time)) return false;
  return deepEqual(timelessEntries(a), timelessEntries(b));
}
