import { applyDefaults, pruneUnknownFields, QuantityError, validate } from "@levelset/core/schema";
import type { FieldError, StructuralSchema } from "@levelset/core/schema";
import {
  coerceEmbedded,
  deepEqual,
  deepFreeze,
  invalidError,
  mapJsonArray,
  mapJsonObject,
  ValidationCache,
  propertySchema,
  stringifyJson,
} from "@levelset/core/internal";
import { isJsonObject, StatusError } from "@levelset/core";
import type { JsonObject, JsonValue, ManagedFieldsEntry, ObjectMeta } from "@levelset/core";
import { Base64Error, canonicalize, TimeError } from "./canonicalize.ts";
import { badRequestError, invalidField, META_SCHEMA, resourceApiVersion, asRecord } from "../resource/index.ts";
import type { UnvalidatedObject, Resource, KindStrategy } from "../resource/index.ts";
import { kindTypeName } from "../api-types/index.ts";

/** Handling of unknown and duplicate fields (docs: Kubernetes API Concepts, Field validation). */
export type FieldValidation = "Strict" | "Warn" | "Ignore";

/** A decoded object with its warnings. */
export interface DecodeResult {
  readonly object: UnvalidatedObject;
  /** For `Warning:` headers. */
  readonly warnings: readonly string[];
}

/**
 * Decodes a body as an object of a resource: checks types, drops unknown fields (with an error or a warning according
 * to `fieldValidation`) and applies defaults. Throws BadRequest.
 */
export function decodeObject(resource: Resource, given: JsonValue, fieldValidation: FieldValidation): DecodeResult {
  return decodeAs(resource, given, fieldValidation, (why) => cannotHandle(resource, why));
}

function decodeAs(
  resource: Resource,
  given: JsonValue,
  fieldValidation: FieldValidation,
  unstrict: (why: string) => Error,
): DecodeResult {
  if (!isJsonObject(given)) throw cannotHandle(resource, "json: cannot unmarshal the body into an object");
  const type = checkType(resource, given);
  const { apiVersion: _a, kind: _k, metadata: meta, ...fields } = given;
  const metadata = decodeMetadata(resource, meta);
  const changed = unsettled(resource.bodySchema, fields);
  const pruned = pruneUnknownFields(resource.bodySchema, resource.isCustom ? changed : withoutNulls(changed));
  const coerced = coerceEmbedded(resource.bodySchema, pruned.value);
  if (coerced.kind === "unreadable") {
    throw cannotHandle(resource, `${coerced.error.field}: ${coerced.error.message}`);
  }
  const dropped = [...metadata.dropped, ...pruned.dropped, ...coerced.dropped];
  const unknown = dropped.toSorted().map((path) => `unknown field "${path}"`);
  if (unknown.length > 0 && fieldValidation === "Strict") {
    throw unstrict(`strict decoding error: ${unknown.join(", ")}`);
  }
  // Built-in kinds have no embedded objects.
  const body = resource.isCustom ? coerced.value : builtinFields(resource, pruned.value);
  const filled = applyDefaults(resource.bodySchema, body);
  // prune and applyDefaults return an object for an object.
  const decoded = filled as Readonly<Record<string, unknown>>;
  const draft = { ...type, metadata: metadata.value, ...withSettled(resource.bodySchema, fields, decoded) };
  return { object: withDefaults(resource.strategy, draft), warnings: fieldValidation === "Warn" ? unknown : [] };
}

/** Cache of fields that decoding does not change. Most writes change few fields of the stored object. */
const settled = new ValidationCache();

function isSettled(schema: StructuralSchema, name: string, value: unknown): boolean {
  const field = propertySchema(schema, name);
  return field !== undefined && settled.has(field, value);
}

/** Records managedFields that the server has written. Freezes them. */
export function settleManagedFields(entries: readonly ManagedFieldsEntry[]): void {
  const field = propertySchema(META_SCHEMA, "managedFields");
  if (field !== undefined) settled.add(field, deepFreeze(entries));
}

/** Returns the fields that are not in the cache and must be decoded. */
function unsettled(schema: StructuralSchema, fields: Readonly<Record<string, unknown>>): unknown {
  return mapJsonObject(fields, (value, name) => (isSettled(schema, name, value) ? undefined : value));
}

/** Merges decoded and cached fields in the original order. */
function withSettled(
  schema: StructuralSchema,
  given: JsonObject,
  decoded: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const fields: [string, unknown][] = [];
  for (const [name, value] of Object.entries(given)) {
    if (isSettled(schema, name, value)) fields.push([name, value]);
    else if (Object.hasOwn(decoded, name)) {
      fields.push([name, decoded[name]]);
      const field = propertySchema(schema, name);
      if (field !== undefined && decoded[name] === value) settled.add(field, value);
    }
  }
  return Object.fromEntries([...fields, ...Object.entries(decoded).filter(([name]) => !Object.hasOwn(given, name))]);
}

