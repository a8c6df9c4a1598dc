import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicPatch,
  isJsonObject,
  JSON_PATCH_OPERATIONS_MAX,
  JsonError,
  parseJson,
  parseJsonPatch,
  PatchError,
  StatusError,
  StrategicPatchError,
} from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import { badRequest } from "./failure.ts";
import { META_SCHEMA } from "./metadata.ts";
import type { Resource } from "./resource.ts";
import { checkJsonText } from "./text.ts";

const JSON_PATCH = "application/json-patch+json";
const MERGE_PATCH = "application/merge-patch+json";
const STRATEGIC_PATCH = "application/strategic-merge-patch+json";

/** The media type of a configuration to be applied. */
export const APPLY_PATCH = "application/apply-patch+yaml";

/** A patch that has been read but not yet applied to anything. */
export type Patch = (target: JsonValue) => JsonValue;

/** The kinds of patch that a resource takes. */
export function patchTypesOf(resource: Resource): readonly string[] {
  return [JSON_PATCH, MERGE_PATCH, ...(resource.custom ? [] : [STRATEGIC_PATCH]), APPLY_PATCH];
}

/** Reads a patch. Throws UnsupportedMediaType for a kind that the resource does not take, BadRequest for a broken one. */
export function parsePatch(resource: Resource, contentType: string, text: string): Patch {
  const accepted = patchTypesOf(resource);
  if (!accepted.includes(contentType) || contentType === APPLY_PATCH) {
    // Requests for built-in kinds do not get far enough to hear which types there are.
    const message = resource.custom
      ? `the body of the request was in an unknown format - accepted media types include: ${accepted.join(", ")}`
      : "415: Unsupported Media Type";
    throw new StatusError("UnsupportedMediaType", message);
  }
  const value = readJson(text);
  if (contentType === JSON_PATCH) return jsonPatch(value);
  if (!isJsonObject(value)) throw badRequest("Invalid JSON Patch");
  return contentType === MERGE_PATCH ? mergePatch(value) : strategicPatch(resource, value);
}

/** Unlike the standard, and like the real server, a null in an item of a list is no value either. */
function mergePatch(patch: JsonObject): Patch {
  const clean = withoutNullsInLists(patch, false);
  return (target) => applyMergePatch(target, clean);
}

function withoutNullsInLists(value: JsonValue, isInList: boolean): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => withoutNullsInLists(item, true));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).filter(([, child]) => !isInList || child !== null);
  return Object.fromEntries(members.map(([name, child]) => [name, withoutNullsInLists(child, isInList)]));
}

function strategicPatch(resource: Resource, patch: JsonObject): Patch {
  const { bodySchema } = resource;
  const schema = { ...bodySchema, properties: { ...bodySchema.properties, metadata: META_SCHEMA } };
  return (target) => {
    try {
      return applyStrategicPatch(schema, isJsonObject(target) ? target : {}, patch);
    } catch (error) {
      if (!(error instanceof StrategicPatchError)) throw error;
      if (error.fault === "malformed") throw badRequest(error.message);
      if (error.fault === "mismatch") throw new StatusError("Invalid", error.message);
      throw new StatusError("Unknown", error.message);
    }
  };
}

function readJson(text: string): JsonValue {
  try {
    const value = parseJson(text, "int64");
    checkJsonText(value, text);
    return value;
  } catch (error) {
    if (error instanceof JsonError) throw badRequest(`error decoding patch: ${error.message}`);
    throw error;
  }
}

function jsonPatch(value: JsonValue): Patch {
  if (Array.isArray(value) && value.length > JSON_PATCH_OPERATIONS_MAX) {
    const message = `The allowed maximum operations in a JSON patch is ${JSON_PATCH_OPERATIONS_MAX}, got ${value.length}`;
    throw new StatusError("RequestEntityTooLarge", message);
  }
  const operations = orElse(
    () => parseJsonPatch(value),
    (error) => badRequest(error.message),
  );
  return (target) => orElse(() => applyJsonPatch(target, operations), doesNotApply);
}

/** The real server does not say which operation failed, and neither does this one in the message; the cause does. */
function doesNotApply(error: PatchError): StatusError {
  return new StatusError("Invalid", "the server rejected our request due to an error in our request", {
    details: { causes: [{ message: error.message }] },
  });
}

function orElse<T>(run: () => T, failure: (error: PatchError) => StatusError): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof PatchError) throw failure(error);
    throw error;
  }
}
