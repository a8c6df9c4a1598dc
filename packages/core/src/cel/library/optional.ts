import { TYPE_A, anA, anOptionalOf, global, member } from "../declare/index.ts";
import { OPTIONAL_MACROS } from "../syntax/index.ts";
import {
  CEL_BOOL,
  CEL_NONE,
  CelObject,
  CelOptional,
  fault,
  isList,
  isMap,
  mapSize,
  listType,
  optionalType,
} from "../value/index.ts";
import type { CelValue } from "../value/index.ts";
import { aListOf } from "../declare/index.ts";
import type { CelLibrary } from "./library.ts";

/** Whether a value is what an unset one of its type would be: 0, "", false, null, empty. */
function isZero(value: CelValue): boolean {
  if (value === null || value === false || value === 0 || value === "") return true;
  if (isList(value) || value instanceof Uint8Array) return value.length === 0;
  if (value instanceof CelObject) return value.isZero();
  return typeof value === "object" && isMap(value) && mapSize(value) === 0;
}

const OPTIONAL_A = anOptionalOf(TYPE_A);
const RESULT_A = optionalType(TYPE_A);

/** Optional values. Their syntax (`.?`, `[?]`, `{?k: v}`) is part of the language. */
export const OPTIONALS: CelLibrary = {
  name: "optionals",
  macros: OPTIONAL_MACROS,
  functions: [
    ["optional.none", [global("optional_none", { parameters: [], result: RESULT_A, call: () => CEL_NONE })]],
    [
      "optional.of",
      [global("optional_of", { parameters: [anA], result: RESULT_A, call: (value) => new CelOptional(value) })],
    ],
    [
      "optional.ofNonZeroValue",
      [
        global("optional_ofNonZeroValue", {
          parameters: [anA],
          result: RESULT_A,
          call: (value) => (isZero(value) ? CEL_NONE : new CelOptional(value)),
        }),
      ],
    ],
    [
      "optional.unwrap",
      [
        global("optional_unwrap", {
          parameters: [aListOf(RESULT_A)],
          result: listType(TYPE_A),
          cost: "each",
          call: unwrap,
        }),
      ],
    ],
    [
      "unwrapOpt",
      [
        member("optional_unwrapOpt", {
          parameters: [aListOf(RESULT_A)],
          result: listType(TYPE_A),
          cost: "each",
          call: unwrap,
        }),
      ],
    ],
    [
      "hasValue",
      [
        member("optional_hasValue", {
          parameters: [OPTIONAL_A],
          result: CEL_BOOL,
          call: ({ value }) => value !== undefined,
        }),
      ],
    ],
    [
      "value",
      [
        member("optional_value", {
          parameters: [OPTIONAL_A],
          result: TYPE_A,
          call: ({ value }) => (value === undefined ? fault("optional.none() dereference") : value),
        }),
      ],
    ],
    [
      "or",
      [
        member("optional_or_optional", {
          parameters: [OPTIONAL_A, OPTIONAL_A],
          result: RESULT_A,
          call: (first, second) => (first.value === undefined ? second : first),
        }),
      ],
    ],
    [
      "orValue",
      [
        member("optional_orValue_value", {
          parameters: [OPTIONAL_A, anA],
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
