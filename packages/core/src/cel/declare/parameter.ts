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

/** A parameter of a function: its declared type for the checker, and the values it accepts at run time. */
export interface CelParameter<T extends CelValue> {
  readonly type: CelType;
  readonly admits: (value: CelValue) => value is T;
}

function parameter<T extends CelValue>(type: CelType, admits: (value: CelValue) => value is T): CelParameter<T> {
  return { type, admits };
}

const isText = (value: CelValue): value is string => typeof value === "string";
const isAny = (value: CelValue): value is CelValue => value !== undefined;

/** Parameters of the basic types. */
export const boolParam: CelParameter<boolean> = parameter(CEL_BOOL, (value) => typeof value === "boolean");
export const intParam: CelParameter<CelInt> = parameter(CEL_INT, isInt);
export const uintParam: CelParameter<CelUint> = parameter(CEL_UINT, (value) => value instanceof CelUint);
export const doubleParam: CelParameter<CelDouble> = parameter(CEL_DOUBLE, (value) => value instanceof CelDouble);
export const stringParam: CelParameter<string> = parameter(CEL_STRING, isText);
export const bytesParam: CelParameter<Uint8Array> = parameter(CEL_BYTES, (value) => value instanceof Uint8Array);
export const timestampParam: CelParameter<CelTimestamp> = parameter(
  CEL_TIMESTAMP,
  (value) => value instanceof CelTimestamp,
);
export const durationParam: CelParameter<CelDuration> = parameter(
  CEL_DURATION,
  (value) => value instanceof CelDuration,
);
export const dynParam: CelParameter<CelValue> = parameter(CEL_DYN, isAny);

/** Type parameters: the same letter stands for the same type in one signature. */
export const TYPE_A: CelType = parameterType("A");
export const TYPE_B: CelType = parameterType("B");

/** Any value, of type parameter A or B. */
export const typeAParam: CelParameter<CelValue> = parameter(TYPE_A, isAny);
export const typeBParam: CelParameter<CelValue> = parameter(TYPE_B, isAny);

/** A list of elements of a type. The elements are not checked at run time. */
export function listParam(element: CelType): CelParameter<CelList> {
  return parameter(listType(element), isList);
}

/** A map. The entries are not checked at run time. */
export function mapParam(key: CelType, value: CelType): CelParameter<AnyMap> {
  return parameter(mapType(key, value), isMap);
}

/** An optional of a type. */
export function optionalParam(type: CelType): CelParameter<CelOptional> {
  return parameter(optionalType(type), (value) => value instanceof CelOptional);
}

/** A value of a library-defined class. */
export function objectParam<T extends CelObject>(type: CelType, is: (value: CelValue) => value is T): CelParameter<T> {
  return parameter(type, is);
}
