import type { JsonObject } from "../../json/index.ts";
import { integralDouble, intOf } from "./int.ts";
import { CelDouble, CelUint } from "./number.ts";
import { CelObject } from "./object.ts";
import { CEL_DYN, mapType } from "./type.ts";
import type { CelType } from "./type.ts";
import type { CelInt, CelValue } from "./value.ts";

const MAP: CelType = mapType(CEL_DYN, CEL_DYN);

/** A key by which equal keys are found: 1, 1u and 1.0 are one. Undefined for values that cannot be keys. */
export type MapKey = string | boolean | CelInt;

/** A map that is no plain JSON object. */
export abstract class CelMap extends CelObject {
  readonly celType: CelType = MAP;
  abstract readonly size: number;
  /** The value of a key; undefined if the map has none. */
  abstract get(key: MapKey): CelValue | undefined;
  /** The keys as they were given, in their order. */
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

/** Any of the two forms of a map. */
export type AnyMap = CelMap | JsonObject;

/** Whether a value is a map, in either form. */
export function isMap(value: CelValue): value is AnyMap {
  if (value instanceof CelObject) return value instanceof CelMap;
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);
}

/** The form of a key by which it is found; undefined for values that no map has as a key. */
export function mapKey(value: CelValue): MapKey | undefined {
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return Number.isInteger(value) ? value + 0 : undefined;
  if (value instanceof CelUint) return intOf(value.value);
  if (!(value instanceof CelDouble)) return undefined;
  const integer = integralDouble(value.value);
  return integer === undefined ? undefined : intOf(integer);
}

/** How many entries a map has. */
export function mapSize(map: AnyMap): number {
  return map instanceof CelMap ? map.size : Object.keys(map).length;
}

/** The value of a key; undefined if the map has none. Inherited members of objects are no entries. */
export function mapGet(map: AnyMap, key: MapKey): CelValue | undefined {
  if (map instanceof CelMap) return map.get(key);
  return typeof key === "string" && Object.hasOwn(map, key) ? map[key] : undefined;
}

/** The keys of a map, in their order. */
export function mapKeys(map: AnyMap): readonly CelValue[] {
  return map instanceof CelMap ? map.keys() : Object.keys(map);
}

/** A map from entries whose keys are known to be strings and different. */
export function stringMap(entries: Iterable<readonly [string, CelValue]>): CelMap {
  const map = new Map<MapKey, { readonly key: CelValue; readonly value: CelValue }>();
  for (const [key, value] of entries) map.set(key, { key, value });
  return new LiteralMap(map);
}
