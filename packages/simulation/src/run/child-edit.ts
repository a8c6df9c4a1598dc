import { isJsonObject } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import type { ApiObject } from "@levelset/apiserver";
import { isOperatorManager } from "../world/index.ts";

/**
 * Returns a merge patch that changes one field which an operator has set, as a person with kubectl edit does. Only
 * scalars outside of lists are changed. Undefined if there are none, and for Jobs: those are runs, which a person may
 * suspend, and all other fields of theirs are immutable.
 */
export function editOf(object: ApiObject, pick: number): JsonObject | undefined {
  if (object.kind === "Job") return undefined;
  const paths = (object.metadata.managedFields ?? [])
    .filter(({ manager = "", subresource = "" }) => isOperatorManager(manager) && subresource === "")
    .flatMap(({ fieldsV1 }) => leafPaths(fieldsV1 as JsonValue, []))
    .filter(([top]) => top !== "metadata" && top !== "status" && top !== undefined);
  const path = paths[Math.floor(pick * paths.length)];
  if (path === undefined) return undefined;
  const value = changed(valueAt(object as unknown as JsonValue, path), object.kind === "Secret");
  if (value === undefined) return undefined;
  return path.toReversed().reduce<JsonValue>((inner, name) => ({ [name]: inner }), value) as JsonObject;
}

/** Returns the paths of the leaves of `fieldsV1` that lead through maps only. */
function leafPaths(fields: JsonValue | undefined, path: readonly string[]): readonly (readonly string[])[] {
  if (!isJsonObject(fields)) return [];
  const names = Object.keys(fields).filter((name) => name.startsWith("f:"));
  if (Object.keys(fields).some((name) => name.startsWith("k:") || name.startsWith("v:"))) return [];
  if (names.length === 0) return path.length === 0 ? [] : [path];
  return names.flatMap((name) => leafPaths(fields[name], [...path, name.slice(2)]));
}

function valueAt(value: JsonValue | undefined, [name, ...rest]: readonly string[]): JsonValue | undefined {
  if (name === undefined) return value;
  return isJsonObject(value) ? valueAt(value[name], rest) : undefined;
}

function changed(value: JsonValue | undefined, isSecret: boolean): JsonValue | undefined {
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return value + 1;
  if (typeof value !== "string") return undefined;
  return isSecret ? btoa("edited") : `${value}-edited`;
}
