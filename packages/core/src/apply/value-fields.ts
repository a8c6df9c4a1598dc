import { isJsonObject } from "../json/index.ts";
import type { JsonValue } from "../json/index.ts";
import { fieldElement, fieldNameOf, isKeyElement } from "./element.ts";
import type { PathElement } from "./element.ts";
import { FieldSet } from "./field-set.ts";
import type { FieldNode } from "./field-set.ts";
import { asList, itemsByElement } from "./list-item.ts";
import { byForm, fieldType, formOf } from "./value-type.ts";
import type { ListType, MapType, ValueType } from "./value-type.ts";

/**
 * Every field and item that a value mentions: what an applier owns. A declared field that holds others counts only through them; an
 * entry of a map and an item of a list count themselves, too.
 */
export function fieldsOfValue(type: ValueType, value: JsonValue): FieldSet {
  return nodeOf(type, value).below;
}

const WHOLE: FieldNode = { member: true, below: FieldSet.empty };
const NOTHING: FieldNode = { member: false, below: FieldSet.empty };

function nodeOf(type: ValueType, value: JsonValue): FieldNode {
  return byForm<FieldNode>(type, formOf(type, value), {
    scalar: () => WHOLE,
    map: (map) => nodeOfMap(map, value),
    list: (list) => nodeOfList(list, value),
  });
}

function nodeOfMap(map: MapType, value: JsonValue): FieldNode {
  if (map.isAtomic) return WHOLE;
  if (!isJsonObject(value)) return NOTHING;
  const steps: [PathElement, FieldNode][] = [];
  for (const [name, child] of Object.entries(value)) {
    const declared = map.declared(name);
    const type = declared ?? map.others;
    const node = type === undefined ? NOTHING : nodeOf(type, child);
    const isHollow = child === null || (isJsonObject(child) && Object.keys(child).length === 0);
    const isEntry = declared === undefined || isHollow;
    steps.push([fieldElement(name), isEntry && !node.member ? { member: true, below: node.below } : node]);
  }
  return { member: false, below: FieldSet.from(steps) };
}

function nodeOfList(list: ListType, value: JsonValue): FieldNode {
  if (list.merge === "atomic") return WHOLE;
  const steps: [PathElement, FieldNode][] = [];
  for (const [element, [item, ...others]] of itemsByElement(list, asList(value))) {
    // Items that are there several times are owned as a whole.
    const below = item === undefined || others.length > 0 ? FieldSet.empty : nodeOf(list.item, item).below;
    steps.push([element, { member: true, below }]);
  }
  return { member: false, below: FieldSet.from(steps) };
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
