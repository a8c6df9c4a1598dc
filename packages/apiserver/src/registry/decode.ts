import {
  applyDefaults,
  coerceEmbedded,
  invalidError,
  isJsonObject,
  mapItems,
  mapMembers,
  Passed,
  propertySchema,
  prune,
  QuantityError,
  StatusError,
  stringifyJson,
  validate,
} from "@levelset/core";
import type { FieldError, JsonObject, JsonValue, ObjectMeta } from "@levelset/core";
import { BytesError, canonical, TimeError } from "./canonical.ts";
import type { Draft } from "./draft.ts";
import { badRequest } from "./failure.ts";
import { invalidField } from "./field.ts";
import { rulesOf } from "./kinds.ts";
import { META_SCHEMA } from "./metadata.ts";
import type { Resource } from "./resource.ts";
import { resourceApiVersion } from "./resource.ts";
import type { KindRules } from "./rules.ts";
import { recordOf } from "./shape.ts";

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
export function decodeObject(resource: Resource, given: JsonValue, fieldValidation: FieldValidation): Decoded {
  return decodeAs(resource, given, fieldValidation, (why) => cannotHandle(resource, why));
}

function decodeAs(
  resource: Resource,
  given: JsonValue,
  fieldValidation: FieldValidation,
  unstrict: (why: string) => Error,
): Decoded {
  if (!isJsonObject(given)) throw cannotHandle(resource, "json: cannot unmarshal the body into an object");
  const type = checkType(resource, given);
  const { apiVersion: _a, kind: _k, metadata: meta, ...fields } = given;
  const metadata = decodeMetadata(resource, meta);
  const pruned = prune(resource.bodySchema, resource.custom ? unsettled(resource, fields) : withoutNulls(fields));
  const coerced = coerceEmbedded(resource.bodySchema, pruned.value);
  if (coerced.kind === "unreadable") {
    throw cannotHandle(resource, `${coerced.error.field}: ${coerced.error.message}`);
  }
  const dropped = [...metadata.dropped, ...pruned.dropped, ...coerced.dropped];
  const unknown = dropped.toSorted().map((path) => `unknown field "${path}"`);
  if (unknown.length > 0 && fieldValidation === "Strict") {
    throw unstrict(`strict decoding error: ${unknown.join(", ")}`);
  }
  // No built-in kind has embedded objects.
  const body = resource.custom ? coerced.value : builtinFields(resource, pruned.value);
  const filled = applyDefaults(resource.bodySchema, body);
  // prune and applyDefaults give an object for an object.
  const decoded = filled as Readonly<Record<string, unknown>>;
  const all = resource.custom ? withSettled(resource, fields, decoded) : decoded;
  const draft = { ...type, metadata: metadata.value, ...all };
  return { draft: withDefaults(rulesOf(resource), draft), warnings: fieldValidation === "Warn" ? unknown : [] };
}

/** Fields of declared kinds that decoding leaves as they are: those of stored objects, of which most writes change few. */
const settled = new Passed();

function isSettled({ bodySchema }: Resource, name: string, value: unknown): boolean {
  const schema = propertySchema(bodySchema, name);
  return schema !== undefined && settled.has(schema, value);
}

/** The fields that must be decoded. */
function unsettled(resource: Resource, fields: JsonObject): unknown {
  return mapMembers(fields, (value, name) => (isSettled(resource, name, value) ? undefined : value));
}

/** What was decoded, and beside it what did not have to be, in the order in which all of it was given. */
function withSettled(
  resource: Resource,
  given: JsonObject,
  decoded: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const fields: [string, unknown][] = [];
  for (const [name, value] of Object.entries(given)) {
    if (isSettled(resource, name, value)) fields.push([name, value]);
    else if (Object.hasOwn(decoded, name)) {
      fields.push([name, decoded[name]]);
      const schema = propertySchema(resource.bodySchema, name);
      if (schema !== undefined && decoded[name] === value) settled.add(schema, value);
    }
  }
  return Object.fromEntries([...fields, ...Object.entries(decoded).filter(([name]) => !Object.hasOwn(given, name))]);
}

/** The fields of a built-in kind in their canonical form, of the right types. */
function builtinFields(resource: Resource, fields: unknown): unknown {
  const made = readable(resource, () => canonical(resource.bodySchema, fields));
  checkTypes(resource, made);
  return made;
}

function readable<T>(resource: Resource, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const isUnreadable = error instanceof QuantityError || error instanceof TimeError || error instanceof BytesError;
    if (!isUnreadable) throw error;
    throw cannotHandle(resource, error.message);
  }
}

function withDefaults(rules: KindRules, draft: Draft): Draft {
  const { emptyStatus } = rules;
  const whole =
    emptyStatus === undefined ? draft : { ...draft, status: { ...emptyStatus, ...recordOf(draft["status"]) } };
  return rules.defaults?.(whole) ?? whole;
}

/**
 * Reads what a patch made of an object. As with the real server everything wrong with it is Invalid, for it is the patch that is
 * at fault; unlike there, the patched object is not repeated in the message: it may be a Secret.
 */
export function decodePatched(resource: Resource, patched: JsonValue, fieldValidation: FieldValidation): Decoded {
  try {
    return decodeAs(resource, patched, fieldValidation, badRequest);
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
    const found = typeof apiVersion === "string" ? apiVersion : stringifyJson(apiVersion);
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
  const meant = withoutNulls(given);
  const error = validate(META_SCHEMA, meant, "metadata").find(isTypeError);
  if (error !== undefined) throw cannotHandle(resource, `json: ${error.field}: ${error.message}`);
  const pruned = prune(META_SCHEMA, meant);
  const { selfLink: _s, ...value } = pruned.value as Readonly<Record<string, unknown>>;
  return { value, dropped: pruned.dropped.map((path) => `metadata.${path}`) };
}

function checkTypes(resource: Resource, value: unknown): void {
  const errors = validate(resource.bodySchema, value).filter((error) => !isFormatError(error));
  const error = errors.find((each) => isTypeError(each) || isOverflow(each));
  if (error !== undefined) throw cannotHandle(resource, `json: ${error.field}: ${error.message}`);
}

/** What built-in kinds have in these formats has been read by now, by rules of their own. */
function isFormatError(error: FieldError): boolean {
  return /in body must be of type (?:byte|date-time): /u.test(error.message);
}

/** A number that does not fit is no number of its type to the real server. */
function isOverflow(error: FieldError): boolean {
  return /in body must be of type int(?:32|64): /u.test(error.message);
}

function isTypeError(error: FieldError): boolean {
  return error.reason === "FieldValueTypeInvalid";
}

/** What there is to say about fields that a body has more than once. Throws BadRequest where that is not allowed. */
export function checkRepeated(
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
  return badRequest(
    `${resource.kind} in version "${resource.version}" cannot be handled as a ${resource.kind}: ${why}`,
  );
}

/** Built-in kinds read null as absent. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return mapItems(value, withoutNulls);
  if (!isJsonObject(value)) return value;
  return mapMembers(value, (child) => (child === null ? undefined : withoutNulls(child)));
}
