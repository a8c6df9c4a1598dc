import { isJsonObject } from "../json/index.ts";
import type { JsonValue } from "../json/index.ts";
import { keyElement, valueElement } from "./path-element.ts";
import type { PathElement } from "./path-element.ts";
import type { ListType } from "./value-type.ts";

/** An item that is invalid in a keyed list or a set. */
export interface InvalidItem {
  readonly problem: string;
}

/** Returns the path element of an item of a keyed list or a set. */
export function itemElement(list: ListType, item: JsonValue): PathElement | InvalidItem {
  return list.merge === "keyed" ? keyedElement(list, item) : setElement(item);
}

function keyedElement(list: ListType, item: JsonValue): PathElement | InvalidItem {
  if (item === null) return { problem: "associative list with keys may not have a null element" };
  if (!isJsonObject(item)) return { problem: "associative list with keys may not have non-map elements" };
  const keys: [string, JsonValue][] = [];
  for (const name of list.keys) {
    const value = Object.hasOwn(item, name) ? item[name] : list.item.map?.defaultOf(name);
    if (value !== undefined) keys.push([name, value]);
  }
  if (keys.length > 0) return keyElement(Object.fromEntries(keys));
  const names = list.keys.map((name) => JSON.stringify(name)).join(" ");
  return {
    problem: `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`,
  };
}

function setElement(item: JsonValue): PathElement | InvalidItem {
  if (item === null) return { problem: "associative list without keys has an element that's an explicit null" };
  if (Array.isArray(item)) return { problem: "not supported: associative list with lists as elements" };
  if (typeof item === "object") return { problem: "associative list without keys has an element that's a map type" };
  return valueElement(item);
}

/** Groups items by path element, in order. Invalid items are omitted. */
export function itemsByElement(
  list: ListType,
  items: readonly JsonValue[],
): ReadonlyMap<PathElement, readonly JsonValue[]> {
  const found = new Map<PathElement, JsonValue[]>();
  for (const item of items) {
    const element = itemElement(list, item);
    if (typeof element !== "string") continue;
    const same = found.get(element);
    if (same === undefined) found.set(element, [item]);
    else same.push(item);
  }
  return found;
}

/** Returns a value as a list; empty if it is not a list. */
export function asList(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : []; // isArray does not narrow readonly lists
}
