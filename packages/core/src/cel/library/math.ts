import { aDouble, aListOf, aUint, anInt, anything, global } from "../declare/index.ts";
import type { Overload, Parameter } from "../declare/index.ts";
import {
  CEL_BOOL,
  CEL_DOUBLE,
  CEL_DYN,
  CEL_INT,
  CEL_UINT,
  CelDouble,
  CelFault,
  CelUint,
  adapt,
  checkedInt,
  compare,
  fault,
  intOf,
  noOverload,
  numeric,
  typeName,
} from "../value/index.ts";
import type { CelInt, CelList, CelOutcome, CelType, CelValue } from "../value/index.ts";
import type { CelLibrary } from "./library.ts";

const NUMBERS: readonly (readonly [name: string, parameter: Parameter<CelValue>, type: CelType])[] = [
  ["int", anInt, CEL_INT],
  ["uint", aUint, CEL_UINT],
  ["double", aDouble, CEL_DOUBLE],
];

/** How many arguments `greatest` and `least` take at most, other than a list. */
const ARGUMENTS_MAX = 16;

/** The first of the values that none is before, in the direction of `sign`. */
function extreme(name: string, sign: 1 | -1, values: CelList): CelOutcome {
  let best: CelValue | undefined;
  for (const item of values) {
    const value = adapt(item);
    if (numeric(value) === undefined) return noOverload(name, [typeName(value)]);
    if (best === undefined || sign * (compare(value, best) ?? 0) > 0) best = value;
  }
  return best ?? fault(`${name}() argument must not be an empty list`);
}

function extremeOverloads(name: string, sign: 1 | -1): readonly Overload[] {
  const id = name.replace(".", "_");
  const call = (...values: readonly CelValue[]): CelOutcome => extreme(name, sign, values);
  const ofList = (list: CelList): CelOutcome => extreme(name, sign, list);
  const single = NUMBERS.map(([kind, parameter, result]) =>
    global(`${id}_${kind}`, { parameters: [parameter], result, call }),
  );
  const pairs = NUMBERS.flatMap(([left, a, result]) =>
    NUMBERS.map(([right, b]) =>
      global(`${id}_${left}_${right}`, { parameters: [a, b], result: left === right ? result : CEL_DYN, call }),
    ),
  );
  const lists = [...NUMBERS.map(([, , type]) => type), CEL_DYN].map((type) =>
    global(`${id}_list_${type.kind}`, { parameters: [aListOf(type)], result: type, cost: "each", call: ofList }),
  );
  const many = Array.from({ length: ARGUMENTS_MAX - 2 }, (_, index) =>
    global(`${id}_${index + 3}`, {
      parameters: Array.from({ length: index + 3 }, () => anything),
      result: CEL_DYN,
      call,
    }),
  );
  return [...single, ...lists, ...pairs, ...many];
}

function ofDouble(id: string, call: (value: number) => number): readonly Overload[] {
  return [global(id, { parameters: [aDouble], result: CEL_DOUBLE, call: ({ value }) => new CelDouble(call(value)) })];
}

function test(id: string, call: (value: number) => boolean): readonly Overload[] {
  return [global(id, { parameters: [aDouble], result: CEL_BOOL, call: ({ value }) => call(value) })];
}

/** Halves away from zero. */
function round(value: number): number {
  if (!Number.isFinite(value) || Number.isInteger(value)) return value;
  const below = Math.floor(Math.abs(value));
  return Math.sign(value) * (Math.abs(value) - below >= 0.5 ? below + 1 : below);
}

function magnitude(value: CelInt): CelOutcome {
  const absolute = value < 0 ? checkedInt(-BigInt(value)) : value;
  return absolute instanceof CelFault ? fault("integer overflow") : absolute;
}

function signOf(value: CelValue): number {
  const number = numeric(value) ?? 0;
  return number > 0 ? 1 : number < 0 ? -1 : Number(number);
}

