import { isJsonObject } from "../json/index.ts";
import type { JsonValue } from "../json/index.ts";
import { fieldElement } from "./element.ts";
import type { FieldSet } from "./field-set.ts";
import { asList, itemElement } from "./list-item.ts";
import { byForm, fieldType, formOf } from "./value-type.ts";
import type { ListType, MapType, ValueType } from "./value-type.ts";

/** A value without the fields and items of a set. What is empty then is null. */
export function removeFields(type: ValueType, value: JsonValue, fields: FieldSet): JsonValue {
  return byForm<JsonValue>(type, formOf(type, value), {
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
    const below = fields.below(element);
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
    const below = fields.below(element);
    kept.push(below.isEmpty ? item : removeFields(list.item, item, below));
  }
  return kept.length === 0 ? null : kept;
}
