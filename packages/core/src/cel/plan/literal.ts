import { CelError, CelOptional, LiteralMap, mapKey, typeName } from "../value/index.ts";
import type { CelOutcome, CelType, CelValue, MapKey } from "../value/index.ts";
import type { CelTypeProvider } from "../declare/index.ts";
import { attachOffset } from "./access.ts";
import { constantExpr, dynamicExpr } from "./frame.ts";
import type { ExecutionFrame, PlannedExpr, EvalFunction } from "./frame.ts";

/** Costs of creating literals, as in cel-go. */
const LIST_COST = 10;
const MAP_COST = 30;
const STRUCT_COST = 40;

/** An element of a literal; an absent optional is omitted. */
export interface PlannedPart {
  readonly value: PlannedExpr;
  readonly optional: boolean;
  readonly at: number;
}

/** Returns the value of an element; undefined if it is an absent optional. */
function partValue(part: PlannedPart, frame: ExecutionFrame): CelOutcome | undefined {
  const value = part.value.run(frame);
  if (!part.optional || value instanceof CelError) return value;
  if (value instanceof CelOptional) return value.value;
  return new CelError(`no such overload: cannot use ${typeName(value)} as an optional entry`, part.at);
}

/** `[a, b, ?c]`. */
export function planList(items: readonly PlannedPart[]): PlannedExpr {
  const constants = items.flatMap(({ value, optional }) =>
    value.constant === undefined || optional ? [] : [value.constant],
  );
  if (constants.length === items.length) return constantExpr(constants);
  return dynamicExpr((frame) => {
    frame.spend(LIST_COST);
    const list: CelValue[] = [];
    for (const item of items) {
      const value = partValue(item, frame);
      if (value instanceof CelError) return value;
      if (value !== undefined) list.push(value);
    }
    return list;
  });
}

/** An entry of a map literal. */
export interface PlannedEntry extends PlannedPart {
  readonly key: PlannedExpr;
}

/** `{k: v, ?o: w}`. */
export function planMap(entries: readonly PlannedEntry[]): PlannedExpr {
  return dynamicExpr((frame) => {
    frame.spend(MAP_COST);
    const map = new MapBuilder();
    for (const entry of entries) {
      const key = entry.key.run(frame);
      if (key instanceof CelError) return key;
      const value = partValue(entry, frame);
      if (value instanceof CelError) return value;
      if (value === undefined) continue;
      const failure = map.add(key, value);
      if (failure !== undefined) return failure.withOffset(entry.at);
    }
    return map.build();
  });
}

/** Collects the entries of a new map. */
export class MapBuilder {
  readonly #entries = new Map<MapKey, { readonly key: CelValue; readonly value: CelValue }>();

  /** Adds an entry. Returns an error if its key is a duplicate or cannot be a key. */
  add(key: CelValue, value: CelValue): CelError | undefined {
    const type = typeName(key);
    const normal = type === "double" ? undefined : mapKey(key);
    if (normal === undefined) return new CelError(`unsupported key type: ${type}`);
    if (this.#entries.has(normal)) return new CelError(`Failed with repeated key: ${String(normal).slice(0, 100)}`);
    this.#entries.set(normal, { key, value });
    return undefined;
  }

  build(): LiteralMap {
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
): EvalFunction {
  if (type === undefined) return () => new CelError(`unknown type: '${name}'`, at);
  return (frame) => {
    frame.spend(STRUCT_COST);
    const values = new Map<string, CelValue>();
    for (const field of fields) {
      const value = partValue(field, frame);
      if (value instanceof CelError) return value;
      if (value !== undefined) values.set(field.name, value);
    }
    return attachOffset(provider.create(name, values), at);
  };
}
