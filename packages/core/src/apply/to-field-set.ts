import { isJsonObject } from "../json/index.ts";
import type { JsonValue } from "../json/index.ts";
import { fieldElement, fieldNameOf, isKeyElement } from "./path-element.ts";
import type { PathElement } from "./path-element.ts";
import { FieldSet } from "./field-set.ts";
import type { FieldNode } from "./field-set.ts";
import { asList, itemsByElement } from "./list-item.ts";
import { matchShape, fieldType, deduceShape } from "./value-type.ts";
import type { ListType, MapType, ValueType } from "./value-type.ts";

/**
 * Returns every field and item of a value: the fields an applier owns. Declared fields with children are included
 * through their children only; map entries and list items are included themselves too.
 */
export function toFieldSet(type: ValueType, value: JsonValue): FieldSet {
  return nodeOf(type, value).withPrefix;
}

const WHOLE: FieldNode = { member: true, withPrefix: FieldSet.empty };
const NOTHING: FieldNode = { member: false, withPrefix: FieldSet.empty };

function nodeOf(type: ValueType, value: JsonValue): FieldNode {
  return matchShape<FieldNode>(type, deduceShape(type, value), {
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
    const type = declared ?? map.elementType;
    const node = type === undefined ? NOTHING : nodeOf(type, child);
    const isHollow = child === null || (isJsonObject(child) && Object.keys(child).length === 0);
    const isEntry = declared === undefined || isHollow;
    steps.push([fieldElement(name), isEntry && !node.member ? { member: true, withPrefix: node.withPrefix } : node]);
  }
  return { member: false, withPrefix: FieldSet.from(steps) };
}

function nodeOfList(list: ListType, value: JsonValue): FieldNode {
  if (list.merge === "atomic") return WHOLE;
  const steps: [PathElement, FieldNode][] = [];
  for (const [element, [item, ...others]] of itemsByElement(list, asList(value))) {
    // Duplicate items are owned as a whole.
    const below = item === undefined || others.length > 0 ? FieldSet.empty : nodeOf(list.item, item).withPrefix;
    steps.push([element, { member: true, withPrefix: below }]);
  }
  return { member: false, withPrefix: FieldSet.from(steps) };
}

/** Adds every declared field that contains paths of the set: `spec` for `spec.replicas`, but not map entries. */
export function ensureNamedFieldsAreMembers(set: FieldSet, type: ValueType | undefined): FieldSet {
  return FieldSet.from(
    set.elements.map((element) => {
      const below = set.withPrefix(element);
      const name = fieldNameOf(element);
      const isDeclared = name !== undefined && !below.isEmpty && type?.map?.declared(name) !== undefined;
      return [
        element,
        {
          member: set.hasElement(element) || isDeclared,
          withPrefix: below.isEmpty ? below : ensureNamedFieldsAreMembers(below, typeAtElement(type, element)),
        },
      ] as const;
    }),
  );
}

/** Returns the type at a path element; undefined if it is unknown. */
export function typeAtElement(type: ValueType | undefined, element: PathElement): ValueType | undefined {
  const name = fieldNameOf(element);
  if (name !== undefined) return type?.map === undefined ? undefined : fieldType(type.map, name);
  return isKeyElement(element) ? type?.list?.item : undefined;
}
