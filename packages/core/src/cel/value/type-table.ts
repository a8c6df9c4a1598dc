import {
  CEL_BOOL,
  CEL_BYTES,
  CEL_DOUBLE,
  CEL_DURATION,
  CEL_DYN,
  CEL_INT,
  CEL_NULL,
  CEL_STRING,
  CEL_TIMESTAMP,
  CEL_UINT,
  formatType,
  listType,
  mapType,
  opaqueType,
  optionalType,
  parameterType,
  structType,
  wrapperType,
} from "./type.ts";
import type { CelField, CelType } from "./type.ts";

/** Types for declarations of variables and functions. */
export const celType: {
  /** Known only at run time. */
  readonly dyn: CelType;
  readonly null: CelType;
  readonly bool: CelType;
  readonly int: CelType;
  readonly uint: CelType;
  readonly double: CelType;
  readonly string: CelType;
  readonly bytes: CelType;
  readonly timestamp: CelType;
  readonly duration: CelType;
  readonly list: (element: CelType) => CelType;
  readonly map: (key: CelType, value: CelType) => CelType;
  readonly optional: (of: CelType) => CelType;
  /** A scalar that may also be null. */
  readonly wrapper: (of: CelType) => CelType;
  /** An object with declared fields. Its values are JSON objects, unless a type provider creates them. */
  readonly struct: (name: string, fields?: ReadonlyMap<string, CelField>) => CelType;
  /** A type that a library defines. */
  readonly opaque: (name: string, ...parameters: readonly CelType[]) => CelType;
  /** A type parameter of a signature. */
  readonly parameter: (name: string) => CelType;
  /** Formats a type: `list(int)`. */
  readonly format: (type: CelType) => string;
} = {
  dyn: CEL_DYN,
  null: CEL_NULL,
  bool: CEL_BOOL,
  int: CEL_INT,
  uint: CEL_UINT,
  double: CEL_DOUBLE,
  string: CEL_STRING,
  bytes: CEL_BYTES,
  timestamp: CEL_TIMESTAMP,
  duration: CEL_DURATION,
  list: listType,
  map: mapType,
  optional: optionalType,
  wrapper: wrapperType,
  struct: structType,
  opaque: opaqueType,
  parameter: parameterType,
  format: formatType,
};
