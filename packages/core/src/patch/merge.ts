/**
 * JSON merge patch (RFC 7386): a patch looks like the object it changes, holding only what is to change, with null for
 * what is to go. Arrays are replaced as a whole.
 */
import { deepEqual, isJsonObject } from "../json/index.ts";
import type { JsonObject, JsonValue } from "../json/index.ts";

/** `target` with `patch` merged in. What the patch does not touch is shared with the target. */
export function applyMergePatch(target: JsonValue, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch;
  // A map, because assigning `__proto__` to an object would be no assignment.
  const members = new Map(isJsonObject(target) ? Object.entries(target) : []);
  for (const [key, change] of Object.entries(patch)) {
    if (change === null) members.delete(key);
    else if (change !== undefined) members.set(key, applyMergePatch(members.get(key) ?? null, change));
  }
  return Object.fromEntries(members);
}

/**
 * A patch that turns `from` into `to`; undefined when there is nothing that a merge patch could change. It cannot express
 * a member whose value is null: such a member of `to` counts as absent, and the patched object lacks it.
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

/** The patch member that turns one value into another; undefined when none is needed. */
function changeOf(before: JsonValue | undefined, after: JsonValue | undefined): JsonValue | undefined {
  if (after === undefined) return undefined;
  if (after === null && before === undefined) return undefined; // would remove what is not there
  if (isJsonObject(before) && isJsonObject(after)) return createMergePatch(before, after);
  return deepEqual(before, after) ? undefined : after;
}
