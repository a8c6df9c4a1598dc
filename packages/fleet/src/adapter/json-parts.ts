import { isJsonObject } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";

/** The object that a value is; an empty one if it is none. For data of strangers, where a part that is not there has no parts either. */
export function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The objects of a list; none of anything else. */
export function objectsOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.flatMap((one: JsonValue) => (isJsonObject(one) ? [one] : [])) : [];
}

/** The metadata of an object of Kubernetes. */
export function metadataOf(object: JsonObject | undefined): JsonObject {
  return objectOf(object?.["metadata"]);
}

/** The name of an object of Kubernetes; empty if it has none. */
export function nameOf(object: JsonObject): string {
  const { name } = metadataOf(object);
  return typeof name === "string" ? name : "";
}
