import { isJsonObject } from "../json/index.ts";
import type { JsonObject, JsonValue } from "../json/index.ts";
import type { PathElement } from "./path-element.ts";
import { asList, itemElement, itemsByElement } from "./list-item.ts";
import { matchShape, fieldType, deduceShape } from "./value-type.ts";
import type { ListType, MapType, ValueType } from "./value-type.ts";

/**
 * Merges an applied value into a live one: applied values win, no field is removed. Items of keyed lists and sets keep
 * the relative order of the applied value.
 */
export function mergeApplied(type: ValueType, live: JsonValue, applied: JsonValue): JsonValue {
  const form = deduceShape(type, applied);
  return matchShape<JsonValue>(type, form, {
    scalar: () => applied,
    map: (map) => mergeMaps(map, live, applied),
    list: (list) => mergeLists(list, live, applied),
  });
}

function merged(type: ValueType | undefined, live: JsonValue | undefined, applied: JsonValue): JsonValue {
  return live === undefined || type === undefined ? applied : mergeApplied(type, live, applied);
}

function mergeMaps(map: MapType, live: JsonValue, applied: JsonValue): JsonValue {
  const isEmpty = isEmptyObject(live) && isEmptyObject(applied);
  if (map.isAtomic || isEmpty) return applied;
  const members = new Map(isJsonObject(live) ? Object.entries(live) : []);
  for (const [name, value] of isJsonObject(applied) ? Object.entries(applied) : []) {
    members.set(name, merged(fieldType(map, name), members.get(name), value));
  }
  return Object.fromEntries(members);
}

function isEmptyObject(value: JsonValue): boolean {
  return !isJsonObject(value) || Object.keys(value satisfies JsonObject).length === 0;
}

function mergeLists(list: ListType, live: JsonValue, applied: JsonValue): JsonValue {
  const [old, given] = [asList(live), asList(applied)];
  if (list.merge === "atomic" || (old.length === 0 && given.length === 0)) return applied;
  return mergeItems(list, old, given);
}

function mergeItems(list: ListType, old: readonly JsonValue[], given: readonly JsonValue[]): readonly JsonValue[] {
  const [there, applied] = [itemsByElement(list, old), itemsByElement(list, given)];
  const left = old.map((item) => ({ item, element: itemElement(list, item) }));
  const right = [...applied.keys()];
  /** Applied items that exist already, in applied order. */
  const shared = right.filter((element) => there.has(element));
  const taken = new Set<PathElement>();
  const out: JsonValue[] = [];
  const take = (element: PathElement): void => {
    taken.add(element);
    if (shared[0] === element) shared.shift();
    const before = there.get(element) ?? [];
    // Duplicate items have no single value to merge with.
    out.push(merged(list.item, before.length === 1 ? before[0] : undefined, applied.get(element)?.[0] ?? null));
  };
  let [l, r] = [0, 0];
  while (l < left.length || r < right.length) {
    const mine = left[l];
    const next = right[r];
    const element = typeof mine?.element === "string" ? mine.element : undefined;
    if (mine !== undefined && (element === undefined || !applied.has(element))) {
      out.push(mine.item);
      l++;
    } else if (element !== undefined && element === next) {
      take(next);
      l++;
      r++;
    } else if (element !== undefined && next !== undefined && isLater(shared, element)) {
      l++;
    } else {
      if (element !== undefined && taken.has(element)) l++;
      if (next === undefined) continue;
      take(next);
      r++;
    }
  }
  return out;
}

/** Reports whether another shared item comes before this one. */
function isLater(shared: readonly PathElement[], element: PathElement): boolean {
  return shared[0] !== undefined && shared[0] !== element;
}
