import type { FieldPath } from "./element.ts";
import { FieldSetBuilder } from "./field-set.ts";
import type { FieldSet } from "./field-set.ts";
import { typeBelow } from "./value-fields.ts";
import { byForm } from "./value-type.ts";
import type { ValueType } from "./value-type.ts";

/**
 * A set that was written under an older schema, as the present one has it: who owned parts of what is now owned as a whole, owns the
 * whole. The other direction needs nothing.
 */
export function followSchema(set: FieldSet, type: ValueType): FieldSet {
  const whole = new FieldSetBuilder();
  collect(set, type, [], whole);
  const wholes = whole.build();
  return wholes.isEmpty ? set : set.without(wholes).union(wholes);
}

function collect(set: FieldSet, type: ValueType, path: FieldPath, whole: FieldSetBuilder): void {
  for (const element of set.elements) {
    const below = set.below(element);
    const child = typeBelow(type, element) ?? (element.startsWith("v:") ? type.list?.item : undefined);
    if (child === undefined) continue;
    const isWhole = set.hasElement(element) && below.isEmpty;
    const at = [...path, element];
    const descends = byForm(child, "open", {
      scalar: () => false,
      map: (map) => {
        if (map.isOpen) return false;
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
