import {
  TYPE_A,
  TYPE_B,
  aB,
  aBool,
  aBytes,
  aDouble,
  aDuration,
  aListOf,
  aMapOf,
  aString,
  aTimestamp,
  aUint,
  anA,
  anInt,
  anOptionalOf,
  anything,
  global,
} from "../declare/index.ts";
import type { Overload, Parameter } from "../declare/index.ts";
import {
  CEL_BOOL,
  CEL_BYTES,
  CEL_DOUBLE,
  CEL_DURATION,
  CEL_INT,
  CEL_STRING,
  CEL_TIMESTAMP,
  CEL_UINT,
  listType,
  mapType,
  optionalType,
} from "../value/index.ts";
import type { CelType, CelValue } from "../value/index.ts";
import type { CelLibrary } from "./library.ts";

/** The signature of an operator. It has nothing to call: the planner knows how operators run. */
function signature(id: string, parameters: readonly Parameter<CelValue>[], result: CelType): Overload {
  return global(id, { parameters, result });
}

const NUMBERS: readonly (readonly [name: string, parameter: Parameter<CelValue>, type: CelType])[] = [
  ["int64", anInt, CEL_INT],
  ["uint64", aUint, CEL_UINT],
  ["double", aDouble, CEL_DOUBLE],
];

function arithmetic(verb: string, kinds: readonly string[]): readonly Overload[] {
  return NUMBERS.filter(([name]) => kinds.includes(name)).map(([name, parameter, type]) =>
    signature(`${verb}_${name}`, [parameter, parameter], type),
  );
}

const ORDERED: readonly (readonly [name: string, parameter: Parameter<CelValue>])[] = [
  ...NUMBERS.map(([name, parameter]): [string, Parameter<CelValue>] => [name, parameter]),
  ["bool", aBool],
  ["string", aString],
  ["bytes", aBytes],
  ["timestamp", aTimestamp],
  ["duration", aDuration],
];

function order(verb: string): readonly Overload[] {
  const same = ORDERED.map(([name, parameter]) => signature(`${verb}_${name}`, [parameter, parameter], CEL_BOOL));
  const mixed = NUMBERS.flatMap(([left, a]) =>
    NUMBERS.filter(([right]) => right !== left).map(([right, b]) =>
      signature(`${verb}_${left}_${right}`, [a, b], CEL_BOOL),
    ),
  );
  return [...same, ...mixed];
}

const LIST_A = aListOf(TYPE_A);
const MAP_AB = aMapOf(TYPE_A, TYPE_B);
const ALL_NUMBERS = ["int64", "uint64", "double"];

const ADD: readonly Overload[] = [
  ...arithmetic("add", ALL_NUMBERS),
  signature("add_string", [aString, aString], CEL_STRING),
  signature("add_bytes", [aBytes, aBytes], CEL_BYTES),
  signature("add_list", [LIST_A, LIST_A], listType(TYPE_A)),
  signature("add_timestamp_duration", [aTimestamp, aDuration], CEL_TIMESTAMP),
  signature("add_duration_timestamp", [aDuration, aTimestamp], CEL_TIMESTAMP),
  signature("add_duration_duration", [aDuration, aDuration], CEL_DURATION),
];

const SUBTRACT: readonly Overload[] = [
  ...arithmetic("subtract", ALL_NUMBERS),
  signature("subtract_timestamp_timestamp", [aTimestamp, aTimestamp], CEL_DURATION),
  signature("subtract_timestamp_duration", [aTimestamp, aDuration], CEL_TIMESTAMP),
  signature("subtract_duration_duration", [aDuration, aDuration], CEL_DURATION),
];

const INDEX: readonly Overload[] = [
  signature("index_list", [LIST_A, anInt], TYPE_A),
  signature("index_map", [MAP_AB, anA], TYPE_B),
  signature("optional_list_index_int", [anOptionalOf(listType(TYPE_A)), anInt], optionalType(TYPE_A)),
  signature("optional_map_index_value", [anOptionalOf(mapType(TYPE_A, TYPE_B)), anA], optionalType(TYPE_B)),
];

const OPTIONAL_INDEX: readonly Overload[] = [
  signature("list_optindex_optional_int", [LIST_A, anInt], optionalType(TYPE_A)),
  signature("map_optindex_optional_value", [MAP_AB, anA], optionalType(TYPE_B)),
  signature("optional_list_optindex_optional_int", [anOptionalOf(listType(TYPE_A)), anInt], optionalType(TYPE_A)),
  signature("optional_map_optindex_value", [anOptionalOf(mapType(TYPE_A, TYPE_B)), anA], optionalType(TYPE_B)),
];

/** The operators' signatures. */
export const OPERATORS: CelLibrary = {
  name: "operators",
  functions: [
    ["_+_", ADD],
    ["_-_", SUBTRACT],
    ["_*_", arithmetic("multiply", ALL_NUMBERS)],
    ["_/_", arithmetic("divide", ALL_NUMBERS)],
    ["_%_", arithmetic("modulo", ["int64", "uint64"])],
    ["-_", [signature("negate_int64", [anInt], CEL_INT), signature("negate_double", [aDouble], CEL_DOUBLE)]],
    ["!_", [signature("logical_not", [aBool], CEL_BOOL)]],
    ["_?_:_", [signature("conditional", [aBool, anA, anA], TYPE_A)]],
    ["_==_", [signature("equals", [anA, anA], CEL_BOOL)]],
    ["_!=_", [signature("not_equals", [anA, anA], CEL_BOOL)]],
    ["_<_", order("less")],
    ["_<=_", order("less_equals")],
    ["_>_", order("greater")],
    ["_>=_", order("greater_equals")],
    [
      "@in",
      [signature("in_list", [anA, LIST_A], CEL_BOOL), signature("in_map", [anA, aMapOf(TYPE_A, TYPE_B)], CEL_BOOL)],
    ],
    ["_[_]", INDEX],
    ["_[?_]", OPTIONAL_INDEX],
    ["dyn", [global("to_dyn", { parameters: [anything], result: { kind: "dyn" }, call: (value) => value })]],
    ["@id", [global("identity", { parameters: [aB], result: TYPE_B, call: (value) => value })]],
  ],
};
