import { deepEqual } from "@levelset/core/internal";
import { isJsonObject } from "@levelset/core";

const PATHS_MAX = 5;
const DEPTH_MAX = 6;

/**
 * Returns the deepest paths at which two values differ, limited to a few. List entries are identified by `type` or
 * `name`.
 */
export function changedPaths(before: unknown, after: unknown, path = ""): readonly string[] {
  return [...differences(before, after, path, 0)].slice(0, PATHS_MAX);
}

function* differences(before: unknown, after: unknown, path: string, depth: number): Generator<string> {
  if (deepEqual(before, after)) return;
  const [left, right] = [namedParts(before), namedParts(after)];
  if (left === undefined || right === undefined || depth === DEPTH_MAX) {
    yield path;
    return;
  }
  for (const [name, part] of right) yield* differences(left.get(name), part, path + name, depth + 1);
  for (const name of left.keys()) if (!right.has(name)) yield path + name;
}

/** Returns the fields of an object, or the entries of a list by name; undefined for other values. */
function namedParts(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (isJsonObject(value)) return new Map(Object.entries(value).map(([name, part]) => [`.${name}`, part]));
  if (!Array.isArray(value)) return undefined;
  const parts = new Map<string, unknown>();
  for (const entry of value) {
    const name = isJsonObject(entry) ? (entry["type"] ?? entry["name"]) : undefined;
    if (typeof name !== "string") return undefined;
    parts.set(`[${name}]`, entry);
  }
  return parts;
}
