import {
  applyDefaults,
  coerceEmbedded,
  invalidError,
  isJsonObject,
  prune,
  StatusError,
  validate,
} from "@levelset/core";
import type { FieldError, JsonValue, ObjectMeta } from "@levelset/core";
import { badRequest } from "./failure.ts";
import { invalidField } from "./field.ts";
import { META_SCHEMA } from "./metadata.ts";
import type { Resource } from "./resource.ts";
import { resourceApiVersion } from "./resource.ts";

/** An object as a writer gave it: of the right kind and shape, but not yet checked by value. */
export interface Draft {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Partial<ObjectMeta>;
  readonly [field: string]: unknown;
}

/** What to do about fields that the schema does not know. */
export type FieldValidation = "Strict" | "Warn" | "Ignore";

/** A decoded body and what there is to say about it. */
export interface Decoded {
  readonly draft: Draft;
  /** For `Warning:` headers. */
  readonly warnings: readonly string[];
}

/**
 * Reads a body as an object of a resource: type checked, unknown fields dropped (and refused or reported, as asked for),
 * defaults filled in. Throws BadRequest.
 */
export function decodeObject(resource: Resource, body: JsonValue, fieldValidation: FieldValidation): Decoded {
  if (!isJsonObject(body)) throw cannotHandle(resource, "json: cannot unmarshal the body into an object");
  const type = checkType(resource, body);
  const { apiVersion: _a, kind: _k, metadata: given, ...fields } = body;
  const metadata = decodeMetadata(resource, given);
  const pruned = prune(resource.bodySchema, resource.custom ? fields : withoutNulls(fields));
  const unknown = [...metadata.dropped, ...pruned.dropped].toSorted().map((path) => `unknown field "${path}"`);
  if (unknown.length > 0 && fieldValidation === "Strict") {
    throw badRequest(`strict decoding error: ${unknown.join(", ")}`);
  }
  if (!resource.custom) checkTypes(resource, pruned.value);
  const coerced = coerceEmbedded(resource.bodySchema, pruned.value);
  if (coerced.kind === "unreadable") {
    throw cannotHandle(resource, `${coerced.error.field}: ${coerced.error.message}`);
  }
  const filled = applyDefaults(resource.bodySchema, coerced.value);
  return {
    // prune and applyDefaults give an object for an object.
    draft: { ...type, metadata: metadata.value, ...(filled as Readonly<Record<string, unknown>>) },
    warnings: fieldValidation === "Warn" ? unknown : [],
  };
}

/**
 * Reads what a patch made of an object. As with the real server everything wrong with it is Invalid, for it is the patch that is
 * at fault; unlike there, the patched object is not repeated in the message: it may be a Secret.
 */
export function decodePatched(resource: Resource, patched: JsonValue, fieldValidation: FieldValidation): Decoded {
  try {
    return decodeObject(resource, patched, fieldValidation);
  } catch (error) {
    if (!(error instanceof StatusError) || error.reason !== "BadRequest") throw error;
    throw invalidError({ kind: "", group: "", name: "" }, [invalidField("patch", "{...}", error.message)]);
  }
}

function checkType(
  resource: Resource,
  body: Readonly<Record<string, JsonValue>>,
): { readonly apiVersion: string; readonly kind: string } {
  const expected = resourceApiVersion(resource);
  const { kind = resource.custom ? undefined : resource.kind, apiVersion = resource.custom ? "" : expected } = body;
  if (typeof kind !== "string" || kind === "") {
    throw badRequest("Object 'Kind' is missing in the body of the request");
  }
  if (apiVersion !== expected) {
    const found = typeof apiVersion === "string" ? apiVersion : JSON.stringify(apiVersion);
    throw badRequest(`the API version in the data (${found}) does not match the expected API version (${expected})`);
  }
  if (kind !== resource.kind && !resource.custom) {
    throw badRequest(`${kind} in version "${resource.version}" cannot be handled as a ${resource.kind}`);
  }
  return { apiVersion, kind };
}

function decodeMetadata(
  resource: Resource,
  given: JsonValue | undefined,
): { readonly value: Partial<ObjectMeta>; readonly dropped: readonly string[] } {
  if (given === undefined || given === null) return { value: {}, dropped: [] };
  const error = validate(META_SCHEMA, withoutNulls(given), "metadata").find(isTypeError);
  if (error !== undefined) throw cannotHandle(resource, `json: ${error.field}: ${error.message}`);
  const pruned = prune(META_SCHEMA, withoutNulls(given));
  // Who owns which field is not tracked yet, and nobody may write it by hand.
  const { selfLink: _s, managedFields: _f, ...value } = pruned.value as Readonly<Record<string, unknown>>;
  return { value, dropped: pruned.dropped.map((path) => `metadata.${path}`) };
}

function checkTypes(resource: Resource, value: unknown): void {
  const error = validate(resource.bodySchema, value).find(isTypeError);
  if (error !== undefined) throw cannotHandle(resource, `json: ${error.field}: ${error.message}`);
}

function isTypeError(error: FieldError): boolean {
  return error.reason === "FieldValueTypeInvalid";
}

function cannotHandle(resource: Resource, why: string): Error {
  return badRequest(
    `${resource.kind} in version "${resource.version}" cannot be handled as a ${resource.kind}: ${why}`,
  );
}

/** Built-in kinds read null as absent. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, child]) => child !== null)
      .map(([name, child]) => [name, withoutNulls(child)]),
  );
}
