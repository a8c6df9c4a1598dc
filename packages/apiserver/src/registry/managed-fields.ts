import {
  decodeOwners,
  deepEqual,
  encodeOwners,
  FieldSet,
  isReset,
  ManagedFieldsError,
  objectType,
  ownerId,
  UntypedValueError,
  updateOwners,
} from "@levelset/core";
import type {
  FieldPattern,
  JsonValue,
  ManagedFieldsEntry,
  ObjectMeta,
  Operation,
  OwnerName,
  Owners,
  TrackedKind,
} from "@levelset/core";
import type { ApiObject } from "../store/index.ts";
import { blankOf } from "./blank.ts";
import type { Draft } from "./draft.ts";
import type { Resource } from "./resource.ts";
import { resourceApiVersion } from "./resource.ts";
import type { Subresource } from "./subresource/part.ts";

/** A write whose owner is kept track of. */
export interface OwnedWrite {
  readonly resource: Resource;
  /** The resource in another of its versions; undefined when there is none. */
  readonly inVersion: (apiVersion: string) => Resource | undefined;
  readonly subresource: Subresource;
  /** The writer's name; empty where it has none. */
  readonly manager: string;
  /** Now, as Kubernetes writes it. */
  readonly now: string;
}

const STATUS = FieldSet.of(["f:status"]);
const SPEC = FieldSet.of(["f:spec"]);
const SPEC_AND_METADATA = FieldSet.of(["f:spec"], ["f:metadata"]);

/** Built-in kinds whose writers of status leave more than the spec alone. */
const BESIDE_STATUS: Readonly<Record<string, FieldSet>> = {
  "deployments.apps": FieldSet.of(["f:spec"], ["f:metadata", "f:labels"]),
  pods: FieldSet.of(["f:spec"], ["f:metadata", "f:deletionTimestamp"], ["f:metadata", "f:ownerReferences"]),
  "validatingadmissionpolicies.admissionregistration.k8s.io": SPEC_AND_METADATA,
};

const RESIZABLE: FieldPattern = { "*": { "f:resources": "all", "f:resizePolicy": "all" } };

/** Parts that change a few fields only. */
const PARTS: Readonly<Record<string, FieldPattern>> = {
  ephemeralcontainers: { "f:spec": { "f:ephemeralContainers": "all" } },
  resize: { "f:spec": { "f:containers": RESIZABLE, "f:initContainers": RESIZABLE } },
};

function writable(resource: Resource, subresource: Subresource, fields: FieldSet): FieldSet {
  switch (subresource) {
    case undefined:
    case "finalize":
      return resource.hasStatus ? fields.without(STATUS) : fields;
    case "status":
      return fields.without(resource.custom ? SPEC_AND_METADATA : (BESIDE_STATUS[resource.id] ?? SPEC));
    case "scale":
      return fields;
    default:
      return fields.matching(PARTS[subresource] ?? "all");
  }
}

/** What core needs to know to track a write. */
export function trackedKind(write: OwnedWrite): TrackedKind {
  const { resource, subresource } = write;
  const apiVersion = resourceApiVersion(resource);
  const type = objectType(resource.bodySchema);
  return {
    apiVersion,
    type,
    blank: blankOf(resource),
    typeIn: (version) => {
      if (version === apiVersion) return type;
      const other = write.inVersion(version);
      return other === undefined ? undefined : objectType(other.bodySchema);
    },
    // An object of any version is an object; versions differ in nothing but their name and their schema.
    convert: (value, version) => ({ ...(value as Readonly<Record<string, JsonValue>>), apiVersion: version }),
    // The status of another version is not known to be out of reach of a write to the object itself.
    writable: (fields, version) =>
      version === apiVersion || subresource === "status" ? writable(resource, subresource, fields) : fields,
  };
}

/** The owner that a write makes. */
export function ownerOf(write: OwnedWrite, operation: Operation): OwnerName {
  return {
    manager: write.manager === "" ? "unknown" : write.manager,
    operation,
    apiVersion: resourceApiVersion(write.resource),
    subresource: write.subresource ?? "",
  };
}

/** An object without what is said about its owners. */
export function withoutOwners(object: ApiObject): JsonValue {
  const { managedFields: _m, ...metadata } = object.metadata;
  // Objects came from JSON and are nothing else.
  return { ...object, metadata } as unknown as JsonValue;
}

