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
  CelDuration,
  CelOptional,
  CelTimestamp,
  CelUint,
  isInt,
  isList,
  isMap,
  listType,
  mapType,
  optionalType,
  parameterType,
} from "../value/index.ts";
import type { AnyMap, CelInt, CelList, CelObject, CelType, CelValue } from "../value/index.ts";

/** A parameter of a function: its declared type for the checker, and what it admits at run time. */
export interface Parameter<T extends CelValue> {
  readonly type: CelType;
  readonly admits: (value: CelValue) => value is T;
}

function parameter<T extends CelValue>(type: CelType, admits: (value: CelValue) => value is T): Parameter<T> {
  return { type, admits };
}

const isText = (value: CelValue): value is string => typeof value === "string";
const isAny = (value: CelValue): value is CelValue => value !== undefined;

/** Parameters of the basic types. */
export const aBool: Parameter<boolean> = parameter(CEL_BOOL, (value) => typeof value === "boolean");
export const anInt: Parameter<CelInt> = parameter(CEL_INT, isInt);
export const aUint: Parameter<CelUint> = parameter(CEL_UINT, (value) => value instanceof CelUint);
export const aDouble: Parameter<CelDouble> = parameter(CEL_DOUBLE, (value) => value instanceof CelDouble);
export const aString: Parameter<string> = parameter(CEL_STRING, isText);
export const aBytes: Parameter<Uint8Array> = parameter(CEL_BYTES, (value) => value instanceof Uint8Array);
export const aTimestamp: Parameter<CelTimestamp> = parameter(CEL_TIMESTAMP, (value) => value instanceof CelTimestamp);
export const aDuration: Parameter<CelDuration> = parameter(CEL_DURATION, (value) => value instanceof CelDuration);
export const anything: Parameter<CelValue> = parameter(CEL_DYN, isAny);

/** Type parameters: the same letter stands for the same type in one signature. */
export const TYPE_A: CelType = parameterType("A");
export const TYPE_B: CelType = parameterType("B");

/** Any value, whose type the signature calls A or B. */
export const anA: Parameter<CelValue> = parameter(TYPE_A, isAny);
export const aB: Parameter<CelValue> = parameter(TYPE_B, isAny);

/** A list of elements of a type. At run time the elements are not looked at. */
export function aListOf(element: CelType): Parameter<CelList> {
  return parameter(listType(element), isList);
}

/** A map. At run time the entries are not looked at. */
export function aMapOf(key: CelType, value: CelType): Parameter<AnyMap> {
  return parameter(mapType(key, value), isMap);
}

/** An optional of a type. */
export function anOptionalOf(type: CelType): Parameter<CelOptional> {
  return parameter(optionalType(type), (value) => value instanceof CelOptional);
}

/** A value of a class that a library brings. */
export function anObject<T extends CelObject>(type: CelType, is: (value: CelValue) => value is T): Parameter<T> {
  return parameter(type, is);
}
