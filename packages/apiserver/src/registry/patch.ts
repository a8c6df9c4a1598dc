import {
  applyJsonPatch,
  applyMergePatch,
  isJsonObject,
  JSON_PATCH_OPERATIONS_MAX,
  JsonError,
  parseJson,
  parseJsonPatch,
  PatchError,
  StatusError,
} from "@levelset/core";
import type { JsonValue } from "@levelset/core";
import { badRequest } from "./failure.ts";
import type { Resource } from "./resource.ts";
import { applyStrategicPatch } from "./strategic.ts";

const JSON_PATCH = "application/json-patch+json";
const MERGE_PATCH = "application/merge-patch+json";
const STRATEGIC_PATCH = "application/strategic-merge-patch+json";
const APPLY_PATCH = "application/apply-patch+yaml";

/** A patch that has been read but not yet applied to anything. */
export type Patch = (target: JsonValue) => JsonValue;

/** The kinds of patch that a resource takes. */
export function patchTypesOf(resource: Resource): readonly string[] {
  return resource.custom ? [JSON_PATCH, MERGE_PATCH] : [JSON_PATCH, MERGE_PATCH, STRATEGIC_PATCH];
}

/** Reads a patch. Throws UnsupportedMediaType for a kind that the resource does not take, BadRequest for a broken one. */
export function parsePatch(resource: Resource, contentType: string, text: string): Patch {
  const accepted = patchTypesOf(resource);
  if (contentType === APPLY_PATCH) {
    throw new StatusError(
      "UnsupportedMediaType",
      `server-side apply (${APPLY_PATCH}) is not supported by this server yet - accepted media types include: ${accepted.join(", ")}`,
    );
  }
  if (!accepted.includes(contentType)) {
    const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(", ")}`;
    throw new StatusError("UnsupportedMediaType", message);
  }
  const value = readJson(text);
  if (contentType === JSON_PATCH) return jsonPatch(value);
  if (!isJsonObject(value)) throw badRequest("Invalid JSON Patch");
  return contentType === MERGE_PATCH
    ? (target) => applyMergePatch(target, value)
    : (target) => applyStrategicPatch(target, value);
}

function readJson(text: string): JsonValue {
  try {
    return parseJson(text, "int64");
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
