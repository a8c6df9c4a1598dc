import { isJsonObject } from "@levelset/core";
import type { JsonValue } from "@levelset/core";
import { canonicalJson, deepEqual } from "@levelset/core/internal";

/** One value that two objects do not share. */
export interface Difference {
  /** The object: `ConfigMap default/a`. */
  readonly object: string;
  /** The path of the field, `data.key`; empty if one side lacks the whole object. */
  readonly path: string;
  /** The value as JSON; undefined if it is absent. */
  readonly expected: string | undefined;
  readonly actual: string | undefined;
}

/** Returns the paths at which two values differ. Lists are compared item by item, maps key by key. */
export function differencesOf(
  object: string,
  expected: JsonValue | undefined,
  actual: JsonValue | undefined,
  path: string = "",
): readonly Difference[] {
  if (expected !== undefined && actual !== undefined && deepEqual(expected, actual)) return [];
  const [left, right] = [membersOf(expected), membersOf(actual)];
  if (left !== undefined && right !== undefined) {
    const names = [...new Set([...left.keys(), ...right.keys()])].toSorted();
    return names.flatMap((name) => {
      const below = path === "" ? name : `${path}.${name}`;
      return differencesOf(object, left.get(name), right.get(name), below);
    });
  }
  return expected === actual ? [] : [{ object, path, expected: textOf(expected), actual: textOf(actual) }];
}

/** Returns the members of an object, or the items of a list by their identity: `name`, `key` or `type`, else the index. */
function membersOf(value: JsonValue | undefined): ReadonlyMap<string, JsonValue> | undefined {
  if (Array.isArray(value)) {
    return new Map(value.map((item: JsonValue, index): [string, JsonValue] => [`[${identityOf(item, index)}]`, item]));
  }
  return isJsonObject(value)
    ? new Map(Object.entries(value).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined))
    : undefined;
}

function identityOf(item: JsonValue, index: number): string {
  if (!isJsonObject(item)) return String(index);
  const id = [item["name"], item["key"], item["type"]].find((value) => typeof value === "string");
  return typeof id === "string" ? id : String(index);
}

function textOf(value: JsonValue | undefined): string | undefined {
  return value === undefined ? undefined : canonicalJson(value);
}
