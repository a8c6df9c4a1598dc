import { CelFault, CelOptional, LiteralMap, mapKey, typeName } from "../value/index.ts";
import type { CelOutcome, CelType, CelValue, MapKey } from "../value/index.ts";
import type { CelTypeProvider } from "../declare/index.ts";
import { locate } from "./access.ts";
import { constant, running } from "./frame.ts";
import type { Frame, Planned, Run } from "./frame.ts";

/** What literals cost to make, as in cel-go. */
const LIST_COST = 10;
const MAP_COST = 30;
const STRUCT_COST = 40;

/** A part of a literal; an optional one is left out when absent. */
export interface PlannedPart {
  readonly value: Planned;
  readonly optional: boolean;
  readonly at: number;
}

/** The value of a part; undefined if it is an absent optional. */
function partValue(part: PlannedPart, frame: Frame): CelOutcome | undefined {
  const value = part.value.run(frame);
  if (!part.optional || value instanceof CelFault) return value;
  if (value instanceof CelOptional) return value.value;
  return new CelFault(`no such overload: cannot use ${typeName(value)} as an optional entry`, part.at);
}

/** `[a, b, ?c]`. */
export function planList(items: readonly PlannedPart[]): Planned {
  const constants = items.flatMap(({ value, optional }) =>
    value.constant === undefined || optional ? [] : [value.constant],
  );
  if (constants.length === items.length) return constant(constants);
  return running((frame) => {
    frame.spend(LIST_COST);
    const list: CelValue[] = [];
    for (const item of items) {
      const value = partValue(item, frame);
      if (value instanceof CelFault) return value;
      if (value !== undefined) list.push(value);
    }
    return list;
  });
}

/** An entry of a map literal. */
export interface PlannedEntry extends PlannedPart {
  readonly key: Planned;
}

/** `{k: v, ?o: w}`. */
export function planMap(entries: readonly PlannedEntry[]): Planned {
  return running((frame) => {
    frame.spend(MAP_COST);
    const map = new MapBuilder();
    for (const entry of entries) {
      const key = entry.key.run(frame);
      if (key instanceof CelFault) return key;
      const value = partValue(entry, frame);
      if (value instanceof CelFault) return value;
      if (value === undefined) continue;
      const failure = map.add(key, value);
      if (failure !== undefined) return failure.located(entry.at);
    }
    return map.done();
  });
}

/** Collects the entries of a new map. */
export class MapBuilder {
  readonly #entries = new Map<MapKey, { readonly key: CelValue; readonly value: CelValue }>();

  /** Adds an entry; answers with an error if its key is there already, or cannot be a key. */
  add(key: CelValue, value: CelValue): CelFault | undefined {
    const type = typeName(key);
    const normal = type === "double" ? undefined : mapKey(key);
    if (normal === undefined) return new CelFault(`unsupported key type: ${type}`);
    if (this.#entries.has(normal)) return new CelFault(`Failed with repeated key: ${String(normal).slice(0, 100)}`);
    this.#entries.set(normal, { key, value });
    return undefined;
  }

  done(): LiteralMap {
    return new LiteralMap(this.#entries);
  }
}

/** A field of an object literal. */
export interface PlannedField extends PlannedPart {
  readonly name: string;
}

/** `Type{field: value}`. */
export function planStruct(
  name: string,
  type: CelType | undefined,
  fields: readonly PlannedField[],
  provider: CelTypeProvider,
  at: number,
): Run {
  if (type === undefined) return () => new CelFault(`unknown type: '${name}'`, at);
  return (frame) => {
    frame.spend(STRUCT_COST);
    const values = new Map<string, CelValue>();
    for (const field of fields) {
      const value = partValue(field, frame);
      if (value instanceof CelFault) return value;
      if (value !== undefined) values.set(field.name, value);
    }
    return locate(provider.create(name, values), at);
  };
}
