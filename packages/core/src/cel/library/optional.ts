import { TYPE_A, typeAParam, optionalParam, functionOverload, memberOverload } from "../declare/index.ts";
import { OPTIONAL_MACROS } from "../syntax/index.ts";
import {
  CEL_BOOL,
  CEL_OPTIONAL_NONE,
  CelObject,
  CelOptional,
  celError,
  isList,
  isMap,
  mapSize,
  listType,
  optionalType,
} from "../value/index.ts";
import type { CelValue } from "../value/index.ts";
import { listParam } from "../declare/index.ts";
import type { CelLibrary } from "./library.ts";

/** Reports whether a value is the zero value of its type: 0, "", false, null, empty. */
function isZero(value: CelValue): boolean {
  if (value === null || value === false || value === 0 || value === "") return true;
  if (isList(value) || value instanceof Uint8Array) return value.length === 0;
  if (value instanceof CelObject) return value.isZero();
  return typeof value === "object" && isMap(value) && mapSize(value) === 0;
}

const OPTIONAL_A = optionalParam(TYPE_A);
const RESULT_A = optionalType(TYPE_A);

/**
 * CEL functions and macros for optional values, such as `optional.of` and `orValue`. Their syntax (`.?`, `[?]`,
 * `{?k: v}`) is part of the language.
 */
export const OPTIONALS_LIBRARY: CelLibrary = {
  name: "optionals",
  macros: OPTIONAL_MACROS,
  functions: [
    [
      "optional.none",
      [functionOverload("optional_none", { parameters: [], result: RESULT_A, call: () => CEL_OPTIONAL_NONE })],
    ],
    [
      "optional.of",
      [
        functionOverload("optional_of", {
          parameters: [typeAParam],
          result: RESULT_A,
          call: (value) => new CelOptional(value),
        }),
      ],
    ],
    [
      "optional.ofNonZeroValue",
      [
        functionOverload("optional_ofNonZeroValue", {
          parameters: [typeAParam],
          result: RESULT_A,
          call: (value) => (isZero(value) ? CEL_OPTIONAL_NONE : new CelOptional(value)),
        }),
      ],
    ],
    [
      "optional.unwrap",
      [
        functionOverload("optional_unwrap", {
          parameters: [listParam(RESULT_A)],
          result: listType(TYPE_A),
          cost: "each",
          call: unwrap,
        }),
      ],
    ],
    [
      "unwrapOpt",
      [
        memberOverload("optional_unwrapOpt", {
          parameters: [listParam(RESULT_A)],
          result: listType(TYPE_A),
          cost: "each",
          call: unwrap,
        }),
      ],
    ],
    [
      "hasValue",
      [
        memberOverload("optional_hasValue", {
          parameters: [OPTIONAL_A],
          result: CEL_BOOL,
          call: ({ value }) => value !== undefined,
        }),
      ],
    ],
    [
      "value",
      [
        memberOverload("optional_value", {
          parameters: [OPTIONAL_A],
          result: TYPE_A,
          call: ({ value }) => (value === undefined ? celError("optional.none() dereference") : value),
        }),
      ],
    ],
    [
      "or",
      [
        memberOverload("optional_or_optional", {
          parameters: [OPTIONAL_A, OPTIONAL_A],
          result: RESULT_A,
          call: (first, second) => (first.value === undefined ? second : first),
        }),
      ],
    ],
    [
      "orValue",
      [
        memberOverload("optional_orValue_value", {
          parameters: [OPTIONAL_A, typeAParam],
          result: TYPE_A,
          call: ({ value }, otherwise) => (value === undefined ? otherwise : value),
        }),
      ],
    ],
  ],
};

function unwrap(list: readonly CelValue[]): readonly CelValue[] {
  return list.flatMap((item) => (item instanceof CelOptional && item.value !== undefined ? [item.value] : []));
}
