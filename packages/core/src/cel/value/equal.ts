import { compareNumbers } from "./compare.ts";
import { PartsCostTracker } from "./eval-cancelled.ts";
import type { CostTracker } from "./eval-cancelled.ts";
import { CelOptional } from "./optional.ts";
import { isList } from "./type-of.ts";
import { numeric } from "./int.ts";
import { isMap, mapGet, mapKey, mapKeys, mapSize } from "./map.ts";
import type { AnyMap } from "./map.ts";
import { CelObject } from "./object.ts";
import type { CelList, CelValue } from "./value.ts";

/**
 * Implements `==`. Numbers are compared by value regardless of type, lists and maps by their elements; values of other
 * different types are not equal. NaN is not equal to any value. The JSON reader and the parser bound the depth of
 * values. Costs 1 per element, and a tenth per compared character, byte or key.
 */
export function equal(a: CelValue, b: CelValue, meter: CostTracker = new PartsCostTracker()): boolean {
  if (a === b) {
    if (typeof a === "string") meter.spend(a.length * 0.1);
    return true;
  }
  if (typeof a !== "object" && typeof b !== "object") return false; // scalars of one form, or of different types
  const left = numeric(a);
  if (left !== undefined) {
    const right = numeric(b);
    return right !== undefined && compareNumbers(left, right) === 0;
  }
  if (a === null || b === null || typeof a !== "object" || typeof b !== "object") return false;
  if (isList(a)) return isList(b) && equalLists(a, b, meter);
  if (a instanceof Uint8Array) return b instanceof Uint8Array && equalBytes(a, b, meter);
  if (isMap(a)) return isMap(b) && equalMaps(a, b, meter);
  if (a instanceof CelOptional) return b instanceof CelOptional && equalOptionals(a, b, meter);
  return b instanceof CelObject && a.constructor === b.constructor && a.equals(b);
}

function equalLists(a: CelList, b: CelList, meter: CostTracker): boolean {
  if (a.length !== b.length) return false;
  return a.every((item, index) => {
    meter.spend(1);
    return equal(item, b[index] ?? null, meter);
  });
}

function equalBytes(a: Uint8Array, b: Uint8Array, meter: CostTracker): boolean {
  if (a.length !== b.length) return false;
  meter.spend(a.length * 0.1);
  return a.every((byte, index) => byte === b[index]);
}

function equalMaps(a: AnyMap, b: AnyMap, meter: CostTracker): boolean {
  const [left, right] = [mapSize(a), mapSize(b)];
  meter.spend((left + right) * 0.1);
  if (left !== right) return false;
  return mapKeys(a).every((key) => {
    meter.spend(1);
    const normal = mapKey(key);
    if (normal === undefined) return false;
    const mine = mapGet(a, normal);
    const other = mapGet(b, normal);
    return mine !== undefined && other !== undefined && equal(mine, other, meter);
  });
}

function equalOptionals(a: CelOptional, b: CelOptional, meter: CostTracker): boolean {
  if (a.value === undefined || b.value === undefined) return a.value === b.value;
  return equal(a.value, b.value, meter);
}
