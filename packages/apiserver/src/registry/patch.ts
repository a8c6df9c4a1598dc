import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicPatch,
  JSON_PATCH_OPERATIONS_MAX,
  parseJsonPatch,
  JsonPatchError,
  StrategicPatchError,
} from "@levelset/core/apply";
import { isJsonObject, StatusError } from "@levelset/core";
import { PATCH_TYPES } from "@levelset/core/internal";
import type { JsonObject, JsonValue } from "@levelset/core";
import { JsonError, parseJson } from "@levelset/core/internal";
import { badRequestError, META_SCHEMA } from "../resource/index.ts";
import type { Resource } from "../resource/index.ts";
import { checkJsonText } from "./text.ts";

/** A parsed patch. Returns the patched value. */
export type Patcher = (target: JsonValue) => JsonValue;

/** A type of patch whose result is computed from the stored object alone: every type except server-side apply. */
interface PatchFormat {
  readonly type: string;
  /** Whether only built-in resources accept it. */
  readonly isBuiltInOnly?: boolean;
  readonly parse: (patch: JsonValue, resource: Resource) => Patcher;
}

/** In the order of OpenAPI documents and error messages. */
const FORMATS: readonly PatchFormat[] = [
  { type: PATCH_TYPES.json, parse: jsonPatch },
  { type: PATCH_TYPES.merge, parse: mergePatch },
  { type: PATCH_TYPES.strategic, isBuiltInOnly: true, parse: strategicPatch },
];

/** Returns the patch media types that a resource accepts. */
export function patchTypesOf(resource: Resource): readonly string[] {
  return [...formatsOf(resource).map(({ type }) => type), PATCH_TYPES.apply];
}

function formatsOf({ isCustom }: Resource): readonly PatchFormat[] {
  return FORMATS.filter(({ isBuiltInOnly = false }) => !(isCustom && isBuiltInOnly));
}

/**
 * Parses a patch. Throws UnsupportedMediaType for a media type that the resource does not accept, BadRequest otherwise.
 */
export function parsePatch(resource: Resource, contentType: string, text: string): Patcher {
  const format = formatsOf(resource).find(({ type }) => type === contentType);
  if (format === undefined) {
    // Only custom resources list the accepted media types in the message.
    const message = resource.isCustom
      ? `the body of the request was in an unknown format - accepted media types include: ${patchTypesOf(resource).join(", ")}`
      : "415: Unsupported Media Type";
    throw new StatusError("UnsupportedMediaType", message);
  }
  return format.parse(readJson(text), resource);
}

/** Unlike RFC 7386, nulls inside list items are dropped (gopkg.in/evanphx/json-patch.v4, used by Kubernetes 1.36). */
function mergePatch(value: JsonValue): Patcher {
  const clean = withoutNullsInLists(objectOf(value), false);
  return (target) => applyMergePatch(target, clean);
}

function withoutNullsInLists(value: JsonValue, isInList: boolean): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => withoutNullsInLists(item, true));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).filter(([, child]) => !isInList || child !== null);
  return Object.fromEntries(members.map(([name, child]) => [name, withoutNullsInLists(child, isInList)]));
}

function strategicPatch(value: JsonValue, { bodySchema }: Resource): Patcher {
  const patch = objectOf(value);
  const schema = { ...bodySchema, properties: { ...bodySchema.properties, metadata: META_SCHEMA } };
  return (target) => {
    try {
      return applyStrategicPatch(schema, isJsonObject(target) ? target : {}, patch);
    } catch (error) {
      if (!(error instanceof StrategicPatchError)) throw error;
      if (error.kind === "malformed") throw badRequestError(error.message);
      if (error.kind === "mismatch") throw new StatusError("Invalid", error.message);
      throw new StatusError("Unknown", error.message);
    }
  };
}

function objectOf(value: JsonValue): JsonObject {
  if (isJsonObject(value)) return value;
  throw badRequestError("Invalid JSON Patch");
}

function readJson(text: string): JsonValue {
  try {
    const value = parseJson(text, "int64");
    checkJsonText(value, text);
    return value;
  } catch (error) {
    if (error instanceof JsonError) throw badRequestError(`error decoding patch: ${error.message}`);
    throw error;
  }
}

function jsonPatch(value: JsonValue): Patcher {
  if (Array.isArray(value) && value.length > JSON_PATCH_OPERATIONS_MAX) {
    const message = `The allowed maximum operations in a JSON patch is ${JSON_PATCH_OPERATIONS_MAX}, got ${value.length}`;
    throw new StatusError("RequestEntityTooLarge", message);
  }
  const operations = orElse(
    () => parseJsonPatch(value),
    (error) => badRequestError(error.message),
  );
  return (target) => orElse(() => applyJsonPatch(target, operations), doesNotApply);
}

/**
 * The message is that of kube-apiserver (k8s.io/apiserver/pkg/endpoints/handlers/patch.go); unlike there,
 * `details.causes` names the failed operation.
 */
function doesNotApply(error: JsonPatchError): StatusError {
  return new StatusError("Invalid", "the server rejected our request due to an error in our request", {
    details: { causes: [{ message: error.message }] },
  });
}

function orElse<T>(run: () => T, failure: (error: JsonPatchError) => StatusError): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof JsonPatchError) throw failure(error);
    throw error;
  }
}
