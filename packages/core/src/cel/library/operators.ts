import {
  TYPE_A,
  TYPE_B,
  typeBParam,
  boolParam,
  bytesParam,
  doubleParam,
  durationParam,
  listParam,
  mapParam,
  stringParam,
  timestampParam,
  uintParam,
  typeAParam,
  intParam,
  optionalParam,
  dynParam,
  functionOverload,
} from "../declare/index.ts";
import type { Overload, CelParameter } from "../declare/index.ts";
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

/** Declares the overload of an operator. It has no implementation: the planner compiles operators itself. */
function signature(id: string, parameters: readonly CelParameter<CelValue>[], result: CelType): Overload {
  return functionOverload(id, { parameters, result });
}

const NUMBERS: readonly (readonly [name: string, parameter: CelParameter<CelValue>, type: CelType])[] = [
  ["int64", intParam, CEL_INT],
  ["uint64", uintParam, CEL_UINT],
  ["double", doubleParam, CEL_DOUBLE],
];

function arithmetic(verb: string, kinds: readonly string[]): readonly Overload[] {
  return NUMBERS.filter(([name]) => kinds.includes(name)).map(([name, parameter, type]) =>
    signature(`${verb}_${name}`, [parameter, parameter], type),
  );
}

const ORDERED: readonly (readonly [name: string, parameter: CelParameter<CelValue>])[] = [
  ...NUMBERS.map(([name, parameter]): [string, CelParameter<CelValue>] => [name, parameter]),
  ["bool", boolParam],
  ["string", stringParam],
  ["bytes", bytesParam],
  ["timestamp", timestampParam],
  ["duration", durationParam],
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

const LIST_A = listParam(TYPE_A);
const MAP_AB = mapParam(TYPE_A, TYPE_B);
const ALL_NUMBERS = ["int64", "uint64", "double"];

const ADD: readonly Overload[] = [
  ...arithmetic("add", ALL_NUMBERS),
  signature("add_string", [stringParam, stringParam], CEL_STRING),
  signature("add_bytes", [bytesParam, bytesParam], CEL_BYTES),
  signature("add_list", [LIST_A, LIST_A], listType(TYPE_A)),
  signature("add_timestamp_duration", [timestampParam, durationParam], CEL_TIMESTAMP),
  signature("add_duration_timestamp", [durationParam, timestampParam], CEL_TIMESTAMP),
  signature("add_duration_duration", [durationParam, durationParam], CEL_DURATION),
];

const SUBTRACT: readonly Overload[] = [
  ...arithmetic("subtract", ALL_NUMBERS),
  signature("subtract_timestamp_timestamp", [timestampParam, timestampParam], CEL_DURATION),
  signature("subtract_timestamp_duration", [timestampParam, durationParam], CEL_TIMESTAMP),
  signature("subtract_duration_duration", [durationParam, durationParam], CEL_DURATION),
];

const INDEX: readonly Overload[] = [
  signature("index_list", [LIST_A, intParam], TYPE_A),
  signature("index_map", [MAP_AB, typeAParam], TYPE_B),
  signature("optional_list_index_int", [optionalParam(listType(TYPE_A)), intParam], optionalType(TYPE_A)),
  signature("optional_map_index_value", [optionalParam(mapType(TYPE_A, TYPE_B)), typeAParam], optionalType(TYPE_B)),
];

const OPTIONAL_INDEX: readonly Overload[] = [
  signature("list_optindex_optional_int", [LIST_A, intParam], optionalType(TYPE_A)),
  signature("map_optindex_optional_value", [MAP_AB, typeAParam], optionalType(TYPE_B)),
  signature("optional_list_optindex_optional_int", [optionalParam(listType(TYPE_A)), intParam], optionalType(TYPE_A)),
  signature("optional_map_optindex_value", [optionalParam(mapType(TYPE_A, TYPE_B)), typeAParam], optionalType(TYPE_B)),
];

/** The operators' signatures. */
export const OPERATORS_LIBRARY: CelLibrary = {
  name: "operators",
  functions: [
    ["_+_", ADD],
    ["_-_", SUBTRACT],
    ["_*_", arithmetic("multiply", ALL_NUMBERS)],
    ["_/_", arithmetic("divide", ALL_NUMBERS)],
    ["_%_", arithmetic("modulo", ["int64", "uint64"])],
    ["-_", [signature("negate_int64", [intParam], CEL_INT), signature("negate_double", [doubleParam], CEL_DOUBLE)]],
    ["!_", [signature("logical_not", [boolParam], CEL_BOOL)]],
    ["_?_:_", [signature("conditional", [boolParam, typeAParam, typeAParam], TYPE_A)]],
    ["_==_", [signature("equals", [typeAParam, typeAParam], CEL_BOOL)]],
    ["_!=_", [signature("not_equals", [typeAParam, typeAParam], CEL_BOOL)]],
    ["_<_", order("less")],
    ["_<=_", order("less_equals")],
    ["_>_", order("greater")],
    ["_>=_", order("greater_equals")],
    [
      "@in",
      [
        signature("in_list", [typeAParam, LIST_A], CEL_BOOL),
        signature("in_map", [typeAParam, mapParam(TYPE_A, TYPE_B)], CEL_BOOL),
      ],
    ],
    ["_[_]", INDEX],
    ["_[?_]", OPTIONAL_INDEX],
    ["dyn", [functionOverload("to_dyn", { parameters: [dynParam], result: { kind: "dyn" }, call: (value) => value })]],
    ["@id", [functionOverload("identity", { parameters: [typeBParam], result: TYPE_B, call: (value) => value })]],
  ],
};
