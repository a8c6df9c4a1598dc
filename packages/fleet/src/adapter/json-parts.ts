import { isJsonObject } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";

/**
 * Returns the value if it is an object, otherwise an empty object. For untrusted data, where any part may be missing.
 */
export function objectOrEmpty(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Returns the objects of a list; an empty list for any other value. */
export function objectsOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.flatMap((one: JsonValue) => (isJsonObject(one) ? [one] : [])) : [];
}

/** Returns the metadata of a Kubernetes object. */
export function metadataOf(object: JsonObject | undefined): JsonObject {
  return objectOrEmpty(object?.["metadata"]);
}

/** Returns the name of a Kubernetes object, or an empty string if it has none. */
export function nameOf(object: JsonObject): string {
  const { name } = metadataOf(object);
  return typeof name === "string" ? name : "";
}
