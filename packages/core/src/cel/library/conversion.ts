import {
  TYPE_A,
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
  global,
  member,
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
  fault,
  intOf,
  mapSize,
  parseDuration,
  parseTimestamp,
  typeOf,
  typeType,
} from "../value/index.ts";
import type { CelOutcome } from "../value/index.ts";
import type { CelLibrary } from "./library.ts";
import { decodeText, encodeText, formatDouble, textSize } from "./text.ts";

function readInt(text: string): CelOutcome {
  if (!/^[+-]?\d{1,40}$/.test(text)) return fault(`cannot convert ${JSON.stringify(text.slice(0, 50))} to int`);
  return checkedInt(BigInt(text.replace("+", "")));
}

function readUint(text: string): CelOutcome {
  if (!/^\d{1,40}$/.test(text)) return fault(`cannot convert ${JSON.stringify(text.slice(0, 50))} to uint`);
  return checkedUint(BigInt(text));
}

function readDouble(text: string): CelOutcome {
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) return new CelDouble(Number(text));
  const special = /^([+-]?)(inf|infinity|nan)$/i.exec(text);
  if (special === null) return fault(`cannot convert ${JSON.stringify(text.slice(0, 50))} to double`);
  if (special[2]?.toLowerCase() === "nan") return new CelDouble(Number.NaN);
  return new CelDouble(special[1] === "-" ? -Infinity : Infinity);
}

function doubleToInt(value: number): CelOutcome {
  // The bounds themselves are refused: at that size a double may have been rounded to them.
  if (!(value > -(2 ** 63) && value < 2 ** 63)) return fault("integer overflow: double out of int range");
  return checkedInt(BigInt(Math.trunc(value)));
}

function doubleToUint(value: number): CelOutcome {
  if (!(value >= 0 && value < 2 ** 64)) return fault("unsigned integer overflow: double out of uint range");
  return checkedUint(BigInt(Math.trunc(value)));
}

const TRUTHS: ReadonlyMap<string, boolean> = new Map([
  ...["1", "t", "true", "TRUE", "True"].map((text): [string, boolean] => [text, true]),
  ...["0", "f", "false", "FALSE", "False"].map((text): [string, boolean] => [text, false]),
]);

const TO_INT: readonly Overload[] = [
  global("int64_to_int64", { parameters: [anInt], result: CEL_INT, call: (value) => value }),
  global("uint64_to_int64", { parameters: [aUint], result: CEL_INT, call: ({ value }) => checkedInt(value) }),
  global("double_to_int64", { parameters: [aDouble], result: CEL_INT, call: ({ value }) => doubleToInt(value) }),
  global("string_to_int64", { parameters: [aString], result: CEL_INT, cost: "scan", call: readInt }),
  global("timestamp_to_int64", { parameters: [aTimestamp], result: CEL_INT, call: ({ seconds }) => seconds }),
  global("duration_to_int64", { parameters: [aDuration], result: CEL_INT, call: ({ nanos }) => intOf(nanos) }),
];

const TO_UINT: readonly Overload[] = [
  global("uint64_to_uint64", { parameters: [aUint], result: CEL_UINT, call: (value) => value }),
  global("int64_to_uint64", { parameters: [anInt], result: CEL_UINT, call: (value) => checkedUint(BigInt(value)) }),
  global("double_to_uint64", { parameters: [aDouble], result: CEL_UINT, call: ({ value }) => doubleToUint(value) }),
  global("string_to_uint64", { parameters: [aString], result: CEL_UINT, cost: "scan", call: readUint }),
];

const TO_DOUBLE: readonly Overload[] = [
  global("double_to_double", { parameters: [aDouble], result: CEL_DOUBLE, call: (value) => value }),
  global("int64_to_double", { parameters: [anInt], result: CEL_DOUBLE, call: (value) => new CelDouble(Number(value)) }),
  global("uint64_to_double", {
    parameters: [aUint],
    result: CEL_DOUBLE,
    call: ({ value }) => new CelDouble(Number(value)),
  }),
  global("string_to_double", { parameters: [aString], result: CEL_DOUBLE, cost: "scan", call: readDouble }),
];

