import { TYPE_A, listParam, typeAParam, memberOverload } from "../declare/index.ts";
import type { Overload } from "../declare/index.ts";
import {
  CEL_BOOL,
  CEL_BYTES,
  CEL_DOUBLE,
  CEL_DURATION,
  CEL_INT,
  CEL_STRING,
  CEL_TIMESTAMP,
  CEL_UINT,
  CelDouble,
  CelDuration,
  CelError,
  CelUint,
  nativeToValue,
  addInt,
  checkedUint,
  compare,
  equal,
  celError,
  isInt,
  noOverload,
  typeName,
} from "../value/index.ts";
import type { CelList, CelOutcome, CelType, CelValue, CostTracker } from "../value/index.ts";
import type { CelLibrary } from "./library.ts";

const ORDERED: readonly CelType[] = [
  CEL_INT,
  CEL_UINT,
  CEL_DOUBLE,
  CEL_BOOL,
  CEL_STRING,
  CEL_BYTES,
  CEL_DURATION,
  CEL_TIMESTAMP,
];

function isSorted(list: CelList): CelOutcome {
  for (let index = 1; index < list.length; index += 1) {
    const [before, after] = [list[index - 1] ?? null, list[index] ?? null];
    const order = compare(before, after);
    if (order === undefined) return noOverload("isSorted", [typeName(before), typeName(after)]);
    if (order > 0) return false;
  }
  return true;
}

/** Returns the first minimum or maximum, depending on `sign`. */
function extreme(name: string, sign: 1 | -1): (list: CelList) => CelOutcome {
  return (list) => {
    let best: CelValue | undefined;
    for (const item of list) {
      const value = nativeToValue(item);
      const order = best === undefined ? 1 : compare(value, best);
      if (order === undefined) return noOverload(name, [typeName(value)]);
      if (best === undefined || sign * order > 0) best = value;
    }
    return best === undefined ? celError(`${name} called on empty list`) : best;
  };
}

function plus(a: CelValue, b: CelValue): CelOutcome {
  if (isInt(a) && isInt(b)) return addInt(a, b);
  if (a instanceof CelUint && b instanceof CelUint) return checkedUint(a.value + b.value);
  if (a instanceof CelDouble && b instanceof CelDouble) return new CelDouble(a.value + b.value);
  if (a instanceof CelDuration && b instanceof CelDuration) return CelDuration.of(a.nanos + b.nanos);
  return noOverload("sum", [typeName(a), typeName(b)]);
}

function isSummable(value: CelValue): boolean {
  return isInt(value) || value instanceof CelUint || value instanceof CelDouble || value instanceof CelDuration;
}

/** Returns the sum of a list; the zero of its type if it is empty. */
function sum(zero: CelOutcome): (list: CelList) => CelOutcome {
  return (list) => {
    let total: CelValue | undefined;
    for (const item of list) {
      const value = nativeToValue(item);
      if (!isSummable(value)) return noOverload("sum", [typeName(value)]);
      const next: CelOutcome = total === undefined ? value : plus(total, value);
      if (next instanceof CelError) return next;
      total = next;
    }
    return total ?? zero;
  };
}

function indexOf(meter: CostTracker, list: CelList, value: CelValue): CelOutcome {
  return list.findIndex((item) => equal(item, value, meter));
}

function lastIndexOf(meter: CostTracker, list: CelList, value: CelValue): CelOutcome {
  return list.findLastIndex((item) => equal(item, value, meter));
}

function perType(
  id: string,
  result: (type: CelType) => CelType,
  call: (list: CelList) => CelOutcome,
): readonly Overload[] {
  return ORDERED.map((type) =>
    memberOverload(`list_${type.kind}_${id}`, {
      parameters: [listParam(type)],
      result: result(type),
      cost: "each",
      call,
    }),
  );
}

const ZEROS: readonly (readonly [CelType, CelOutcome])[] = [
  [CEL_INT, 0],
  [CEL_UINT, new CelUint(0n)],
  [CEL_DOUBLE, new CelDouble(0)],
  [CEL_DURATION, CelDuration.of(0n)],
];

/** Kubernetes' functions on lists. */
export const KUBERNETES_LISTS_LIBRARY: CelLibrary = {
  name: "kubernetes lists",
  functions: [
    ["isSorted", perType("is_sorted_bool", () => CEL_BOOL, isSorted)],
    ["min", perType("min", (type) => type, extreme("min", -1))],
    ["max", perType("max", (type) => type, extreme("max", 1))],
    [
      "sum",
      ZEROS.map(([type, zero]) =>
        memberOverload(`list_${type.kind}_sum`, {
          parameters: [listParam(type)],
          result: type,
          cost: "each",
          call: sum(zero),
        }),
      ),
    ],
    [
      "indexOf",
      [
        memberOverload("list_a_index_of_int", {
          parameters: [listParam(TYPE_A), typeAParam],
          result: CEL_INT,
          cost: "each",
          metered: indexOf,
        }),
      ],
    ],
    [
      "lastIndexOf",
      [
        memberOverload("list_a_last_index_of_int", {
          parameters: [listParam(TYPE_A), typeAParam],
          result: CEL_INT,
          cost: "each",
          metered: lastIndexOf,
        }),
      ],
    ],
  ],
};
