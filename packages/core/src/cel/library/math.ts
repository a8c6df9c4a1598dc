import { doubleParam, listParam, uintParam, intParam, dynParam, functionOverload } from "../declare/index.ts";
import type { Overload, CelParameter } from "../declare/index.ts";
import {
  CEL_BOOL,
  CEL_DOUBLE,
  CEL_DYN,
  CEL_INT,
  CEL_UINT,
  CelDouble,
  CelError,
  CelUint,
  nativeToValue,
  checkedInt,
  compare,
  celError,
  intOf,
  noOverload,
  numeric,
  typeName,
} from "../value/index.ts";
import type { CelInt, CelList, CelOutcome, CelType, CelValue } from "../value/index.ts";
import type { CelLibrary } from "./library.ts";

const NUMBERS: readonly (readonly [name: string, parameter: CelParameter<CelValue>, type: CelType])[] = [
  ["int", intParam, CEL_INT],
  ["uint", uintParam, CEL_UINT],
  ["double", doubleParam, CEL_DOUBLE],
];

/** Maximum number of arguments of `greatest` and `least`, other than a list. */
const ARGUMENTS_MAX = 16;

/** Returns the first minimum or maximum, depending on `sign`. */
function extreme(name: string, sign: 1 | -1, values: CelList): CelOutcome {
  let best: CelValue | undefined;
  for (const item of values) {
    const value = nativeToValue(item);
    if (numeric(value) === undefined) return noOverload(name, [typeName(value)]);
    if (best === undefined || sign * (compare(value, best) ?? 0) > 0) best = value;
  }
  return best ?? celError(`${name}() argument must not be an empty list`);
}

function extremeOverloads(name: string, sign: 1 | -1): readonly Overload[] {
  const id = name.replace(".", "_");
  const call = (...values: readonly CelValue[]): CelOutcome => extreme(name, sign, values);
  const ofList = (list: CelList): CelOutcome => extreme(name, sign, list);
  const single = NUMBERS.map(([kind, parameter, result]) =>
    functionOverload(`${id}_${kind}`, { parameters: [parameter], result, call }),
  );
  const pairs = NUMBERS.flatMap(([left, a, result]) =>
    NUMBERS.map(([right, b]) =>
      functionOverload(`${id}_${left}_${right}`, {
        parameters: [a, b],
        result: left === right ? result : CEL_DYN,
        call,
      }),
    ),
  );
  const lists = [...NUMBERS.map(([, , type]) => type), CEL_DYN].map((type) =>
    functionOverload(`${id}_list_${type.kind}`, {
      parameters: [listParam(type)],
      result: type,
      cost: "each",
      call: ofList,
    }),
  );
  const many = Array.from({ length: ARGUMENTS_MAX - 2 }, (_, index) =>
    functionOverload(`${id}_${index + 3}`, {
      parameters: Array.from({ length: index + 3 }, () => dynParam),
      result: CEL_DYN,
      call,
    }),
  );
  return [...single, ...lists, ...pairs, ...many];
}

function ofDouble(id: string, call: (value: number) => number): readonly Overload[] {
  return [
    functionOverload(id, {
      parameters: [doubleParam],
      result: CEL_DOUBLE,
      call: ({ value }) => new CelDouble(call(value)),
    }),
  ];
}

function test(id: string, call: (value: number) => boolean): readonly Overload[] {
  return [functionOverload(id, { parameters: [doubleParam], result: CEL_BOOL, call: ({ value }) => call(value) })];
}

/** Rounds half away from zero. */
function round(value: number): number {
  if (!Number.isFinite(value) || Number.isInteger(value)) return value;
  const below = Math.floor(Math.abs(value));
  return Math.sign(value) * (Math.abs(value) - below >= 0.5 ? below + 1 : below);
}

function magnitude(value: CelInt): CelOutcome {
  const absolute = value < 0 ? checkedInt(-BigInt(value)) : value;
  return absolute instanceof CelError ? celError("integer overflow") : absolute;
}

