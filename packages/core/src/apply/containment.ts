import { deepEqual, isJsonObject } from "../json/index.ts";
import type { JsonObject, JsonValue } from "../json/index.ts";
import { compareQuantities, isQuantity, parseQuantity } from "../quantity/index.ts";
import type { Quantity } from "../quantity/index.ts";
import type { PathElement } from "./path-element.ts";
import { asList, itemsByElement } from "./list-item.ts";
import { matchShape, fieldType, deduceShape } from "./value-type.ts";
import type { ListType, MapType, ValueType } from "./value-type.ts";

/**
 * Reports whether a value already contains an applied one, so that applying it again would change nothing. Additional
 * fields are ignored, except inside atomic lists and objects, where only declared defaults may be added. Items of keyed
 * lists are matched by key and must be in applied order. Quantities are compared as numbers.
 */
export function containsApplied(type: ValueType, live: JsonValue | undefined, applied: JsonValue): boolean {
  return contains(type, live, applied, false);
}

/** `isWhole`: additional fields are not allowed. */
function contains(
  type: ValueType | undefined,
  live: JsonValue | undefined,
  applied: JsonValue,
  isWhole: boolean,
): boolean {
  if (applied === null) return live === undefined || live === null;
  if (live === undefined) return false;
  if (type === undefined) return deepEqual(live, applied);
  return matchShape<boolean>(type, deduceShape(type, applied), {
    scalar: () => deepEqual(live, applied) || (type.isQuantity === true && isSameQuantity(live, applied)),
    map: (map) => isJsonObject(live) && isJsonObject(applied) && mapContains(map, live, applied, isWhole),
    list: (list) => Array.isArray(live) && listContains(list, asList(live), asList(applied), isWhole),
  });
}

function isSameQuantity(live: JsonValue, applied: JsonValue): boolean {
  const [left, right] = [quantityOf(live), quantityOf(applied)];
  return left !== undefined && right !== undefined && compareQuantities(left, right) === 0;
}

function quantityOf(value: JsonValue): Quantity | undefined {
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && isQuantity(text) ? parseQuantity(text) : undefined;
}

function mapContains(map: MapType, live: JsonObject, applied: JsonObject, isInWhole: boolean): boolean {
  const isWhole = isInWhole || map.isAtomic;
  for (const [name, value] of Object.entries(applied)) {
    const there = Object.hasOwn(live, name) ? live[name] : undefined;
    if (!contains(fieldType(map, name), there, value, isWhole)) return false;
  }
  if (!isWhole) return true;
  return Object.keys(live).every((name) => Object.hasOwn(applied, name) || deepEqual(live[name], map.defaultOf(name)));
}

function listContains(
  list: ListType,
  live: readonly JsonValue[],
  applied: readonly JsonValue[],
  isInWhole: boolean,
): boolean {
  if (isInWhole || list.merge === "atomic") {
    return (
      live.length === applied.length && applied.every((item, index) => contains(list.item, live[index], item, true))
    );
  }
  const [there, given] = [itemsByElement(list, live), itemsByElement(list, applied)];
  for (const [element, [item = null]] of given) {
    const found = there.get(element) ?? [];
    if (found.length !== 1 || !contains(list.item, found[0], item, false)) return false;
  }
  return list.merge === "set" || inSameOrder([...there.keys()], [...given.keys()]);
}

/** Reports whether the applied items have the same relative order. All of them exist. */
function inSameOrder(live: readonly PathElement[], applied: readonly PathElement[]): boolean {
  const shared = new Set(applied);
  return live.filter((element) => shared.has(element)).every((element, index) => element === applied[index]);
}
