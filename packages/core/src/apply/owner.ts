import { compareTexts, isJsonObject } from "../json/index.ts";
import type { JsonValue } from "../json/index.ts";
import type { ManagedFieldsEntry } from "../object/index.ts";
import type { FieldSet } from "./field-set.ts";
import { decodeFields, encodeFields } from "./fields-v1.ts";

/** How fields came to be owned: by an applied configuration, or by any other write. */
export type Operation = "Apply" | "Update";

/** Who owns something: a manager, in one way, through one path of the API. */
export interface OwnerName {
  readonly manager: string;
  readonly operation: Operation;
  /** The version of the write. An applier is the same in all versions. */
  readonly apiVersion: string;
  /** Empty for the object itself. */
  readonly subresource: string;
}

/** An owner and what it owns. */
export interface Owner extends OwnerName {
  readonly fields: FieldSet;
  /** When the fields were last written. */
  readonly time: string | undefined;
}

/** The owners of an object's fields, by `ownerId`. */
export type Owners = ReadonlyMap<string, Owner>;

/** Tells owners apart, and orders them. */
export function ownerId(owner: OwnerName): string {
  const { manager, operation, apiVersion, subresource } = owner;
  return JSON.stringify({
    manager: manager === "" ? undefined : manager,
    operation,
    apiVersion: operation === "Apply" ? undefined : apiVersion,
    subresource: subresource === "" ? undefined : subresource,
  });
}

/** managedFields that cannot be read. */
export class ManagedFieldsError extends Error {
  override readonly name: string = "ManagedFieldsError";
}

const decoded = new WeakMap<readonly ManagedFieldsEntry[], Owners>();

/** The owners that managedFields name. Throws a `ManagedFieldsError`. Frozen lists are read once. */
export function decodeOwners(entries: readonly ManagedFieldsEntry[] = []): Owners {
  const known = decoded.get(entries);
  if (known !== undefined) return known;
  const owners = new Map(
    entries.map((entry, index) => {
      const owner = decodeOwner(entry, index);
      return [ownerId(owner), owner];
    }),
  );
  if (Object.isFrozen(entries)) decoded.set(entries, owners);
  return owners;
}

function decodeOwner(entry: ManagedFieldsEntry, index: number): Owner {
  const { manager = "", operation, apiVersion = "", subresource = "", fieldsType = "", fieldsV1 = {}, time } = entry;
  if (operation !== "Apply" && operation !== "Update") {
    throw new ManagedFieldsError("operation must be `Apply` or `Update`");
  }
  if (apiVersion === "") throw new ManagedFieldsError("apiVersion must not be empty");
  if (fieldsType === "") throw new ManagedFieldsError(`missing fieldsType in managed fields entry ${index}`);
  if (fieldsType !== "FieldsV1") {
    throw new ManagedFieldsError(`invalid fieldsType ${JSON.stringify(fieldsType)} in managed fields entry ${index}`);
  }
  return { manager, operation, apiVersion, subresource, time, fields: readFields(fieldsV1, index) };
}

function readFields(fields: unknown, index: number): FieldSet {
  try {
    // Entries came from JSON and are nothing else.
    return decodeFields(fields as JsonValue);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ManagedFieldsError(`error decoding fieldsV1 of managed fields entry ${index}: ${error.message}`);
  }
}

/** The owners as managedFields: appliers first, then by time and name. */
export function encodeOwners(owners: Owners): readonly ManagedFieldsEntry[] {
  return [...owners.values()].toSorted(compareOwners).map((owner) => ({
    ...(owner.manager === "" ? {} : { manager: owner.manager }),
    operation: owner.operation,
    apiVersion: owner.apiVersion,
    ...(owner.time === undefined ? {} : { time: owner.time }),
    fieldsType: "FieldsV1",
    fieldsV1: encodeFields(owner.fields),
    ...(owner.subresource === "" ? {} : { subresource: owner.subresource }),
  }));
}

function compareOwners(a: Owner, b: Owner): number {
  return (
    compareTexts(a.operation, b.operation) ||
    secondsOf(a) - secondsOf(b) ||
    compareTexts(a.manager, b.manager) ||
    compareTexts(a.apiVersion, b.apiVersion) ||
    compareTexts(a.subresource, b.subresource)
  );
}

/** The time of an owner in whole seconds; those without one come first. */
export function secondsOf(owner: Owner): number {
  return owner.time === undefined ? 0 : Math.floor(Date.parse(owner.time) / 1000);
}

/** Whether managedFields of a request ask to forget all owners: an empty list, or one with an empty entry. */
export function isReset(entries: readonly ManagedFieldsEntry[] | undefined): boolean {
  if (entries === undefined) return false;
  const [first, ...others] = entries;
  return first === undefined || (others.length === 0 && isJsonObject(first) && Object.keys(first).length === 0);
}
