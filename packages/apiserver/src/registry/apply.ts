import {
  applyFor,
  conflictCause,
  decodeOwners,
  describeConflicts,
  encodeOwners,
  isJsonObject,
  ManagedFieldsError,
  mapItems,
  mapMembers,
  StatusError,
  UntypedValueError,
} from "@levelset/core";
import type { Applied, JsonObject, JsonValue, ManagedFieldsEntry, Owners } from "@levelset/core";
import type { ApiObject } from "../store/index.ts";
import { decodeObject } from "./decode.ts";
import type { Decoded } from "./decode.ts";
import type { Draft } from "./draft.ts";
import { badRequest } from "./failure.ts";
import { ownerOf, trackedKind, withoutOwners } from "./managed-fields.ts";
import type { OwnedWrite } from "./managed-fields.ts";
import { resourceApiVersion } from "./resource.ts";
import type { Alias, Resource } from "./resource.ts";
import { recordOf } from "./shape.ts";

/** An object with a configuration applied, before it is decoded and checked, and its owners. */
export interface AppliedObject {
  readonly value: JsonValue;
  readonly managedFields: readonly ManagedFieldsEntry[];
}

/**
 * Reads what an apply made of an object. What is left empty of a declared kind is null, and is checked as such before it is dropped:
 * where the schema asks for a value, the object is invalid, as with the real server.
 */
export function decodeApplied(resource: Resource, value: JsonValue, check: (draft: Draft) => void): Decoded {
  const decoded = decodeObject(resource, value, "Ignore");
  if (!resource.custom) return decoded;
  const { metadata: _m, ...fields } = recordOf(value);
  const draft = withNulls(decoded.draft, fields);
  // Whatever it adds to a draft is a draft.
  if (draft !== decoded.draft) check(draft as Draft);
  return decoded;
}

/** What was decoded, with the nulls that decoding dropped: the very same where there are none. */
function withNulls(decoded: unknown, given: unknown): unknown {
  if (decoded === given) return decoded;
  if (Array.isArray(decoded) && Array.isArray(given))
    return mapItems(decoded, (item, at) => withNulls(item, given[at]));
  if (!isJsonObject(decoded) || !isJsonObject(given)) return decoded;
  const nulls = Object.entries(given).filter(([name, child]) => child === null && !Object.hasOwn(decoded, name));
  const kept = mapMembers(decoded, (child, name) => withNulls(child, given[name]));
  return nulls.length === 0 ? kept : Object.fromEntries([...Object.entries(kept), ...nulls]);
}

/** Applies a configuration to an object, or to nothing. Throws BadRequest, and Conflict where others own what it would change. */
export function appliedObject(
  write: OwnedWrite,
  old: ApiObject | undefined,
  configuration: JsonObject,
  force: boolean,
): AppliedObject {
  checkConfiguration(write.resource, configuration);
  const kind = trackedKind(write);
  const applied = typed(write.resource, configuration, () =>
    applyFor({
      kind,
      live: old === undefined ? kind.blank : withoutOwners(old),
      configuration,
      owners: ownersOf(old),
      applier: ownerOf(write, "Apply"),
      time: write.now,
      force,
    }),
  );
  if (applied.kind === "applied") return { value: applied.value, managedFields: encodeOwners(applied.owners) };
  throw new StatusError("Conflict", describeConflicts(applied.conflicts), {
    details: { causes: applied.conflicts.map(conflictCause) },
  });
}

/** A configuration for a resource that is kept as another one, in the form of that one. Throws BadRequest. */
export function appliedToHome(alias: Alias, configuration: JsonObject): JsonObject {
  const { apiVersion, kind, metadata, ...fields } = configuration;
  const draft = { ...fields, apiVersion: textOf(apiVersion), kind: textOf(kind), metadata: recordOf(metadata) };
  // A configuration is made of JSON only, and so is its other form.
  return alias.toHome(draft) as unknown as JsonObject;
}

function ownersOf(old: ApiObject | undefined): Owners {
  try {
    return decodeOwners(old?.metadata.managedFields);
  } catch (error) {
    if (!(error instanceof ManagedFieldsError)) throw error;
    throw new StatusError("Unknown", `failed to decode managed fields: ${error.message}`, { cause: error });
  }
}

function checkConfiguration(resource: Resource, configuration: JsonObject): void {
  const { apiVersion = "", kind = "", metadata } = configuration;
  if (apiVersion !== resourceApiVersion(resource) || kind !== resource.kind) {
    throw badRequest(`invalid object type: ${describeType(textOf(apiVersion), textOf(kind))}`);
  }
  const { managedFields = null } = recordOf(metadata);
  if (managedFields !== null) throw badRequest("metadata.managedFields must be nil");
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function describeType(apiVersion: string, kind: string): string {
  const [version = "", group = ""] = apiVersion.split("/").toReversed();
  return `${group}/${version}, Kind=${kind}`;
}

function typed(resource: Resource, configuration: JsonObject, apply: () => Applied): Applied {
  try {
    return apply();
  } catch (error) {
    if (!(error instanceof UntypedValueError)) throw error;
    const { namespace = "", name = "" } = recordOf(configuration["metadata"]);
    const type = describeType(resourceApiVersion(resource), resource.kind);
    const what = `failed to create typed patch object (${textOf(namespace)}/${textOf(name)}; ${type})`;
    throw new StatusError("Unknown", `${what}: ${error.message}`, { cause: error });
  }
}
