import { isJsonObject } from "@levelset/core";
import { canonicalJson, deepEqual, parseJson } from "@levelset/core/internal";
import type { JsonObject, JsonValue } from "@levelset/core";
import type { FieldPath, FieldSet, PathElement } from "@levelset/core/apply";
import { parseJsonPointer } from "@levelset/core/apply";

/**
 * Returns a value without the fields of a set, as an apply that no longer contains them removes them. A field of the set
 * is removed with everything below it, unless something below it is kept. Needs no schema: the elements of the paths
 * distinguish maps, keyed lists and sets.
 */
export function removePaths<Value extends JsonValue>(value: Value, removed: FieldSet, kept: FieldSet): Value {
  // Removal preserves the shape of the value.
  return without(value, removed, kept) as Value;
}

function without(value: JsonValue, removed: FieldSet, kept: FieldSet): JsonValue {
  const children = childrenOf(value);
  const gone = new Set<number>();
  const changed = new Map<number, JsonValue>();
  for (const element of removed.elements) {
    const index = children.findIndex(([name, child]) => isAt(name, child, element));
    const [, child] = children[index] ?? [];
    if (child === undefined) continue;
    const [below, keptBelow] = [removed.withPrefix(element), kept.withPrefix(element)];
    const isKept = kept.hasElement(element) || !keptBelow.isEmpty;
    if (removed.hasElement(element) && !isKept) {
      gone.add(index);
      continue;
    }
    const rest = without(child, below, keptBelow);
    if (!isKept && isEmpty(rest) && !isEmpty(child)) gone.add(index);
    else changed.set(index, rest);
  }
  const rest = children.flatMap(([name, child], index) =>
    gone.has(index) ? [] : [[name, changed.get(index) ?? child] as const],
  );
  if (Array.isArray(value)) return rest.map(([, child]) => child);
  return isJsonObject(value) ? Object.fromEntries(rest) : value;
}

/** Returns the path of a JSON pointer in an object: fields, and the elements of the set that stand for list items. */
export function pathOfPointer(value: JsonValue, pointer: string, sets: readonly FieldSet[]): FieldPath {
  const path: PathElement[] = [];
  let [at, below]: [JsonValue | undefined, readonly FieldSet[]] = [value, sets];
  for (const name of parseJsonPointer(pointer)) {
    const found: JsonValue | undefined = childrenOf(at ?? null).find(([one]) => String(one) === name)?.[1];
    const items = Array.isArray(at) ? below.flatMap((set) => set.elements) : [];
    const element = items.find((one) => found !== undefined && isAt(Number(name), found, one)) ?? `f:${name}`;
    path.push(element);
    at = found;
    below = below.map((set) => set.withPrefix(element));
  }
  return path;
}

type Child = readonly [name: string | number, value: JsonValue];

function childrenOf(value: JsonValue): readonly Child[] {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item, index) => [index, item]);
  return isJsonObject(value) ? Object.entries(value) : [];
}

/** Reports whether a path element names this field or list item. */
function isAt(name: string | number, child: JsonValue, element: PathElement): boolean {
  const content = element.slice(2);
  switch (element[0]) {
    case "f":
      return name === content;
    case "i":
      return name === Number(content);
    case "v":
      return typeof name === "number" && canonicalJson(child) === content;
    default: {
      // The keys of an item are an object.
      const keys = parseJson(content) as JsonObject;
      return isJsonObject(child) && Object.entries(keys).every(([key, value]) => deepEqual(child[key], value));
    }
  }
}

function isEmpty(value: JsonValue): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
