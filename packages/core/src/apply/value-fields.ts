import { isJsonObject } from "../json/index.ts";
import type { JsonValue } from "../json/index.ts";
import { fieldElement, fieldNameOf, isKeyElement } from "./element.ts";
import type { FieldPath, PathElement } from "./element.ts";
import { FieldSet, FieldSetBuilder } from "./field-set.ts";
import { asList, itemsByElement } from "./list-item.ts";
import { byForm, fieldType, formOf } from "./value-type.ts";
import type { ListType, MapType, ValueType } from "./value-type.ts";

/**
 * Every field and item that a value mentions: what an applier owns. A declared field that holds others counts only through them; an
 * entry of a map and an item of a list count themselves, too.
 */
export function fieldsOfValue(type: ValueType, value: JsonValue): FieldSet {
  const fields = new FieldSetBuilder();
  addValue(type, value, [], fields);
  return fields.build();
}

function addValue(type: ValueType, value: JsonValue, path: FieldPath, fields: FieldSetBuilder): void {
  byForm<void>(type, formOf(type, value), {
    scalar: () => fields.add(path),
    map: (map) => addMap(map, value, path, fields),
    list: (list) => addList(list, value, path, fields),
  });
}

function addMap(map: MapType, value: JsonValue, path: FieldPath, fields: FieldSetBuilder): void {
  if (map.isAtomic) {
    fields.add(path);
    return;
  }
  if (!isJsonObject(value)) return;
  for (const [name, child] of Object.entries(value)) {
    const below = [...path, fieldElement(name)];
    const declared = map.declared(name);
    const type = declared ?? map.others;
    if (type !== undefined) addValue(type, child, below, fields);
    const isHollow = child === null || (isJsonObject(child) && Object.keys(child).length === 0);
    if (declared === undefined || isHollow) fields.add(below);
  }
}

function addList(list: ListType, value: JsonValue, path: FieldPath, fields: FieldSetBuilder): void {
  if (list.merge === "atomic") {
    fields.add(path);
    return;
  }
  for (const [element, [item, ...others]] of itemsByElement(list, asList(value))) {
    const below = [...path, element];
    fields.add(below);
    // Items that are there several times are owned as a whole.
    if (item !== undefined && others.length === 0) addValue(list.item, item, below, fields);
  }
}

/** The set with every declared field that holds paths of it: `spec` beside `spec.replicas`, but no entry of a map. */
export function withDeclaredFields(set: FieldSet, type: ValueType | undefined): FieldSet {
  return FieldSet.from(
    set.elements.map((element) => {
      const below = set.below(element);
      const name = fieldNameOf(element);
      const isDeclared = name !== undefined && !below.isEmpty && type?.map?.declared(name) !== undefined;
      return [
        element,
        {
          member: set.hasElement(element) || isDeclared,
          below: below.isEmpty ? below : withDeclaredFields(below, typeBelow(type, element)),
        },
      ] as const;
    }),
  );
}

/** The type of what a step leads to; undefined where the type knows nothing of it. */
export function typeBelow(type: ValueType | undefined, element: PathElement): ValueType | undefined {
  const name = fieldNameOf(element);
  if (name !== undefined) return type?.map === undefined ? undefined : fieldType(type.map, name);
  return isKeyElement(element) ? type?.list?.item : undefined;
}
