import { DeclarationError } from "../error/index.ts";
import type { JsonObject, JsonValue } from "../json/index.ts";
import { fieldsOf, ListSchema, MapSchema, ObjectSchema } from "./collection.ts";
import { NumberSchema, StringSchema } from "./scalar.ts";
import { Schema } from "./schema.ts";
import type { AnySchema, Infer, InferInput } from "./schema.ts";
import { booleanFromString, intFromString, jsonFromString, numberFromString, text } from "./text-value.ts";

/** The fields of a declared object. */
export type Fields = Readonly<Record<string, AnySchema>>;

type OptionalKeys<F extends Fields> = { [K in keyof F]: F[K]["presence"] extends "optional" ? K : never }[keyof F];
type RequiredKeys<F extends Fields> = { [K in keyof F]: F[K]["presence"] extends "required" ? K : never }[keyof F];
type Flat<T> = { readonly [K in keyof T]: T[K] };

/** What a reader of an object with these fields sees: defaulted fields are always there. */
export type ObjectOut<F extends Fields> = Flat<
  { [K in Exclude<keyof F, OptionalKeys<F>>]: Infer<F[K]> } & { [K in OptionalKeys<F>]?: Infer<F[K]> }
>;

/** What a writer of an object with these fields gives: only required fields must be there. */
export type ObjectIn<F extends Fields> = Flat<
  { [K in RequiredKeys<F>]: InferInput<F[K]> } & { [K in Exclude<keyof F, RequiredKeys<F>>]?: InferInput<F[K]> }
>;

/** An object of a kind of its own inside another one. */
export interface EmbeddedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: JsonObject;
  readonly [field: string]: JsonValue;
}

function object<const F extends Fields>(fields: F): ObjectSchema<ObjectOut<F>, ObjectIn<F>> {
  return new ObjectSchema(fieldsOf(fields));
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
  if (new Set(values).size !== values.length) throw new DeclarationError("an enum names each value once");
  return new Schema({ type: "string", enum: values }, "required");
}

function checkBare(what: string, schema: AnySchema): void {
  if (schema.presence === "required") return;
  const said = schema.presence === "optional" ? ".optional()" : ".default()";
  throw new DeclarationError(`${what} is there or not: leave out ${said}, or use .nullable()`);
}

/**
 * The vocabulary of declarations: `s.object({ replicas: s.int32().min(0).default(1) })`.
 */
export const s: {
  /** An object with exactly these fields; others are dropped. */
  readonly object: typeof object;
  /** A list. */
  readonly array: typeof array;
  /** An object with any keys and values of one kind. */
  readonly map: typeof map;
  /** One of the given texts. */
  readonly enum: typeof oneOf;
  readonly string: () => StringSchema;
  readonly boolean: () => Schema<boolean, boolean>;
  readonly int32: () => NumberSchema<number>;
  /** A bigint where the value is beyond ±(2^53 − 1), a number otherwise. */
  readonly int64: () => NumberSchema<number | bigint>;
  readonly number: () => NumberSchema<number>;
  /** A number or a text, such as a port or a percentage. */
  readonly intOrString: () => Schema<number | string, number | string>;
  /** An amount with a unit: `500m`, `2Gi`, `3`. */
  readonly quantity: () => Schema<number | string, number | string>;
  /** A length of time as Go writes it: `1h30m`, `250ms`. */
  readonly duration: () => StringSchema;
  /** A moment, RFC 3339. */
  readonly dateTime: () => StringSchema;
  /** Any JSON object; nothing below it is dropped. */
  readonly record: () => Schema<JsonObject, JsonObject>;
  /** Anything at all; nothing below it is dropped. */
  readonly any: () => Schema<JsonValue, JsonValue>;
  /** A whole object of any kind, with its apiVersion, kind and metadata checked as such. */
  readonly embedded: () => Schema<EmbeddedObject, EmbeddedObject>;
  /** What texts must read as, such as the values of a Secret. No fields of kinds. */
  readonly text: typeof text;
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
  text,
  intFromString,
  numberFromString,
  booleanFromString,
  jsonFromString,
};

/** What a quantity looks like; a server checks the pattern, programs parse it with `parseQuantity`. */
const QUANTITY = "^[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(([KMGTPE]i)|[numkMGTPE]|([eE][+-]?[0-9]+))?$";
