import {
  TYPE_A,
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
  functionOverload,
  memberOverload,
} from "../declare/index.ts";
import type { Overload } from "../declare/index.ts";
import {
  CEL_BOOL,
  CEL_BYTES,
  CEL_DOUBLE,
  CEL_DURATION,
  CEL_DYN,
  CEL_INT,
  CEL_STRING,
  CEL_TIMESTAMP,
  CEL_UINT,
  CelDouble,
  CelTimestamp,
  CelTypeValue,
  checkedInt,
  checkedUint,
  celError,
  intOf,
  mapSize,
  parseDuration,
  parseTimestamp,
  typeOf,
  typeType,
} from "../value/index.ts";
import type { CelOutcome } from "../value/index.ts";
import type { CelLibrary } from "./library.ts";
import { decodeUtf8, encodeUtf8, formatDouble, codePointCount } from "./string-encoding.ts";

function readInt(text: string): CelOutcome {
  if (!/^[+-]?\d{1,40}$/.test(text)) return celError(`cannot convert ${JSON.stringify(text.slice(0, 50))} to int`);
  return checkedInt(BigInt(text.replace("+", "")));
}

function readUint(text: string): CelOutcome {
  if (!/^\d{1,40}$/.test(text)) return celError(`cannot convert ${JSON.stringify(text.slice(0, 50))} to uint`);
  return checkedUint(BigInt(text));
}

function readDouble(text: string): CelOutcome {
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) return new CelDouble(Number(text));
  const special = /^([+-]?)(inf|infinity|nan)$/i.exec(text);
  if (special === null) return celError(`cannot convert ${JSON.stringify(text.slice(0, 50))} to double`);
  if (special[2]?.toLowerCase() === "nan") return new CelDouble(Number.NaN);
  return new CelDouble(special[1] === "-" ? -Infinity : Infinity);
}

function doubleToInt(value: number): CelOutcome {
  // The bounds themselves are rejected: at that size a double may have been rounded to them.
  if (!(value > -(2 ** 63) && value < 2 ** 63)) return celError("integer overflow: double out of int range");
  return checkedInt(BigInt(Math.trunc(value)));
}

function doubleToUint(value: number): CelOutcome {
  if (!(value >= 0 && value < 2 ** 64)) return celError("unsigned integer overflow: double out of uint range");
  return checkedUint(BigInt(Math.trunc(value)));
}

const TRUTHS: ReadonlyMap<string, boolean> = new Map([
  ...["1", "t", "true", "TRUE", "True"].map((text): [string, boolean] => [text, true]),
  ...["0", "f", "false", "FALSE", "False"].map((text): [string, boolean] => [text, false]),
]);

const TO_INT: readonly Overload[] = [
  functionOverload("int64_to_int64", { parameters: [intParam], result: CEL_INT, call: (value) => value }),
  functionOverload("uint64_to_int64", {
    parameters: [uintParam],
    result: CEL_INT,
    call: ({ value }) => checkedInt(value),
  }),
  functionOverload("double_to_int64", {
    parameters: [doubleParam],
    result: CEL_INT,
    call: ({ value }) => doubleToInt(value),
  }),
  functionOverload("string_to_int64", { parameters: [stringParam], result: CEL_INT, cost: "scan", call: readInt }),
  functionOverload("timestamp_to_int64", {
    parameters: [timestampParam],
    result: CEL_INT,
    call: ({ seconds }) => seconds,
  }),
  functionOverload("duration_to_int64", {
    parameters: [durationParam],
    result: CEL_INT,
    call: ({ nanos }) => intOf(nanos),
  }),
];

const TO_UINT: readonly Overload[] = [
  functionOverload("uint64_to_uint64", { parameters: [uintParam], result: CEL_UINT, call: (value) => value }),
  functionOverload("int64_to_uint64", {
    parameters: [intParam],
    result: CEL_UINT,
    call: (value) => checkedUint(BigInt(value)),
  }),
  functionOverload("double_to_uint64", {
    parameters: [doubleParam],
    result: CEL_UINT,
    call: ({ value }) => doubleToUint(value),
  }),
  functionOverload("string_to_uint64", { parameters: [stringParam], result: CEL_UINT, cost: "scan", call: readUint }),
];

const TO_DOUBLE: readonly Overload[] = [
  functionOverload("double_to_double", { parameters: [doubleParam], result: CEL_DOUBLE, call: (value) => value }),
  functionOverload("int64_to_double", {
    parameters: [intParam],
    result: CEL_DOUBLE,
    call: (value) => new CelDouble(Number(value)),
  }),
  functionOverload("uint64_to_double", {
    parameters: [uintParam],
    result: CEL_DOUBLE,
    call: ({ value }) => new CelDouble(Number(value)),
  }),
  functionOverload("string_to_double", {
    parameters: [stringParam],
    result: CEL_DOUBLE,
    cost: "scan",
    call: readDouble,
  }),
];

