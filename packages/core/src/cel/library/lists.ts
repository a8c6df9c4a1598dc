import { TYPE_A, listParam, intParam, functionOverload, memberOverload } from "../declare/index.ts";
import { SORT_MACROS } from "../syntax/index.ts";
import {
  CEL_DYN,
  CEL_INT,
  nativeToValue,
  compare,
  equal,
  celError,
  isList,
  listType,
  mapKey,
  noOverload,
  typeName,
} from "../value/index.ts";
import type { CelInt, CelList, CelOutcome, CelValue, MapKey, CostTracker } from "../value/index.ts";
import type { CelLibrary } from "./library.ts";

/** Maximum length of a list created by a function. */
const RANGE_MAX = 100_000;
/** Maximum number of non-scalar elements that are compared pairwise. */
const COMPARED_MAX = 1_000;

function slice(list: CelList, start: CelInt, end: CelInt): CelOutcome {
  if (start < 0 || end < 0) return celError(`cannot slice(${start}, ${end}), negative indexes not supported`);
  if (start > end)
    return celError(`cannot slice(${start}, ${end}), start index must be less than or equal to end index`);
  if (end > list.length) return celError(`cannot slice(${start}, ${end}), list is length ${list.length}`);
  return list.slice(Number(start), Number(end));
}

function flatten(meter: CostTracker, list: CelList, depth: CelInt): CelOutcome {
  if (depth < 0) return celError("level must be non-negative");
  const flat: CelValue[] = [];
  flattenInto(flat, list, Number(depth), meter);
  return flat;
}

/** Adds the elements, flattening inner lists to a depth. */
function flattenInto(flat: CelValue[], list: CelList, depth: number, meter: CostTracker): void {
  for (const item of list) {
    meter.spend(1);
    if (isList(item) && depth > 0) flattenInto(flat, item, depth - 1, meter);
    else flat.push(item);
  }
}

function range(size: CelInt): CelOutcome {
  if (size > RANGE_MAX) return celError(`lists.range() is limited to ${RANGE_MAX}`);
  return Array.from({ length: Math.max(0, Number(size)) }, (_, index) => index);
}

/** Returns the elements without duplicates. Scalars are looked up, other values are compared. */
function distinct(meter: CostTracker, list: CelList): CelOutcome {
  const scalars = new Set<MapKey>();
  const others: CelValue[] = [];
  const kept: CelValue[] = [];
  for (const item of list) {
    const key = mapKey(item);
    if (key === undefined ? others.some((known) => equal(known, item, meter)) : scalars.has(key)) continue;
    if (key !== undefined) scalars.add(key);
    else if (others.push(item) > COMPARED_MAX) return celError(`distinct() compares at most ${COMPARED_MAX} elements`);
    kept.push(item);
  }
  return kept;
}

/** Sorts a list of comparable values of one type. */
export function sortList(list: CelList): CelOutcome {
  const items = list.map(nativeToValue);
  const [first] = items;
  if (first === undefined) return items;
  const odd = items.find((item) => typeName(item) !== typeName(first) || compare(first, item) === undefined);
  if (odd !== undefined) return noOverload("sort", [typeName(first), typeName(odd)]);
  return items.toSorted((a, b) => compare(a, b) ?? 0);
}

const LIST_A = listParam(TYPE_A);
const RESULT_A = listType(TYPE_A);

/** The lists extension. */
export const LISTS_LIBRARY: CelLibrary = {
  name: "lists",
  macros: SORT_MACROS,
  functions: [
    [
      "slice",
      [
        memberOverload("list_slice", {
          parameters: [LIST_A, intParam, intParam],
          result: RESULT_A,
          cost: "each",
          call: slice,
        }),
      ],
    ],
    [
      "flatten",
      [
        memberOverload("list_flatten", {
          parameters: [listParam(RESULT_A)],
          result: RESULT_A,
          cost: "each",
          metered: (meter, list) => flatten(meter, list, 1),
        }),
        memberOverload("list_flatten_int", {
          parameters: [listParam(CEL_DYN), intParam],
          result: listType(CEL_DYN),
          cost: "each",
          metered: flatten,
        }),
      ],
    ],
    [
      "lists.range",
      [
        functionOverload("lists_range", {
          parameters: [intParam],
          result: listType(CEL_INT),
          cost: "make",
          call: range,
        }),
      ],
    ],
    [
      "distinct",
      [memberOverload("list_distinct", { parameters: [LIST_A], result: RESULT_A, cost: "each", metered: distinct })],
    ],
    [
      "reverse",
      [
        memberOverload("list_reverse", {
          parameters: [LIST_A],
          result: RESULT_A,
          cost: "each",
          call: (list) => list.toReversed(),
        }),
      ],
    ],
    ["sort", [memberOverload("list_sort", { parameters: [LIST_A], result: RESULT_A, cost: "sort", call: sortList })]],
  ],
};
