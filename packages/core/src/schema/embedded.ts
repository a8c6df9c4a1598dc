import { isJsonObject } from "../json/index.ts";
import { childPath } from "./field-error.ts";
import type { FieldError } from "./field-error.ts";
import { prune } from "./shape.ts";
import { propertySchema } from "./structural.ts";
import type { StructuralSchema } from "./structural.ts";
import { validate } from "./validate.ts";
import { invalidValue, shown } from "./value-rules.ts";

const text: StructuralSchema = { type: "string" };
const texts: StructuralSchema = { type: "object", additionalProperties: text };
const flag: StructuralSchema = { type: "boolean" };

/** The metadata of an object inside another one, as far as its types go. */
const METADATA: StructuralSchema = {
  type: "object",
  properties: {
    name: text,
    generateName: text,
    namespace: text,
    selfLink: text,
    uid: text,
    resourceVersion: text,
    generation: { type: "integer", format: "int64" },
    creationTimestamp: { type: "string", format: "date-time" },
    deletionTimestamp: { type: "string", format: "date-time" },
    deletionGracePeriodSeconds: { type: "integer", format: "int64" },
    labels: texts,
    annotations: texts,
    finalizers: { type: "array", items: text },
    ownerReferences: {
      type: "array",
      items: {
        type: "object",
        properties: { apiVersion: text, kind: text, name: text, uid: text, controller: flag, blockOwnerDeletion: flag },
      },
    },
    managedFields: { type: "array", items: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
  },
};

/** A value whose embedded objects can be read, or the first one that cannot. */
export type Coerced =
  | { readonly kind: "readable"; readonly value: unknown }
  | { readonly kind: "unreadable"; readonly error: FieldError };

/**
 * Reads the type and the metadata of every embedded object: unknown fields of metadata are dropped, and what has the wrong type makes
 * the whole value unreadable. The input is not changed.
 */
export function coerceEmbedded(schema: StructuralSchema, value: unknown, path = ""): Coerced {
  return hasEmbedded(schema) ? coerce(schema, value, path) : { kind: "readable", value };
}

const embedding = new WeakMap<StructuralSchema, boolean>();

/** Whether there can be an embedded object in a value of the schema. Few schemas have any, and nobody else should pay for it. */
function hasEmbedded(schema: StructuralSchema): boolean {
  const known = embedding.get(schema) ?? isEmbedding(schema, new Set());
  embedding.set(schema, known);
  return known;
}

function isEmbedding(schema: StructuralSchema, seen: Set<StructuralSchema>): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  if (schema["x-kubernetes-embedded-resource"] === true) return true;
  const { properties = {}, additionalProperties, items } = schema;
  return [...Object.values(properties), additionalProperties, items].some(
    (child) => child !== undefined && isEmbedding(child, seen),
  );
}

function coerce(schema: StructuralSchema, value: unknown, path: string): Coerced {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return { kind: "readable", value };
    return joined(
      value.map((item, index) => coerce(items, item, childPath(path, index))),
      (list) => list,
    );
  }
  if (!isJsonObject(value)) return { kind: "readable", value };
  const names = Object.keys(value);
  const isEmbedded = schema["x-kubernetes-embedded-resource"] === true;
  const parts = names.map((name): Coerced => {
    const at = childPath(path, name);
    if (isEmbedded && (name === "apiVersion" || name === "kind")) return readText(value[name], at);
    if (isEmbedded && name === "metadata") return readMetadata(value[name], at);
    const field = propertySchema(schema, name);
    return field === undefined ? { kind: "readable", value: value[name] } : coerce(field, value[name], at);
  });
  return joined(parts, (list) => Object.fromEntries(names.map((name, index) => [name, list[index]])));
}

function joined(parts: readonly Coerced[], join: (values: readonly unknown[]) => unknown): Coerced {
  const values: unknown[] = [];
  for (const part of parts) {
    if (part.kind === "unreadable") return part;
    values.push(part.value);
  }
  return { kind: "readable", value: join(values) };
}

function readText(value: unknown, path: string): Coerced {
  if (typeof value === "string") return { kind: "readable", value };
  return { kind: "unreadable", error: invalidValue(path, shown(value), "must be a string") };
}

function readMetadata(value: unknown, path: string): Coerced {
  const known = prune(METADATA, withoutNulls(value ?? {})).value;
  const [error] = validate(METADATA, known, path);
  return error === undefined ? { kind: "readable", value: withoutEmpty(known) } : { kind: "unreadable", error };
}

/** Metadata is written without what is empty. */
function withoutEmpty(metadata: unknown): unknown {
  if (!isJsonObject(metadata)) return metadata;
  const isEmpty = (value: unknown): boolean =>
    value === "" || value === 0 || (typeof value === "object" && value !== null && Object.keys(value).length === 0);
  return Object.fromEntries(Object.entries(metadata).filter(([, value]) => !isEmpty(value)));
}

/** A null in metadata reads as absent. */
function withoutNulls(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, child]) => child !== null));
}