function signOf(value: CelValue): number {
  const number = numeric(value) ?? 0;
  return number > 0 ? 1 : number < 0 ? -1 : Number(number);
}

const SIGNS: CelLibrary["functions"] = [
  [
    "math.abs",
    [
      functionOverload("math_abs_int", { parameters: [intParam], result: CEL_INT, call: magnitude }),
      functionOverload("math_abs_uint", { parameters: [uintParam], result: CEL_UINT, call: (value) => value }),
      functionOverload("math_abs_double", {
        parameters: [doubleParam],
        result: CEL_DOUBLE,
        call: ({ value }) => new CelDouble(Math.abs(value)),
      }),
    ],
  ],
  [
    "math.sign",
    [
      functionOverload("math_sign_int", { parameters: [intParam], result: CEL_INT, call: signOf }),
      functionOverload("math_sign_uint", {
        parameters: [uintParam],
        result: CEL_UINT,
        call: (value) => new CelUint(BigInt(signOf(value))),
      }),
      functionOverload("math_sign_double", {
        parameters: [doubleParam],
        result: CEL_DOUBLE,
        call: (value) => new CelDouble(signOf(value)),
      }),
    ],
  ],
  [
    "math.sqrt",
    [
      ...ofDouble("math_sqrt_double", Math.sqrt),
      functionOverload("math_sqrt_int", {
        parameters: [intParam],
        result: CEL_DOUBLE,
        call: (value) => new CelDouble(Math.sqrt(Number(value))),
      }),
      functionOverload("math_sqrt_uint", {
        parameters: [uintParam],
        result: CEL_DOUBLE,
        call: ({ value }) => new CelDouble(Math.sqrt(Number(value))),
      }),
    ],
  ],
];

function bitwise(name: string, call: (a: bigint, b: bigint) => bigint): readonly Overload[] {
  return [
    functionOverload(`math_${name}_int_int`, {
      parameters: [intParam, intParam],
      result: CEL_INT,
      call: (a, b) => intOf(call(BigInt(a), BigInt(b))),
    }),
    functionOverload(`math_${name}_uint_uint`, {
      parameters: [uintParam, uintParam],
      result: CEL_UINT,
      call: (a, b) => new CelUint(call(a.value, b.value)),
    }),
  ];
}

/** Logical shifts of 64 bits: a right shift fills with zeros even for negative ints. */
function shift(name: string, call: (bits: bigint, by: bigint) => bigint): readonly Overload[] {
  const shifted = (bits: bigint, by: CelInt): bigint | CelError => {
    if (by < 0) return celError("math.bitShift: negative offset");
    return by >= 64 ? 0n : BigInt.asUintN(64, call(BigInt.asUintN(64, bits), BigInt(by)));
  };
  return [
    functionOverload(`math_${name}_int_int`, {
      parameters: [intParam, intParam],
      result: CEL_INT,
      call: (value, by) => {
        const bits = shifted(BigInt(value), by);
        return bits instanceof CelError ? bits : intOf(BigInt.asIntN(64, bits));
      },
    }),
    functionOverload(`math_${name}_uint_int`, {
      parameters: [uintParam, intParam],
      result: CEL_UINT,
      call: ({ value }, by) => {
        const bits = shifted(value, by);
        return bits instanceof CelError ? bits : new CelUint(bits);
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
      functionOverload("math_bitNot_int", {
        parameters: [intParam],
        result: CEL_INT,
        call: (value) => intOf(~BigInt(value)),
      }),
      functionOverload("math_bitNot_uint", {
        parameters: [uintParam],
        result: CEL_UINT,
        call: ({ value }) => new CelUint(BigInt.asUintN(64, ~value)),
      }),
    ],
  ],
  ["math.bitShiftLeft", shift("bitShiftLeft", (bits, by) => bits << by)],
  ["math.bitShiftRight", shift("bitShiftRight", (bits, by) => bits >> by)],
];

/** The math extension. */
export const MATH_LIBRARY: CelLibrary = {
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
