import {
  applyWithLastApplied,
  decodeManagedFields,
  formatConflicts,
  encodeManagedFields,
  ManagedFieldsError,
  TypeMismatchError,
} from "@levelset/core/apply";
import { conflictCause, mapJsonArray, mapJsonObject } from "@levelset/core/internal";
import { isJsonObject, StatusError } from "@levelset/core";
import type { ApplyResult, ManagedFields } from "@levelset/core/apply";
import type { JsonObject, JsonValue, ManagedFieldsEntry } from "@levelset/core";
import type { ApiObject } from "../store/index.ts";
import { decodeObject } from "./decode.ts";
import type { DecodeResult } from "./decode.ts";
import type { UnvalidatedObject, Alias, Resource } from "../resource/index.ts";
import { badRequestError, resourceApiVersion, asRecord } from "../resource/index.ts";
import { fieldManagerOfWrite, typeConverterOf, withoutManagedFields } from "./managed-fields.ts";
import type { ManagedWrite } from "./managed-fields.ts";

/** Result of applying a configuration to an object, before decoding and validation, and its field managers. */
export interface MergedObject {
  readonly value: JsonValue;
  readonly managedFields: readonly ManagedFieldsEntry[];
}

/**
 * Decodes the merged object of an apply. For custom resources, nulls are validated before they are dropped: the object
 * is invalid where the schema requires a value.
 */
export function decodeMerged(
  resource: Resource,
  value: JsonValue,
  check: (draft: UnvalidatedObject) => void,
): DecodeResult {
  const decoded = decodeObject(resource, value, "Ignore");
  if (!resource.isCustom) return decoded;
  const { metadata: _m, ...fields } = asRecord(value);
  const draft = withNulls(decoded.object, fields);
  // withNulls returns an object for an object.
  if (draft !== decoded.object) check(draft as UnvalidatedObject);
  return decoded;
}

/** Adds the nulls that decoding dropped. Returns the same value if there are none. */
function withNulls(decoded: unknown, given: unknown): unknown {
  if (decoded === given) return decoded;
  if (Array.isArray(decoded) && Array.isArray(given))
    return mapJsonArray(decoded, (item, at) => withNulls(item, given[at]));
  if (!isJsonObject(decoded) || !isJsonObject(given)) return decoded;
  const nulls = Object.entries(given).filter(([name, child]) => child === null && !Object.hasOwn(decoded, name));
  const kept = mapJsonObject(decoded, (child, name) => withNulls(child, given[name]));
  return nulls.length === 0 ? kept : Object.fromEntries([...Object.entries(kept), ...nulls]);
}

/**
 * Applies a configuration to an object, or creates one (docs: Server-Side Apply). Throws BadRequest for an invalid
 * configuration and Conflict if other managers own fields that it changes.
 */
export function applyToObject(
  write: ManagedWrite,
  old: ApiObject | undefined,
  configuration: JsonObject,
  force: boolean,
): MergedObject {
  checkConfiguration(write.resource, configuration);
  const kind = typeConverterOf(write);
  const applied = typed(write.resource, configuration, () =>
    applyWithLastApplied({
      converter: kind,
      live: old === undefined ? kind.zeroValue : withoutManagedFields(old),
      configuration,
      managedFields: ownersOf(old),
      manager: fieldManagerOfWrite(write, "Apply"),
      time: write.now,
      force,
    }),
  );
  if (applied.kind === "applied") return { value: applied.value, managedFields: encodeManagedFields(applied.owners) };
  throw new StatusError("Conflict", formatConflicts(applied.conflicts), {
    details: { causes: applied.conflicts.map(conflictCause) },
  });
}

/** Converts a configuration of an alias to the resource that it is stored as. Throws BadRequest. */
export function applyToStorageResource(alias: Alias, configuration: JsonObject): JsonObject {
  const { apiVersion, kind, metadata, ...fields } = configuration;
  const draft = { ...fields, apiVersion: textOf(apiVersion), kind: textOf(kind), metadata: asRecord(metadata) };
  // The cast is safe: both forms consist of JSON only.
  return alias.toStorage(draft) as unknown as JsonObject;
}

function ownersOf(old: ApiObject | undefined): ManagedFields {
  try {
    return decodeManagedFields(old?.metadata.managedFields);
  } catch (error) {
    if (!(error instanceof ManagedFieldsError)) throw error;
    throw new StatusError("Unknown", `failed to decode managed fields: ${error.message}`, { cause: error });
  }
}

function checkConfiguration(resource: Resource, configuration: JsonObject): void {
  const { apiVersion = "", kind = "", metadata } = configuration;
  if (apiVersion !== resourceApiVersion(resource) || kind !== resource.kind) {
    throw badRequestError(`invalid object type: ${describeType(textOf(apiVersion), textOf(kind))}`);
  }
  const { managedFields = null } = asRecord(metadata);
  if (managedFields !== null) throw badRequestError("metadata.managedFields must be nil");
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function describeType(apiVersion: string, kind: string): string {
  const [version = "", group = ""] = apiVersion.split("/").toReversed();
  return `${group}/${version}, Kind=${kind}`;
}

function typed(resource: Resource, configuration: JsonObject, apply: () => ApplyResult): ApplyResult {
  try {
    return apply();
  } catch (error) {
    if (!(error instanceof TypeMismatchError)) throw error;
    const { namespace = "", name = "" } = asRecord(configuration["metadata"]);
    const type = describeType(resourceApiVersion(resource), resource.kind);
    const what = `failed to create typed patch object (${textOf(namespace)}/${textOf(name)}; ${type})`;
    throw new StatusError("Unknown", `${what}: ${error.message}`, { cause: error });
  }
}
