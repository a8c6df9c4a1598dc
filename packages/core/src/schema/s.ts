import type { JsonValue } from "../json/index.ts";
import { NumberSchema, StringSchema } from "./scalar.ts";
import { Schema } from "./schema.ts";
import type { AnySchema, Infer, InferInput } from "./schema.ts";
import type { StructuralSchema } from "./structural.ts";

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

function object<const F extends Fields>(fields: F): Schema<ObjectOut<F>, ObjectIn<F>> {
  const required = Object.keys(fields).filter((name) => fields[name]?.presence === "required");
  const properties: Record<string, StructuralSchema> = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, field.structural]),
  );
  return new Schema({ type: "object", properties, ...(required.length === 0 ? {} : { required }) }, "required");
}

function array<S extends AnySchema>(items: S): Schema<readonly Infer<S>[], readonly InferInput<S>[]> {
  return new Schema({ type: "array", items: items.structural }, "required");
}

function map<S extends AnySchema>(
  values: S,
): Schema<Readonly<Record<string, Infer<S>>>, Readonly<Record<string, InferInput<S>>>> {
  return new Schema({ type: "object", additionalProperties: values.structural }, "required");
}

function oneOf<const V extends readonly string[]>(...values: V): Schema<V[number], V[number]> {
  return new Schema({ type: "string", enum: values }, "required");
}

/**
 * The vocabulary of declarations: `s.object({ replicas: s.int32().min(0).default(1) })`.
 */
export const s: {
  /** An object with exactly these fields; others are pruned. */
  readonly object: typeof object;
  /** A list, replaced as a whole. */
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
  /** Anything at all; nothing is pruned below it. */
  readonly any: () => Schema<JsonValue, JsonValue>;
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
  any: () => new Schema({ "x-kubernetes-preserve-unknown-fields": true }, "required"),
};
