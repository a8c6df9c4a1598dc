/**
 * JSON merge patch (RFC 7386): a partial object with the members to change, and null for members to remove. Arrays are
 * replaced as a whole.
 */
import { deepEqual, isJsonObject } from "../json/index.ts";
import type { JsonObject, JsonValue } from "../json/index.ts";

/** Merges `patch` into `target`. Unchanged parts are shared with the target. */
export function applyMergePatch(target: JsonValue, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch;
  // A Map, because assigning `__proto__` on an object sets its prototype.
  const members = new Map(isJsonObject(target) ? Object.entries(target) : []);
  for (const [key, change] of Object.entries(patch)) {
    if (change === null) members.delete(key);
    else if (change !== undefined) members.set(key, applyMergePatch(members.get(key) ?? null, change));
  }
  return Object.fromEntries(members);
}

/**
 * Returns a patch from `from` to `to`, or undefined if there is no difference that a merge patch can express. Null
 * members of `to` count as absent.
 */
export function createMergePatch(from: JsonObject, to: JsonObject): JsonObject | undefined {
  const changes: [string, JsonValue][] = [];
  for (const key of Object.keys(from)) {
    if (isPresent(from, key) && !isPresent(to, key)) changes.push([key, null]);
  }
  for (const [key, after] of Object.entries(to)) {
    const change = changeOf(isPresent(from, key) ? from[key] : undefined, after);
    if (change !== undefined) changes.push([key, change]);
  }
  return changes.length === 0 ? undefined : Object.fromEntries(changes);
}

function isPresent(object: JsonObject, key: string): boolean {
  return Object.hasOwn(object, key) && object[key] !== undefined;
}

/** Returns the patch value for a change; undefined if none is needed. */
function changeOf(before: JsonValue | undefined, after: JsonValue | undefined): JsonValue | undefined {
  if (after === undefined) return undefined;
  if (after === null && before === undefined) return undefined; // the member is already absent
  if (isJsonObject(before) && isJsonObject(after)) return createMergePatch(before, after);
  return deepEqual(before, after) ? undefined : after;
}
