import { deepEqual, isJsonObject } from "../json/index.ts";
import type { JsonValue } from "../json/index.ts";
import { goText } from "../error/index.ts";
import { StrategicPatchError } from "./error.ts";

/** The items of a list. */
export type Items = readonly JsonValue[];

/** What tells an item from others: its key, or itself where there is no key. Undefined when it lacks the key. */
export function idOf(item: JsonValue, mergeKey: string | undefined): JsonValue | undefined {
  if (mergeKey === undefined) return item;
  return isJsonObject(item) && Object.hasOwn(item, mergeKey) ? item[mergeKey] : undefined;
}

/** The type that all items have in common. Throws where they have none, or are lists. */
export function typeOfItems(...lists: readonly Items[]): string {
  const types = new Set(lists.flat().map((item) => (Array.isArray(item) ? "list" : typeof item)));
  const [first, second] = types;
  if (first === undefined) throw new StrategicPatchError("other", "no elements in any of the given slices");
  if (types.has("list")) throw new StrategicPatchError("mismatch", "lists of lists are not supported");
  if (second === undefined) return first;
  throw new StrategicPatchError("other", `list element types are not identical: ${lists.map(goText).join(" ")}`);
}

/** Items in the order of `wanted`, and the others among them where the order of `present` puts them, as well as can be. */
export function enforceOrder(items: Items, wanted: Items, present: Items, mergeKey: string | undefined): Items {
  const indexIn = (list: Items, item: JsonValue): number => {
    const id = idOf(item, mergeKey);
    return list.findIndex((other) => deepEqual(idOf(other, mergeKey), id));
  };
  const named = sorted(
    items.filter((item) => indexIn(wanted, item) >= 0),
    (item) => indexIn(wanted, item),
  );
  const others = sorted(
    items.filter((item) => indexIn(wanted, item) < 0),
    (item) => indexIn(present, item),
  );
  const out: JsonValue[] = [];
  for (const item of others) {
    const place = indexIn(present, item);
    const isBehind = (other: JsonValue): boolean => place >= 0 && indexIn(present, other) > place;
    // Named items stay before it unless they were behind it all along.
    const first = named.findIndex(isBehind);
    out.push(...named.splice(0, first === -1 ? named.length : first), item);
  }
  return [...out, ...named];
}

function sorted(items: Items, rank: (item: JsonValue) => number): JsonValue[] {
  return items.toSorted((a, b) => rank(a) - rank(b));
}
