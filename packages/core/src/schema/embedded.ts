import { isJsonObject, mapItems, mapMembers } from "../json/index.ts";
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
  | {
      readonly kind: "readable";
      readonly value: unknown;
      /** The paths of unknown metadata that is not part of the value. */
      readonly dropped: readonly string[];
    }
  | { readonly kind: "unreadable"; readonly error: FieldError };

/**
 * Reads the type and the metadata of every embedded object: unknown fields of metadata are dropped, and what has the wrong type makes
 * the whole value unreadable. The input is not changed.
 */
export function coerceEmbedded(schema: StructuralSchema, value: unknown, path = ""): Coerced {
  const dropped: string[] = [];
  try {
    return { kind: "readable", value: readValue(schema, value, path, dropped), dropped };
  } catch (error) {
    if (error instanceof Unreadable) return { kind: "unreadable", error: error.field };
    throw error;
  }
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

/** Ends the reading of a value at the first thing that cannot be read. */
class Unreadable extends Error {
  readonly field: FieldError;

  constructor(field: FieldError) {
    super(field.message);
    this.field = field;
  }
}

function readValue(schema: StructuralSchema, value: unknown, path: string, dropped: string[]): unknown {
  if (!hasEmbedded(schema)) return value;
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined
      ? value
      : mapItems(value, (item, index) => readValue(items, item, childPath(path, index), dropped));
  }
  if (!isJsonObject(value)) return value;
  const isEmbedded = schema["x-kubernetes-embedded-resource"] === true;
  return mapMembers(value, (child, name) => {
    const at = childPath(path, name);
    if (isEmbedded && (name === "apiVersion" || name === "kind")) return readText(child, at);
    if (isEmbedded && name === "metadata") return readMetadata(child, at, dropped);
    const field = propertySchema(schema, name);
    return field === undefined ? child : readValue(field, child, at, dropped);
  });
}

function readText(value: unknown, path: string): string {
  if (typeof value === "string") return value;
  throw new Unreadable(invalidValue(path, shown(value), "must be a string"));
}

function readMetadata(value: unknown, path: string, dropped: string[]): unknown {
  const { value: known, dropped: unknown } = prune(METADATA, withoutNulls(value ?? {}));
  dropped.push(...unknown.map((name) => `${path}.${name}`));
  const [error] = validate(METADATA, known, path);
  if (error !== undefined) throw new Unreadable(error);
  return withoutEmpty(known);
}

/** Metadata is written without what is empty. */
function withoutEmpty(metadata: unknown): unknown {
  if (!isJsonObject(metadata)) return metadata;
  const isEmpty = (value: unknown): boolean =>
    value === "" || value === 0 || (typeof value === "object" && value !== null && Object.keys(value).length === 0);
  return mapMembers(metadata, (value) => (isEmpty(value) ? undefined : value));
}

/** A null in metadata reads as absent. */
function withoutNulls(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  return mapMembers(value, (child) => (child === null ? undefined : child));
}