const TO_STRING: readonly Overload[] = [
  global("string_to_string", { parameters: [aString], result: CEL_STRING, call: (value) => value }),
  global("bool_to_string", { parameters: [aBool], result: CEL_STRING, call: String }),
  global("int64_to_string", { parameters: [anInt], result: CEL_STRING, call: String }),
  global("uint64_to_string", { parameters: [aUint], result: CEL_STRING, call: ({ value }) => String(value) }),
  global("double_to_string", { parameters: [aDouble], result: CEL_STRING, call: ({ value }) => formatDouble(value) }),
  global("bytes_to_string", {
    parameters: [aBytes],
    result: CEL_STRING,
    cost: "scan",
    call: (bytes) => decodeText(bytes) ?? fault("invalid UTF-8 in bytes, cannot convert to string"),
  }),
  global("timestamp_to_string", { parameters: [aTimestamp], result: CEL_STRING, call: String }),
  global("duration_to_string", { parameters: [aDuration], result: CEL_STRING, call: String }),
];

const TO_OTHERS: readonly (readonly [string, readonly Overload[]])[] = [
  [
    "bytes",
    [
      global("bytes_to_bytes", { parameters: [aBytes], result: CEL_BYTES, call: (value) => value }),
      global("string_to_bytes", { parameters: [aString], result: CEL_BYTES, cost: "scan", call: encodeText }),
    ],
  ],
  [
    "bool",
    [
      global("bool_to_bool", { parameters: [aBool], result: CEL_BOOL, call: (value) => value }),
      global("string_to_bool", {
        parameters: [aString],
        result: CEL_BOOL,
        call: (text) => TRUTHS.get(text) ?? fault("Type conversion error: not a bool"),
      }),
    ],
  ],
  [
    "timestamp",
    [
      global("timestamp_to_timestamp", { parameters: [aTimestamp], result: CEL_TIMESTAMP, call: (value) => value }),
      global("string_to_timestamp", {
        parameters: [aString],
        result: CEL_TIMESTAMP,
        cost: "scan",
        call: parseTimestamp,
      }),
      global("int64_to_timestamp", {
        parameters: [anInt],
        result: CEL_TIMESTAMP,
        call: (seconds) => CelTimestamp.of(Number(seconds), 0),
      }),
    ],
  ],
  [
    "duration",
    [
      global("duration_to_duration", { parameters: [aDuration], result: CEL_DURATION, call: (value) => value }),
      global("string_to_duration", { parameters: [aString], result: CEL_DURATION, cost: "scan", call: parseDuration }),
    ],
  ],
  [
    "type",
    [
      global("type", {
        parameters: [anA],
        result: typeType(TYPE_A),
        call: (value) => new CelTypeValue(typeOf(value)),
      }),
    ],
  ],
];

const sizes = (make: typeof global, suffix: string): readonly Overload[] => [
  // Counted as one, though it looks at every character: so it is in Kubernetes, and limits must mean the same here.
  make(`size_string${suffix}`, { parameters: [aString], result: CEL_INT, call: textSize }),
  make(`size_bytes${suffix}`, { parameters: [aBytes], result: CEL_INT, call: (bytes) => bytes.length }),
  make(`size_list${suffix}`, { parameters: [aListOf(TYPE_A)], result: CEL_INT, call: (list) => list.length }),
  make(`size_map${suffix}`, { parameters: [aMapOf(CEL_DYN, CEL_DYN)], result: CEL_INT, cost: "scan", call: mapSize }),
];

/** Conversions between types, and `size`. */
export const CONVERSIONS: CelLibrary = {
  name: "conversions",
  functions: [
    ["int", TO_INT],
    ["uint", TO_UINT],
    ["double", TO_DOUBLE],
    ["string", TO_STRING],
    ...TO_OTHERS,
    ["size", [...sizes(global, ""), ...sizes(member, "_member")]],
  ],
};
