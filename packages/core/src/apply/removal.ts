import { isJsonObject } from "../json/index.ts";
import type { JsonValue } from "../json/index.ts";
import { fieldElement } from "./path-element.ts";
import type { FieldSet } from "./field-set.ts";
import { asList, itemElement } from "./list-item.ts";
import { matchShape, fieldType, deduceShape } from "./value-type.ts";
import type { ListType, MapType, ValueType } from "./value-type.ts";

/** Removes the fields and items of a set. Values that become empty are null. */
export function removeFields(type: ValueType, value: JsonValue, fields: FieldSet): JsonValue {
  return matchShape<JsonValue>(type, deduceShape(type, value), {
    scalar: () => value,
    map: (map) => removeFromMap(map, value, fields),
    list: (list) => removeFromList(list, value, fields),
  });
}

function removeFromMap(map: MapType, value: JsonValue, fields: FieldSet): JsonValue {
  if (map.isAtomic || !isJsonObject(value)) return null;
  const kept: [string, JsonValue][] = [];
  for (const [name, child] of Object.entries(value)) {
    const element = fieldElement(name);
    if (fields.hasElement(element)) continue;
    const below = fields.withPrefix(element);
    const type = below.isEmpty ? undefined : fieldType(map, name);
    kept.push([name, type === undefined ? child : removeFields(type, child, below)]);
  }
  return kept.length === 0 ? null : Object.fromEntries(kept);
}

function removeFromList(list: ListType, value: JsonValue, fields: FieldSet): JsonValue {
  if (list.merge === "atomic") return null;
  const kept: JsonValue[] = [];
  for (const item of asList(value)) {
    const element = itemElement(list, item);
    if (typeof element !== "string") {
      kept.push(item);
      continue;
    }
    if (fields.hasElement(element)) continue;
    const below = fields.withPrefix(element);
    kept.push(below.isEmpty ? item : removeFields(list.item, item, below));
  }
  return kept.length === 0 ? null : kept;
}