/** The same for an object that a writer gave. Empty parts of metadata are as good as absent. */
function draftWithoutOwners(draft: Draft): JsonValue {
  const metadata = Object.entries(draft.metadata).filter(
    ([name, value]) => name !== "managedFields" && value !== "" && !isEmpty(value),
  );
  // Drafts came from JSON and are nothing else.
  return { ...draft, metadata: Object.fromEntries(metadata) } as unknown as JsonValue;
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** The managedFields of a new object. */
export function ownersOfNew(write: OwnedWrite, draft: Draft): readonly ManagedFieldsEntry[] {
  const { deletionTimestamp: _t, deletionGracePeriodSeconds: _g, ...metadata } = draft.metadata;
  const kind = trackedKind(write);
  return tracked(write, kind.blank, { ...draft, metadata }, requested(draft, undefined), kind);
}

/** The managedFields of an object that a writer wants to be as in the draft. */
export function ownersOfChanged(write: OwnedWrite, old: ApiObject, draft: Draft): readonly ManagedFieldsEntry[] {
  const owners = write.subresource === undefined ? requested(draft, old) : liveOwners(old);
  // Nobody tracks an object whose owners were forgotten, until somebody applies to it.
  if (owners.size === 0) return [];
  // Who scales what nobody owns does not come to own it either.
  if (write.subresource === "scale" && !isReplicasOwned(write.resource, owners))
    return old.metadata.managedFields ?? [];
  return tracked(write, withoutOwners(old), draft, owners, trackedKind(write));
}

function tracked(
  write: OwnedWrite,
  before: JsonValue,
  draft: Draft,
  owners: Owners,
  kind: TrackedKind,
): readonly ManagedFieldsEntry[] {
  const writer = ownerOf(write, "Update");
  const update = { kind, before, after: draftWithoutOwners(draft), owners, writer, time: write.now };
  try {
    const next = updateOwners(update);
    return encodeOwners(write.subresource === "scale" ? timeless(next, writer, write.now) : next);
  } catch (error) {
    // Better no owners than wrong ones; the write itself is good.
    if (error instanceof UntypedValueError) return [];
    throw error;
  }
}

function isReplicasOwned(resource: Resource, owners: Owners): boolean {
  const path = (resource.scale?.specReplicasPath ?? ".spec.replicas")
    .split(".")
    .slice(1)
    .map((name) => `f:${name}`);
  return [...owners.values()].some(({ fields }) => fields.has(path));
}

/** The real server does not note when somebody scaled. */
function timeless(owners: Owners, writer: OwnerName, now: string): Owners {
  const id = ownerId(writer);
  const owner = owners.get(id);
  return owner?.time === now ? new Map(owners).set(id, { ...owner, time: undefined }) : owners;
}

/** The owners that a request names, or those that the object has where it names none that can be read. */
function requested(draft: Draft, old: ApiObject | undefined): Owners {
  const { managedFields } = draft.metadata;
  if (isReset(managedFields)) return new Map();
  const named = managedFields === undefined ? undefined : readOwners(managedFields);
  return named === undefined || named.size === 0 ? liveOwners(old) : named;
}

/** The owners that an object has. */
function liveOwners(old: ApiObject | undefined): Owners {
  return readOwners(old?.metadata.managedFields) ?? new Map();
}

function readOwners(entries: readonly ManagedFieldsEntry[] | undefined): Owners | undefined {
  try {
    return decodeOwners(entries);
  } catch (error) {
    if (error instanceof ManagedFieldsError) return undefined;
    throw error;
  }
}

/**
 * An object with these owners. Times that are all that is new about it stay as they were, so that a write that changes nothing is no
 * write.
 */
export function withOwners(
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
  // The spread keeps all that metadata must have.
  const metadata = rest as ObjectMeta;
  return { ...object, metadata: entries.length === 0 ? metadata : { ...metadata, managedFields: entries } };
}

function isSameButTimes(a: readonly ManagedFieldsEntry[], b: readonly ManagedFieldsEntry[]): boolean {
  const timelessEntries = (entries: readonly ManagedFieldsEntry[]): unknown =>
    entries.map(({ time: _t, ...rest }) => rest);
  if (a.length !== b.length || a.every((entry, index) => entry.time === b[index]?.time)) return false;
  return deepEqual(timelessEntries(a), timelessEntries(b));
}