/** Returns the fields of a built-in kind in canonical form. Throws BadRequest for wrong types. */
function builtinFields(resource: Resource, fields: unknown): unknown {
  const made = readable(resource, () => canonicalize(resource.bodySchema, fields, kindTypeName(resource)));
  checkTypes(resource, made);
  return made;
}

function readable<T>(resource: Resource, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const isUnreadable = error instanceof QuantityError || error instanceof TimeError || error instanceof Base64Error;
    if (!isUnreadable) throw error;
    throw cannotHandle(resource, error.message);
  }
}

function withDefaults(rules: KindStrategy, draft: UnvalidatedObject): UnvalidatedObject {
  const { initialStatus } = rules;
  const whole =
    initialStatus === undefined ? draft : { ...draft, status: { ...initialStatus, ...asRecord(draft["status"]) } };
  if (rules.defaults === undefined) return whole;
  // Fields that already have their defaults stay the same values, which later steps recognize as unchanged.
  return mapJsonObject(rules.defaults(whole), (value, name) =>
    deepEqual(value, draft[name]) ? draft[name] : value,
  ) as UnvalidatedObject;
}

/**
 * Decodes the result of a patch. Throws Invalid for any decoding error, because the patch is at fault
 * (`k8s.io/apiserver/pkg/endpoints/handlers/patch.go`, Kubernetes 1.36). Unlike kube-apiserver, the message does not
 * contain the patched object, which may be a Secret.
 */
export function decodePatchResult(
  resource: Resource,
  patched: JsonValue,
  fieldValidation: FieldValidation,
): DecodeResult {
  try {
    return decodeAs(resource, patched, fieldValidation, badRequestError);
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
  const { kind = resource.isCustom ? undefined : resource.kind, apiVersion = resource.isCustom ? "" : expected } = body;
  if (typeof kind !== "string" || kind === "") {
    throw badRequestError("Object 'Kind' is missing in the body of the request");
  }
  if (apiVersion !== expected) {
    const found = typeof apiVersion === "string" ? apiVersion : stringifyJson(apiVersion);
    throw badRequestError(
      `the API version in the data (${found}) does not match the expected API version (${expected})`,
    );
  }
  if (kind !== resource.kind && !resource.isCustom) {
    throw badRequestError(`${kind} in version "${resource.version}" cannot be handled as a ${resource.kind}`);
  }
  return { apiVersion, kind };
}

function decodeMetadata(
  resource: Resource,
  given: JsonValue | undefined,
): { readonly value: Partial<ObjectMeta>; readonly dropped: readonly string[] } {
  if (given === undefined || given === null) return { value: {}, dropped: [] };
  const meant = withoutNulls(isJsonObject(given) ? unsettled(META_SCHEMA, given) : given);
  const error = validate(META_SCHEMA, meant, "metadata").find(isTypeError);
  if (error !== undefined) throw cannotHandle(resource, `json: ${error.field}: ${error.message}`);
  const pruned = pruneUnknownFields(META_SCHEMA, meant);
  // Objects only: `validate` has checked the type.
  const [whole, decoded] = [given as JsonObject, pruned.value as JsonObject];
  const { selfLink: _s, ...value } = withSettled(META_SCHEMA, whole, decoded);
  return { value, dropped: pruned.dropped.map((path) => `metadata.${path}`) };
}

function checkTypes(resource: Resource, value: unknown): void {
  const errors = validate(resource.bodySchema, value).filter((error) => !isFormatError(error));
  const error = errors.find((each) => isTypeError(each) || isOverflow(each));
  if (error !== undefined) throw cannotHandle(resource, `json: ${error.field}: ${error.message}`);
}

/** Returns whether the error concerns a format that canonicalization of built-in kinds checks already. */
function isFormatError({ expected }: FieldError): boolean {
  return expected === "byte" || expected === "date-time";
}

/** Returns whether a number exceeds the range of its type, which Go's decoder reports as a type error. */
function isOverflow({ expected }: FieldError): boolean {
  return expected === "int32" || expected === "int64";
}

function isTypeError(error: FieldError): boolean {
  return error.reason === "FieldValueTypeInvalid";
}

/** Returns warnings about duplicate fields of a body. Throws BadRequest if `fieldValidation` is Strict. */
export function checkDuplicateFields(
  resource: Resource,
  repeated: readonly string[],
  fieldValidation: FieldValidation,
): readonly string[] {
  const problems = repeated.map((path) => `duplicate field "${path}"`);
  if (problems.length > 0 && fieldValidation === "Strict") {
    throw cannotHandle(resource, `strict decoding error: ${problems.join(", ")}`);
  }
  return fieldValidation === "Warn" ? problems : [];
}

function cannotHandle(resource: Resource, why: string): Error {
  return badRequestError(
    `${resource.kind} in version "${resource.version}" cannot be handled as a ${resource.kind}: ${why}`,
  );
}

/** Drops nulls, which Go's decoder treats as absent for built-in kinds. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return mapJsonArray(value, withoutNulls);
  if (!isJsonObject(value)) return value;
  return mapJsonObject(value, (child) => (child === null ? undefined : withoutNulls(child)));
}
