/**
 * The types of CEL as plain data. `dyn` is known only at run time. `struct` is an object with declared fields, either
 * inline (from a schema) or from a type provider by name. `opaque` is a type that a library defines.
 */
export type CelType =
  | { readonly kind: ScalarKind }
  | { readonly kind: "wrapper"; readonly of: CelType }
  | { readonly kind: "list"; readonly element: CelType }
  | { readonly kind: "map"; readonly key: CelType; readonly value: CelType }
  | { readonly kind: "type"; readonly of: CelType }
  | { readonly kind: "struct"; readonly name: string; readonly fields?: ReadonlyMap<string, CelField> }
  | { readonly kind: "opaque"; readonly name: string; readonly parameters: readonly CelType[] }
  | { readonly kind: "parameter"; readonly name: string };

/** Types without parameters. `error` occurs only while checking, after an error was reported. */
export type ScalarKind =
  | "dyn"
  | "error"
  | "null"
  | "bool"
  | "int"
  | "uint"
  | "double"
  | "string"
  | "bytes"
  | "timestamp"
  | "duration";

/** A declared field of an object. */
export interface CelField {
  readonly type: CelType;
  /** The member's name in the data, if it differs from the name in expressions. */
  readonly key?: string;
}

const DYN: CelType = { kind: "dyn" };

/** Known only at run time. */
export const CEL_DYN: CelType = DYN;
/** The type of an invalid part of an expression whose error was reported. */
export const CEL_ERROR: CelType = { kind: "error" };
/** The type of null. */
export const CEL_NULL: CelType = { kind: "null" };
/** Booleans. */
export const CEL_BOOL: CelType = { kind: "bool" };
/** 64-bit signed integers. */
export const CEL_INT: CelType = { kind: "int" };
/** 64-bit unsigned integers. */
export const CEL_UINT: CelType = { kind: "uint" };
/** Floating-point numbers. */
export const CEL_DOUBLE: CelType = { kind: "double" };
/** Strings. */
export const CEL_STRING: CelType = { kind: "string" };
/** Bytes. */
export const CEL_BYTES: CelType = { kind: "bytes" };
/** Points in time. */
export const CEL_TIMESTAMP: CelType = { kind: "timestamp" };
/** Durations. */
export const CEL_DURATION: CelType = { kind: "duration" };

/** The type of lists with elements of one type. */
export function listType(element: CelType): CelType {
  return { kind: "list", element };
}

/** The type of maps with these types of keys and values. Keys are bool, int, uint or string. */
export function mapType(key: CelType, value: CelType): CelType {
  return { kind: "map", key, value };
}

/** A value that may be absent: `optional_type(T)`. */
export function optionalType(of: CelType): CelType {
  return { kind: "opaque", name: "optional_type", parameters: [of] };
}

/** The type of types: `type(int)`. */
export function typeType(of: CelType): CelType {
  return { kind: "type", of };
}

/** A scalar that may also be null. */
export function wrapperType(of: CelType): CelType {
  return { kind: "wrapper", of };
}

/** An object with declared fields. Its values are maps with string keys, unless a type provider creates them. */
export function structType(name: string, fields?: ReadonlyMap<string, CelField>): CelType {
  return fields === undefined ? { kind: "struct", name } : { kind: "struct", name, fields };
}

/** A type that a library defines, such as `kubernetes.Quantity`. */
export function opaqueType(name: string, ...parameters: readonly CelType[]): CelType {
  return { kind: "opaque", name, parameters };
}

/** A type parameter of an overload. */
export function parameterType(name: string): CelType {
  return { kind: "parameter", name };
}

/** Returns the parameter of an optional type; undefined for other types. */
export function optionalElement(type: CelType): CelType | undefined {
  return type.kind === "opaque" && type.name === "optional_type" ? (type.parameters[0] ?? DYN) : undefined;
}

const RUNTIME_NAMES: Readonly<Partial<Record<CelType["kind"], string>>> = {
  null: "null_type",
  timestamp: "google.protobuf.Timestamp",
  duration: "google.protobuf.Duration",
};

/** Returns the runtime name of a type, without parameters: `list`, not `list(int)`. */
export function runtimeName(type: CelType): string {
  switch (type.kind) {
    case "wrapper":
      return runtimeName(type.of);
    case "struct":
    case "opaque":
    case "parameter":
      return type.name;
    default:
      return RUNTIME_NAMES[type.kind] ?? type.kind;
  }
}

/** Formats a type for messages: `map(string, list(int))`. */
export function formatType(type: CelType): string {
  switch (type.kind) {
    case "list":
      return `list(${formatType(type.element)})`;
    case "map":
      return `map(${formatType(type.key)}, ${formatType(type.value)})`;
    case "type":
      return type.of.kind === "dyn" ? "type" : `type(${formatType(type.of)})`;
    case "wrapper":
      return `wrapper(${formatType(type.of)})`;
    case "opaque":
      return type.parameters.length === 0 ? type.name : `${type.name}(${type.parameters.map(formatType).join(", ")})`;
    case "null":
      return "null";
    default:
      return runtimeName(type);
  }
}
