import type { JsonObject } from "../../json/index.ts";
import { integralDouble, intOf } from "./int.ts";
import { CelDouble, CelUint } from "./number.ts";
import { CelObject } from "./object.ts";
import { CEL_DYN, mapType } from "./type.ts";
import type { CelType } from "./type.ts";
import type { CelInt, CelValue } from "./value.ts";

const MAP: CelType = mapType(CEL_DYN, CEL_DYN);

/** The lookup form of a key: 1, 1u and 1.0 are equal. Undefined for values that cannot be keys. */
export type MapKey = string | boolean | CelInt;

/** A map that is not a plain JSON object. */
export abstract class CelMap extends CelObject {
  readonly celType: CelType = MAP;
  abstract readonly size: number;
  /** Returns the value of a key, or undefined. */
  abstract get(key: MapKey): CelValue | undefined;
  /** The original keys, in order. */
  abstract keys(): readonly CelValue[];

  override isZero(): boolean {
    return this.size === 0;
  }
}

/** A map from an expression, with keys of any allowed type. */
export class LiteralMap extends CelMap {
  readonly #entries: ReadonlyMap<MapKey, { readonly key: CelValue; readonly value: CelValue }>;

  constructor(entries: ReadonlyMap<MapKey, { readonly key: CelValue; readonly value: CelValue }>) {
    super();
    this.#entries = entries;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: MapKey): CelValue | undefined {
    return this.#entries.get(key)?.value;
  }

  keys(): readonly CelValue[] {
    return Array.from(this.#entries.values(), ({ key }) => key);
  }
}

/** A map in either representation. */
export type AnyMap = CelMap | JsonObject;

/** Returns whether a value is a map, in either representation. */
export function isMap(value: CelValue): value is AnyMap {
  if (value instanceof CelObject) return value instanceof CelMap;
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);
}

/** Returns the lookup form of a key; undefined for values that cannot be keys. */
export function mapKey(value: CelValue): MapKey | undefined {
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return Number.isInteger(value) ? value + 0 : undefined;
  if (value instanceof CelUint) return intOf(value.value);
  if (!(value instanceof CelDouble)) return undefined;
  const integer = integralDouble(value.value);
  return integer === undefined ? undefined : intOf(integer);
}

/** Returns the number of entries of a map. */
export function mapSize(map: AnyMap): number {
  return map instanceof CelMap ? map.size : Object.keys(map).length;
}

/** Returns the value of a key, or undefined. Inherited members of objects are not entries. */
export function mapGet(map: AnyMap, key: MapKey): CelValue | undefined {
  if (map instanceof CelMap) return map.get(key);
  return typeof key === "string" && Object.hasOwn(map, key) ? map[key] : undefined;
}

/** Returns the keys of a map, in order. */
export function mapKeys(map: AnyMap): readonly CelValue[] {
  return map instanceof CelMap ? map.keys() : Object.keys(map);
}

/** Returns a map of entries with distinct string keys. */
export function stringMap(entries: Iterable<readonly [string, CelValue]>): CelMap {
  const map = new Map<MapKey, { readonly key: CelValue; readonly value: CelValue }>();
  for (const [key, value] of entries) map.set(key, { key, value });
  return new LiteralMap(map);
}