const SIGNS: CelLibrary["functions"] = [
  [
    "math.abs",
    [
      global("math_abs_int", { parameters: [anInt], result: CEL_INT, call: magnitude }),
      global("math_abs_uint", { parameters: [aUint], result: CEL_UINT, call: (value) => value }),
      global("math_abs_double", {
        parameters: [aDouble],
        result: CEL_DOUBLE,
        call: ({ value }) => new CelDouble(Math.abs(value)),
      }),
    ],
  ],
  [
    "math.sign",
    [
      global("math_sign_int", { parameters: [anInt], result: CEL_INT, call: signOf }),
      global("math_sign_uint", {
        parameters: [aUint],
        result: CEL_UINT,
        call: (value) => new CelUint(BigInt(signOf(value))),
      }),
      global("math_sign_double", {
        parameters: [aDouble],
        result: CEL_DOUBLE,
        call: (value) => new CelDouble(signOf(value)),
      }),
    ],
  ],
  [
    "math.sqrt",
    [
      ...ofDouble("math_sqrt_double", Math.sqrt),
      global("math_sqrt_int", {
        parameters: [anInt],
        result: CEL_DOUBLE,
        call: (value) => new CelDouble(Math.sqrt(Number(value))),
      }),
      global("math_sqrt_uint", {
        parameters: [aUint],
        result: CEL_DOUBLE,
        call: ({ value }) => new CelDouble(Math.sqrt(Number(value))),
      }),
    ],
  ],
];

function bitwise(name: string, call: (a: bigint, b: bigint) => bigint): readonly Overload[] {
  return [
    global(`math_${name}_int_int`, {
      parameters: [anInt, anInt],
      result: CEL_INT,
      call: (a, b) => intOf(call(BigInt(a), BigInt(b))),
    }),
    global(`math_${name}_uint_uint`, {
      parameters: [aUint, aUint],
      result: CEL_UINT,
      call: (a, b) => new CelUint(call(a.value, b.value)),
    }),
  ];
}

/** Shifts move the 64 bits as they are: to the right, zeros come in from the left even for negative ints. */
function shift(name: string, call: (bits: bigint, by: bigint) => bigint): readonly Overload[] {
  const shifted = (bits: bigint, by: CelInt): bigint | CelFault => {
    if (by < 0) return fault("math.bitShift: negative offset");
    return by >= 64 ? 0n : BigInt.asUintN(64, call(BigInt.asUintN(64, bits), BigInt(by)));
  };
  return [
    global(`math_${name}_int_int`, {
      parameters: [anInt, anInt],
      result: CEL_INT,
      call: (value, by) => {
        const bits = shifted(BigInt(value), by);
        return bits instanceof CelFault ? bits : intOf(BigInt.asIntN(64, bits));
      },
    }),
    global(`math_${name}_uint_int`, {
      parameters: [aUint, anInt],
      result: CEL_UINT,
      call: ({ value }, by) => {
        const bits = shifted(value, by);
        return bits instanceof CelFault ? bits : new CelUint(bits);
      },
    }),
  ];
}

const BITS: CelLibrary["functions"] = [
  ["math.bitAnd", bitwise("bitAnd", (a, b) => a & b)],
  ["math.bitOr", bitwise("bitOr", (a, b) => a | b)],
  ["math.bitXor", bitwise("bitXor", (a, b) => a ^ b)],
  [
    "math.bitNot",
    [
      global("math_bitNot_int", { parameters: [anInt], result: CEL_INT, call: (value) => intOf(~BigInt(value)) }),
      global("math_bitNot_uint", {
        parameters: [aUint],
        result: CEL_UINT,
        call: ({ value }) => new CelUint(BigInt.asUintN(64, ~value)),
      }),
    ],
  ],
  ["math.bitShiftLeft", shift("bitShiftLeft", (bits, by) => bits << by)],
  ["math.bitShiftRight", shift("bitShiftRight", (bits, by) => bits >> by)],
];

/** The math extension. */
export const MATH: CelLibrary = {
  name: "math",
  functions: [
    ["math.greatest", extremeOverloads("math.greatest", 1)],
    ["math.least", extremeOverloads("math.least", -1)],
    ["math.ceil", ofDouble("math_ceil_double", Math.ceil)],
    ["math.floor", ofDouble("math_floor_double", Math.floor)],
    ["math.round", ofDouble("math_round_double", round)],
    ["math.trunc", ofDouble("math_trunc_double", Math.trunc)],
    ["math.isNaN", test("math_isNaN_double", Number.isNaN)],
    ["math.isInf", test("math_isInf_double", (value) => Math.abs(value) === Infinity)],
    ["math.isFinite", test("math_isFinite_double", Number.isFinite)],
    ...SIGNS,
    ...BITS,
  ],
};
