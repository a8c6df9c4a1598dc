import type { FieldPath } from "./path-element.ts";
import { FieldSetBuilder } from "./field-set.ts";
import type { FieldSet } from "./field-set.ts";
import { typeAtElement } from "./to-field-set.ts";
import { matchShape } from "./value-type.ts";
import type { ValueType } from "./value-type.ts";

/**
 * Adapts a set written under an older schema to the current one: managers of parts of a value that is now atomic own
 * the whole value. The other direction needs no change.
 */
export function reconcileFieldSetWithSchema(set: FieldSet, type: ValueType): FieldSet {
  const known = current.get(type) ?? new WeakSet();
  if (known.has(set)) return set;
  const reconciled = reconcile(set, type);
  current.set(type, known.add(reconciled));
  return reconciled;
}

/** The sets that match a type. Every write reads all sets of its object, and changes few. */
const current = new WeakMap<ValueType, WeakSet<FieldSet>>();

function reconcile(set: FieldSet, type: ValueType): FieldSet {
  const whole = new FieldSetBuilder();
  collect(set, type, [], whole);
  const wholes = whole.build();
  return wholes.isEmpty ? set : set.recursiveDifference(wholes).union(wholes);
}

function collect(set: FieldSet, type: ValueType, path: FieldPath, whole: FieldSetBuilder): void {
  for (const element of set.elements) {
    const below = set.withPrefix(element);
    const child = typeAtElement(type, element) ?? (element.startsWith("v:") ? type.list?.item : undefined);
    if (child === undefined) continue;
    const isWhole = set.hasElement(element) && below.isEmpty;
    const at = [...path, element];
    const descends = matchShape(child, "open", {
      scalar: () => false,
      map: (map) => {
        if (map.preservesUnknownFields) return false;
        if (map.isAtomic && !isWhole && !below.isEmpty) whole.add(at);
        return !map.isAtomic || isWhole;
      },
      list: (list) => {
        if (list.merge === "atomic" && !isWhole) whole.add(at);
        return list.merge !== "atomic" || isWhole;
      },
    });
    if (descends) collect(below, child, at, whole);
  }
}
