import { DeclarationError } from "../error/index.ts";
import type { JsonObject, JsonValue } from "../json/index.ts";
import { structuralFieldsOf, ListSchema, MapSchema, ObjectSchema } from "./collection.ts";
import { NumberSchema, StringSchema } from "./scalar.ts";
import { Schema } from "./schema.ts";
import type { AnySchema, Infer, InferInput } from "./schema.ts";
import { booleanFromString, intFromString, jsonFromString, numberFromString, anyString } from "./string-parser.ts";

/** The fields of a declared object. */
export type SchemaFields = Readonly<Record<string, AnySchema>>;

type OptionalKeys<F extends SchemaFields> = {
  [K in keyof F]: F[K]["presence"] extends "optional" ? K : never;
}[keyof F];
type RequiredKeys<F extends SchemaFields> = {
  [K in keyof F]: F[K]["presence"] extends "required" ? K : never;
}[keyof F];
type Flat<T> = { readonly [K in keyof T]: T[K] };

/** Type of an object with these fields, as read: defaulted fields are always present. */
export type ObjectOut<F extends SchemaFields> = Flat<
  { [K in Exclude<keyof F, OptionalKeys<F>>]: Infer<F[K]> } & { [K in OptionalKeys<F>]?: Infer<F[K]> }
>;

/** Type of an object with these fields, to be written: only required fields must be present. */
export type ObjectIn<F extends SchemaFields> = Flat<
  { [K in RequiredKeys<F>]: InferInput<F[K]> } & { [K in Exclude<keyof F, RequiredKeys<F>>]?: InferInput<F[K]> }
>;

/** An embedded object of any kind. */
export interface EmbeddedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: JsonObject;
  readonly [field: string]: JsonValue;
}

function object<const F extends SchemaFields>(fields: F): ObjectSchema<ObjectOut<F>, ObjectIn<F>> {
  return new ObjectSchema(structuralFieldsOf(fields));
}

function array<S extends AnySchema>(items: S): ListSchema<Infer<S>, InferInput<S>> {
  checkBare("an item of a list", items);
  return new ListSchema({ type: "array", items: items.structural });
}

function map<S extends AnySchema>(values: S): MapSchema<Infer<S>, InferInput<S>> {
  checkBare("a value of a map", values);
  return new MapSchema({ type: "object", additionalProperties: values.structural });
}

function oneOf<const V extends readonly [string, ...string[]]>(...values: V): Schema<V[number], V[number]> {
  if (values.length === 0) throw new DeclarationError("an enum needs at least one value");
  if (new Set(values).size !== values.length) throw new DeclarationError("an enum has duplicate values");
  return new Schema({ type: "string", enum: values }, "required");
}

function checkBare(what: string, schema: AnySchema): void {
  if (schema.presence === "required") return;
  const modifier = schema.presence === "optional" ? ".optional()" : ".default()";
  throw new DeclarationError(`${what} cannot be optional: remove ${modifier}, or use .nullable()`);
}

/** Schema builders: `s.object({ replicas: s.int32().min(0).default(1) })`. */
export const s: {
  /** An object with these fields; others are pruned. */
  readonly object: typeof object;
  /** A list. */
  readonly array: typeof array;
  /** A map with string keys and values of one schema. */
  readonly map: typeof map;
  /** One of the given strings. */
  readonly enum: typeof oneOf;
  readonly string: () => StringSchema;
  readonly boolean: () => Schema<boolean, boolean>;
  readonly int32: () => NumberSchema<number>;
  /** A bigint beyond ±(2^53 − 1), a number otherwise. */
  readonly int64: () => NumberSchema<number | bigint>;
  readonly number: () => NumberSchema<number>;
  /** An integer or a string, such as a port or a percentage. */
  readonly intOrString: () => Schema<number | string, number | string>;
  /** A resource quantity: `500m`, `2Gi`, `3`. */
  readonly quantity: () => Schema<number | string, number | string>;
  /** A duration in Go syntax: `1h30m`, `250ms`. */
  readonly duration: () => StringSchema;
  /** A timestamp (RFC 3339). */
  readonly dateTime: () => StringSchema;
  /** Any JSON object; its fields are preserved. */
  readonly record: () => Schema<JsonObject, JsonObject>;
  /** Any JSON value; its fields are preserved. */
  readonly any: () => Schema<JsonValue, JsonValue>;
  /** An object of any kind; its apiVersion, kind and metadata are validated. */
  readonly embedded: () => Schema<EmbeddedObject, EmbeddedObject>;
  /** Parsers for string values, such as those of a Secret. Not for fields of kinds. */
  readonly text: typeof anyString;
  readonly intFromString: typeof intFromString;
  readonly numberFromString: typeof numberFromString;
  readonly booleanFromString: typeof booleanFromString;
  readonly jsonFromString: typeof jsonFromString;
} = {
  object,
  array,
  map,
  enum: oneOf,
  string: () => new StringSchema({ type: "string" }),
  boolean: () => new Schema({ type: "boolean" }, "required"),
  int32: () => new NumberSchema({ type: "integer", format: "int32" }),
  int64: () => new NumberSchema({ type: "integer", format: "int64" }),
  number: () => new NumberSchema({ type: "number" }),
  intOrString: () => new Schema({ "x-kubernetes-int-or-string": true }, "required"),
  quantity: () => new Schema({ "x-kubernetes-int-or-string": true, pattern: QUANTITY }, "required"),
  duration: () => new StringSchema({ type: "string", format: "duration" }),
  dateTime: () => new StringSchema({ type: "string", format: "date-time" }),
  record: () => new Schema({ type: "object", "x-kubernetes-preserve-unknown-fields": true }, "required"),
  any: () => new Schema({ "x-kubernetes-preserve-unknown-fields": true }, "required"),
  embedded: () =>
    new Schema(
      { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
      "required",
    ),
  text: anyString,
  intFromString,
  numberFromString,
  booleanFromString,
  jsonFromString,
};

/** Pattern of a quantity. The server validates it; programs parse it with `parseQuantity`. */
const QUANTITY = "^[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(([KMGTPE]i)|[numkMGTPE]|([eE][+-]?[0-9]+))?$";