const TO_STRING: readonly Overload[] = [
  functionOverload("string_to_string", { parameters: [stringParam], result: CEL_STRING, call: (value) => value }),
  functionOverload("bool_to_string", { parameters: [boolParam], result: CEL_STRING, call: String }),
  functionOverload("int64_to_string", { parameters: [intParam], result: CEL_STRING, call: String }),
  functionOverload("uint64_to_string", {
    parameters: [uintParam],
    result: CEL_STRING,
    call: ({ value }) => String(value),
  }),
  functionOverload("double_to_string", {
    parameters: [doubleParam],
    result: CEL_STRING,
    call: ({ value }) => formatDouble(value),
  }),
  functionOverload("bytes_to_string", {
    parameters: [bytesParam],
    result: CEL_STRING,
    cost: "scan",
    call: (bytes) => decodeUtf8(bytes) ?? celError("invalid UTF-8 in bytes, cannot convert to string"),
  }),
  functionOverload("timestamp_to_string", { parameters: [timestampParam], result: CEL_STRING, call: String }),
  functionOverload("duration_to_string", { parameters: [durationParam], result: CEL_STRING, call: String }),
];

const TO_OTHERS: readonly (readonly [string, readonly Overload[]])[] = [
  [
    "bytes",
    [
      functionOverload("bytes_to_bytes", { parameters: [bytesParam], result: CEL_BYTES, call: (value) => value }),
      functionOverload("string_to_bytes", {
        parameters: [stringParam],
        result: CEL_BYTES,
        cost: "scan",
        call: encodeUtf8,
      }),
    ],
  ],
  [
    "bool",
    [
      functionOverload("bool_to_bool", { parameters: [boolParam], result: CEL_BOOL, call: (value) => value }),
      functionOverload("string_to_bool", {
        parameters: [stringParam],
        result: CEL_BOOL,
        call: (text) => TRUTHS.get(text) ?? celError("Type conversion error: not a bool"),
      }),
    ],
  ],
  [
    "timestamp",
    [
      functionOverload("timestamp_to_timestamp", {
        parameters: [timestampParam],
        result: CEL_TIMESTAMP,
        call: (value) => value,
      }),
      functionOverload("string_to_timestamp", {
        parameters: [stringParam],
        result: CEL_TIMESTAMP,
        cost: "scan",
        call: parseTimestamp,
      }),
      functionOverload("int64_to_timestamp", {
        parameters: [intParam],
        result: CEL_TIMESTAMP,
        call: (seconds) => CelTimestamp.of(Number(seconds), 0),
      }),
    ],
  ],
  [
    "duration",
    [
      functionOverload("duration_to_duration", {
        parameters: [durationParam],
        result: CEL_DURATION,
        call: (value) => value,
      }),
      functionOverload("string_to_duration", {
        parameters: [stringParam],
        result: CEL_DURATION,
        cost: "scan",
        call: parseDuration,
      }),
    ],
  ],
  [
    "type",
    [
      functionOverload("type", {
        parameters: [typeAParam],
        result: typeType(TYPE_A),
        call: (value) => new CelTypeValue(typeOf(value)),
      }),
    ],
  ],
];

const sizes = (make: typeof functionOverload, suffix: string): readonly Overload[] => [
  // Costs 1, although it visits every character: k8s.io/apiserver/pkg/cel/library/cost.go counts it this way, and
  // limits must match.
  make(`size_string${suffix}`, { parameters: [stringParam], result: CEL_INT, call: codePointCount }),
  make(`size_bytes${suffix}`, { parameters: [bytesParam], result: CEL_INT, call: (bytes) => bytes.length }),
  make(`size_list${suffix}`, { parameters: [listParam(TYPE_A)], result: CEL_INT, call: (list) => list.length }),
  make(`size_map${suffix}`, { parameters: [mapParam(CEL_DYN, CEL_DYN)], result: CEL_INT, cost: "scan", call: mapSize }),
];

/** Conversions between types, and `size`. */
export const CONVERSIONS_LIBRARY: CelLibrary = {
  name: "conversions",
  functions: [
    ["int", TO_INT],
    ["uint", TO_UINT],
    ["double", TO_DOUBLE],
    ["string", TO_STRING],
    ...TO_OTHERS,
    ["size", [...sizes(functionOverload, ""), ...sizes(memberOverload, "_member")]],
  ],
};
