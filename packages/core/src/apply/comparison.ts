import { deepEqual, isJsonObject } from "../json/index.ts";
import type { JsonObject, JsonValue } from "../json/index.ts";
import { fieldElement } from "./path-element.ts";
import type { FieldPath } from "./path-element.ts";
import { FieldSetBuilder } from "./field-set.ts";
import type { FieldSet } from "./field-set.ts";
import { asList, itemsByElement } from "./list-item.ts";
import { matchShape, fieldType, deduceShape } from "./value-type.ts";
import type { ValueShape, ListType, MapType, ValueType } from "./value-type.ts";

/** The fields that differ between two values. The sets are disjoint. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/** Compares two values. Both must match the type. */
export function compareValues(type: ValueType, before: JsonValue, after: JsonValue): Comparison {
  const walk = new ComparisonWalk();
  walk.value(type, before, after, []);
  return { added: walk.added.build(), modified: walk.modified.build(), removed: walk.removed.build() };
}

/** Returns a comparison restricted to some fields. */
export function filterComparison(comparison: Comparison, filter: (fields: FieldSet) => FieldSet): Comparison {
  const { added, modified, removed } = comparison;
  return { added: filter(added), modified: filter(modified), removed: filter(removed) };
}

type Maybe = JsonValue | undefined;

class ComparisonWalk {
  readonly added: FieldSetBuilder = new FieldSetBuilder();
  readonly modified: FieldSetBuilder = new FieldSetBuilder();
  readonly removed: FieldSetBuilder = new FieldSetBuilder();

  value(type: ValueType, before: Maybe, after: Maybe, path: FieldPath): void {
    const [from, to] = [deduceShape(type, before), deduceShape(type, after)];
    if (before === undefined) this.added.add(path);
    else if (after === undefined) this.removed.add(path);
    // A value of another shape: all old fields are removed, all new ones added.
    if (from !== to && before !== undefined) this.#form(type, from, before, after, path);
    if (from === to || after !== undefined) this.#form(type, to, before, after, path);
  }

  #form(type: ValueType, form: ValueShape, before: Maybe, after: Maybe, path: FieldPath): void {
    matchShape(type, form, {
      scalar: () => this.#whole(before, after, path),
      map: (map) => this.#map(map, before, after, path),
      list: (list) => this.#list(list, before, after, path),
    });
  }

  #whole(before: Maybe, after: Maybe, path: FieldPath): void {
    if (before !== undefined && after !== undefined && !deepEqual(before, after)) this.modified.add(path);
  }

  #map(map: MapType, before: Maybe, after: Maybe, path: FieldPath): void {
    const [old, next] = [asObject(before), asObject(after)];
    const isEmpty = Object.keys(old).length === 0 && Object.keys(next).length === 0;
    if (map.isAtomic || isEmpty) return this.#whole(before, after, path);
    for (const name of Object.keys(old)) this.#field(map, name, old[name], own(next, name), path);
    for (const name of Object.keys(next)) {
      if (!Object.hasOwn(old, name)) this.#field(map, name, undefined, next[name], path);
    }
  }

  #field(map: MapType, name: string, before: Maybe, after: Maybe, path: FieldPath): void {
    const type = before === after ? undefined : fieldType(map, name);
    if (type !== undefined) this.value(type, before, after, [...path, fieldElement(name)]);
  }

  #list(list: ListType, before: Maybe, after: Maybe, path: FieldPath): void {
    const [old, next] = [asList(before), asList(after)];
    if (list.merge === "atomic" || (old.length === 0 && next.length === 0)) return this.#whole(before, after, path);
    const [was, is] = [itemsByElement(list, old), itemsByElement(list, next)];
    for (const element of new Set([...was.keys(), ...is.keys()])) {
      this.#item(list, was.get(element) ?? [], is.get(element) ?? [], [...path, element]);
    }
  }

  /** Compares items with the same key. Duplicates are compared as a whole. */
  #item(list: ListType, before: readonly JsonValue[], after: readonly JsonValue[], path: FieldPath): void {
    if (before.length <= 1 && after.length <= 1) {
      if (before[0] !== after[0]) this.value(list.item, before[0], after[0], path);
    } else if (before.length > 1 && after.length > 1) {
      if (!deepEqual(before, after)) this.modified.add(path);
    } else if (before.length > 1) {
      if (after.length > 0) this.value(list.item, undefined, after[0], path);
      this.removed.add(path);
    } else {
      if (before.length > 0) this.value(list.item, before[0], undefined, path);
      this.added.add(path);
    }
  }
}

function own(object: JsonObject, name: string): Maybe {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function asObject(value: Maybe): JsonObject {
  return isJsonObject(value) ? value : {};
}
