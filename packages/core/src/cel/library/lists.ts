import { TYPE_A, aListOf, anInt, global, member } from "../declare/index.ts";
import { SORT_MACROS } from "../syntax/index.ts";
import {
  CEL_DYN,
  CEL_INT,
  adapt,
  compare,
  equal,
  fault,
  isList,
  listType,
  mapKey,
  noOverload,
  typeName,
} from "../value/index.ts";
import type { CelInt, CelList, CelOutcome, CelValue, MapKey, Meter } from "../value/index.ts";
import type { CelLibrary } from "./library.ts";

/** How long a list that a function makes may be. */
const RANGE_MAX = 100_000;
/** How many elements that are no scalars are compared with each other. */
const COMPARED_MAX = 1_000;

function slice(list: CelList, start: CelInt, end: CelInt): CelOutcome {
  if (start < 0 || end < 0) return fault(`cannot slice(${start}, ${end}), negative indexes not supported`);
  if (start > end) return fault(`cannot slice(${start}, ${end}), start index must be less than or equal to end index`);
  if (end > list.length) return fault(`cannot slice(${start}, ${end}), list is length ${list.length}`);
  return list.slice(Number(start), Number(end));
}

function flatten(meter: Meter, list: CelList, depth: CelInt): CelOutcome {
  if (depth < 0) return fault("level must be non-negative");
  const flat: CelValue[] = [];
  flattenInto(flat, list, Number(depth), meter);
  return flat;
}

/** Adds the elements, those of inner lists to a depth. */
function flattenInto(flat: CelValue[], list: CelList, depth: number, meter: Meter): void {
  for (const item of list) {
    meter.spend(1);
    if (isList(item) && depth > 0) flattenInto(flat, item, depth - 1, meter);
    else flat.push(item);
  }
}

function range(size: CelInt): CelOutcome {
  if (size > RANGE_MAX) return fault(`lists.range() is limited to ${RANGE_MAX}`);
  return Array.from({ length: Math.max(0, Number(size)) }, (_, index) => index);
}

/** The elements without those that equal an earlier one. Scalars are looked up, everything else is compared. */
function distinct(meter: Meter, list: CelList): CelOutcome {
  const scalars = new Set<MapKey>();
  const others: CelValue[] = [];
  const kept: CelValue[] = [];
  for (const item of list) {
    const key = mapKey(item);
    if (key === undefined ? others.some((known) => equal(known, item, meter)) : scalars.has(key)) continue;
    if (key !== undefined) scalars.add(key);
    else if (others.push(item) > COMPARED_MAX) return fault(`distinct() compares at most ${COMPARED_MAX} elements`);
    kept.push(item);
  }
  return kept;
}

/** Sorts a list of values of one type that has an order. */
export function sort(list: CelList): CelOutcome {
  const items = list.map(adapt);
  const [first] = items;
  if (first === undefined) return items;
  const odd = items.find((item) => typeName(item) !== typeName(first) || compare(first, item) === undefined);
  if (odd !== undefined) return noOverload("sort", [typeName(first), typeName(odd)]);
  return items.toSorted((a, b) => compare(a, b) ?? 0);
}

const LIST_A = aListOf(TYPE_A);
const RESULT_A = listType(TYPE_A);

/** The lists extension. */
export const LISTS: CelLibrary = {
  name: "lists",
  macros: SORT_MACROS,
  functions: [
    [
      "slice",
      [member("list_slice", { parameters: [LIST_A, anInt, anInt], result: RESULT_A, cost: "each", call: slice })],
    ],
    [
      "flatten",
      [
        member("list_flatten", {
          parameters: [aListOf(RESULT_A)],
          result: RESULT_A,
          cost: "each",
          metered: (meter, list) => flatten(meter, list, 1),
        }),
        member("list_flatten_int", {
          parameters: [aListOf(CEL_DYN), anInt],
          result: listType(CEL_DYN),
          cost: "each",
          metered: flatten,
        }),
      ],
    ],
    [
      "lists.range",
      [global("lists_range", { parameters: [anInt], result: listType(CEL_INT), cost: "make", call: range })],
    ],
    [
      "distinct",
      [member("list_distinct", { parameters: [LIST_A], result: RESULT_A, cost: "each", metered: distinct })],
    ],
    [
      "reverse",
      [
        member("list_reverse", {
          parameters: [LIST_A],
          result: RESULT_A,
          cost: "each",
          call: (list) => list.toReversed(),
        }),
      ],
    ],
    ["sort", [member("list_sort", { parameters: [LIST_A], result: RESULT_A, cost: "sort", call: sort })]],
  ],
};
