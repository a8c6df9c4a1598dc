import { compareCodeUnits, isJsonObject } from "../json/index.ts";
import type { JsonValue } from "../json/index.ts";
import type { ManagedFieldsEntry } from "../object/index.ts";
import type { FieldSet } from "./field-set.ts";
import { decodeFieldsV1, encodeFieldsV1 } from "./fields-v1.ts";

/** The operation that set the fields: an apply, or any other write. */
export type ManagedFieldsOperation = "Apply" | "Update";

/** A field manager: name, operation, version and subresource. */
export interface FieldManager {
  readonly manager: string;
  readonly operation: ManagedFieldsOperation;
  /** The version of the write. Appliers are identified without it. */
  readonly apiVersion: string;
  /** Empty for the object itself. */
  readonly subresource: string;
}

/** A field manager and its fields. */
export interface FieldManagerEntry extends FieldManager {
  readonly fields: FieldSet;
  /** When the fields were last written. */
  readonly time: string | undefined;
}

/** The field managers of an object. Keys identify a manager by name, operation, API version and subresource. */
export type ManagedFields = ReadonlyMap<string, FieldManagerEntry>;

/** Returns a key that identifies and orders managers. */
export function fieldManagerId(owner: FieldManager): string {
  const { manager, operation, apiVersion, subresource } = owner;
  return JSON.stringify({
    manager: manager === "" ? undefined : manager,
    operation,
    apiVersion: operation === "Apply" ? undefined : apiVersion,
    subresource: subresource === "" ? undefined : subresource,
  });
}

/** Malformed managedFields. */
export class ManagedFieldsError extends Error {
  override readonly name: string = "ManagedFieldsError";
}

const decoded = new WeakMap<readonly ManagedFieldsEntry[], ManagedFields>();

/** Decodes managedFields. Throws a `ManagedFieldsError`. The result for frozen lists is cached. */
export function decodeManagedFields(entries: readonly ManagedFieldsEntry[] = []): ManagedFields {
  const known = decoded.get(entries);
  if (known !== undefined) return known;
  const owners = new Map(
    entries.map((entry, index) => {
      const owner = decodeOwner(entry, index);
      return [fieldManagerId(owner), owner];
    }),
  );
  if (Object.isFrozen(entries)) decoded.set(entries, owners);
  return owners;
}

function decodeOwner(entry: ManagedFieldsEntry, index: number): FieldManagerEntry {
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
    // Entries are parsed from JSON.
    return decodeFieldsV1(fields as JsonValue);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ManagedFieldsError(`error decoding fieldsV1 of managed fields entry ${index}: ${error.message}`);
  }
}

/** Encodes managers as managedFields: appliers first, then by time and name. */
export function encodeManagedFields(owners: ManagedFields): readonly ManagedFieldsEntry[] {
  return [...owners.values()].toSorted(compareOwners).map((owner) => ({
    ...(owner.manager === "" ? {} : { manager: owner.manager }),
    operation: owner.operation,
    apiVersion: owner.apiVersion,
    ...(owner.time === undefined ? {} : { time: owner.time }),
    fieldsType: "FieldsV1",
    fieldsV1: encodeFieldsV1(owner.fields),
    ...(owner.subresource === "" ? {} : { subresource: owner.subresource }),
  }));
}

function compareOwners(a: FieldManagerEntry, b: FieldManagerEntry): number {
  return (
    compareCodeUnits(a.operation, b.operation) ||
    managerSeconds(a) - managerSeconds(b) ||
    compareCodeUnits(a.manager, b.manager) ||
    compareCodeUnits(a.apiVersion, b.apiVersion) ||
    compareCodeUnits(a.subresource, b.subresource)
  );
}

/** Returns the time of a manager in whole seconds; managers without a time sort first. */
export function managerSeconds(owner: FieldManagerEntry): number {
  return owner.time === undefined ? 0 : Math.floor(Date.parse(owner.time) / 1000);
}

/**
 * Reports whether managedFields of a request reset all managers: an empty list, or one empty entry (docs: Server-Side
 * Apply, "Clearing managedFields").
 */
export function isManagedFieldsReset(entries: readonly ManagedFieldsEntry[] | undefined): boolean {
  if (entries === undefined) return false;
  const [first, ...others] = entries;
  return first === undefined || (others.length === 0 && isJsonObject(first) && Object.keys(first).length === 0);
}
