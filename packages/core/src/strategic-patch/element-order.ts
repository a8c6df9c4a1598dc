import { deepEqual, isJsonObject } from "../json/index.ts";
import type { JsonValue } from "../json/index.ts";
import { formatGoValue } from "../error/index.ts";
import { StrategicPatchError } from "./strategic-patch-error.ts";

/** The items of a list. */
export type Items = readonly JsonValue[];

/**
 * Returns the identity of an item: its merge key, or the item itself if there is no key. Undefined if the key is
 * missing.
 */
export function mergeKeyValue(item: JsonValue, mergeKey: string | undefined): JsonValue | undefined {
  if (mergeKey === undefined) return item;
  return isJsonObject(item) && Object.hasOwn(item, mergeKey) ? item[mergeKey] : undefined;
}

/** Returns the common type of all items. Throws a `StrategicPatchError` if there is none, or if items are lists. */
export function sliceElementType(...lists: readonly Items[]): string {
  const types = new Set(lists.flat().map((item) => (Array.isArray(item) ? "list" : typeof item)));
  const [first, second] = types;
  if (first === undefined) throw new StrategicPatchError("other", "no elements in any of the given slices");
  if (types.has("list")) throw new StrategicPatchError("mismatch", "lists of lists are not supported");
  if (second === undefined) return first;
  throw new StrategicPatchError("other", `list element types are not identical: ${lists.map(formatGoValue).join(" ")}`);
}

/**
 * Sorts items in the order of `wanted`; other items keep their position relative to the order of `present` where
 * possible.
 */
export function normalizeElementOrder(
  items: Items,
  desired: Items,
  present: Items,
  mergeKey: string | undefined,
): Items {
  const indexIn = (list: Items, item: JsonValue): number => {
    const id = mergeKeyValue(item, mergeKey);
    return list.findIndex((other) => deepEqual(mergeKeyValue(other, mergeKey), id));
  };
  const named = sorted(
    items.filter((item) => indexIn(desired, item) >= 0),
    (item) => indexIn(desired, item),
  );
  const others = sorted(
    items.filter((item) => indexIn(desired, item) < 0),
    (item) => indexIn(present, item),
  );
  const out: JsonValue[] = [];
  for (const item of others) {
    const place = indexIn(present, item);
    const isBehind = (other: JsonValue): boolean => place >= 0 && indexIn(present, other) > place;
    // Named items stay before it unless they were already behind it.
    const first = named.findIndex(isBehind);
    out.push(...named.splice(0, first === -1 ? named.length : first), item);
  }
  return [...out, ...named];
}

function sorted(items: Items, rank: (item: JsonValue) => number): JsonValue[] {
  return items.toSorted((a, b) => rank(a) - rank(b));
}
