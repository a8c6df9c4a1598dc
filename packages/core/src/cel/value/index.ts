/** Values of expressions: plain JSON, and the types that JSON lacks. Begin with `value.ts`. */

export { compare, compareStrings } from "./compare.ts";
export { equal } from "./equal.ts";
export { missingError, CelError, celError, noOverload } from "./cel-error.ts";
export {
  INT_MAX,
  INT_MIN,
  UINT_MAX,
  addInt,
  checkedInt,
  checkedUint,
  divideInt,
  integralDouble,
  intOf,
  isInt,
  multiplyInt,
  numeric,
  remainderInt,
  subtractInt,
} from "./int.ts";
export { nativeToValue, fromJson, toJson } from "./json.ts";
export { isList, typeName, typeOf } from "./type-of.ts";
export { CelMap, LiteralMap, isMap, mapGet, mapKey, mapKeys, mapSize, stringMap } from "./map.ts";
export type { AnyMap, MapKey } from "./map.ts";
export { CelDouble, CelUint } from "./number.ts";
export { CelObject } from "./object.ts";
export { CEL_OPTIONAL_NONE, CelOptional } from "./optional.ts";
export { EvalCancelledError, PartsCostTracker } from "./eval-cancelled.ts";
export type { CostTracker, CancellationCause } from "./eval-cancelled.ts";
export { CelStruct } from "./struct.ts";
export { CelDuration, CelTimestamp, parseDuration, parseTimestamp } from "./time.ts";
export { celType } from "./type-table.ts";
export { CelTypeValue } from "./type-value.ts";
export {
  CEL_BOOL,
  CEL_BYTES,
  CEL_DOUBLE,
  CEL_DURATION,
  CEL_DYN,
  CEL_ERROR,
  CEL_INT,
  CEL_NULL,
  CEL_STRING,
  CEL_TIMESTAMP,
  CEL_UINT,
  formatType,
  listType,
  mapType,
  opaqueType,
  optionalElement,
  optionalType,
  parameterType,
  runtimeName,
  structType,
  typeType,
  wrapperType,
} from "./type.ts";
export type { CelField, CelType, ScalarKind } from "./type.ts";
export type { CelInt, CelList, CelOutcome, CelValue } from "./value.ts";
