import { order } from "./compare.ts";
import { PartsMeter } from "./stop.ts";
import type { Meter } from "./stop.ts";
import { CelOptional } from "./optional.ts";
import { isList } from "./kind.ts";
import { numeric } from "./int.ts";
import { isMap, mapGet, mapKey, mapKeys, mapSize } from "./map.ts";
import type { AnyMap } from "./map.ts";
import { CelObject } from "./object.ts";
import type { CelList, CelValue } from "./value.ts";

/**
 * `==`: numbers by their mathematical value whatever their type, lists and maps by their parts, values of different types
 * are different. NaN equals nothing. Data has a bounded depth: the reader of JSON and the parser see to it. Costs 1 per part, a
 * tenth per character, byte or key that is looked at.
 */
export function equal(a: CelValue, b: CelValue, meter: Meter = new PartsMeter()): boolean {
  if (a === b) {
    if (typeof a === "string") meter.spend(a.length * 0.1);
    return true;
  }
  if (typeof a !== "object" && typeof b !== "object") return false; // scalars of one form, or of different types
  const left = numeric(a);
  if (left !== undefined) {
    const right = numeric(b);
    return right !== undefined && order(left, right) === 0;
  }
  if (a === null || b === null || typeof a !== "object" || typeof b !== "object") return false;
  if (isList(a)) return isList(b) && equalLists(a, b, meter);
  if (a instanceof Uint8Array) return b instanceof Uint8Array && equalBytes(a, b, meter);
  if (isMap(a)) return isMap(b) && equalMaps(a, b, meter);
  if (a instanceof CelOptional) return b instanceof CelOptional && equalOptionals(a, b, meter);
  return b instanceof CelObject && a.constructor === b.constructor && a.equals(b);
}

function equalLists(a: CelList, b: CelList, meter: Meter): boolean {
  if (a.length !== b.length) return false;
  return a.every((item, index) => {
    meter.spend(1);
    return equal(item, b[index] ?? null, meter);
  });
}

function equalBytes(a: Uint8Array, b: Uint8Array, meter: Meter): boolean {
  if (a.length !== b.length) return false;
  meter.spend(a.length * 0.1);
  return a.every((byte, index) => byte === b[index]);
}

function equalMaps(a: AnyMap, b: AnyMap, meter: Meter): boolean {
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

function equalOptionals(a: CelOptional, b: CelOptional, meter: Meter): boolean {
  if (a.value === undefined || b.value === undefined) return a.value === b.value;
  return equal(a.value, b.value, meter);
}
