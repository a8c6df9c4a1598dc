import { isJsonObject, mapJsonArray, mapJsonObject } from "../json/index.ts";
import { childPath } from "./field-error.ts";
import type { FieldError } from "./field-error.ts";
import { pruneUnknownFields } from "./default-and-prune.ts";
import { propertySchema } from "./structural.ts";
import type { StructuralSchema } from "./structural.ts";
import { validate } from "./validate.ts";
import { invalidValue, formatInvalidValue } from "./value-rules.ts";

const text: StructuralSchema = { type: "string" };
const texts: StructuralSchema = { type: "object", additionalProperties: text };
const flag: StructuralSchema = { type: "boolean" };

/** The schema of the metadata of an embedded object. */
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

/** A value with decoded embedded objects, or the first decoding error. */
export type CoerceResult =
  | {
      readonly kind: "readable";
      readonly value: unknown;
      /** The paths of unknown metadata that was dropped. */
      readonly dropped: readonly string[];
    }
  | { readonly kind: "unreadable"; readonly error: FieldError };

/**
 * Decodes the type and the metadata of every embedded object. Unknown metadata fields are dropped; a wrong type fails
 * the whole value. The input is not changed.
 */
export function coerceEmbedded(schema: StructuralSchema, value: unknown, path = ""): CoerceResult {
  const dropped: string[] = [];
  try {
    return { kind: "readable", value: readValue(schema, value, path, dropped), dropped };
  } catch (error) {
    if (error instanceof Unreadable) return { kind: "unreadable", error: error.field };
    throw error;
  }
}

const embedding = new WeakMap<StructuralSchema, boolean>();

/** Reports whether a value of the schema can contain an embedded object. Few schemas do; the others skip the walk. */
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

/** Aborts the decoding of a value at the first error. */
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
      : mapJsonArray(value, (item, index) => readValue(items, item, childPath(path, index), dropped));
  }
  if (!isJsonObject(value)) return value;
  const isEmbedded = schema["x-kubernetes-embedded-resource"] === true;
  return mapJsonObject(value, (child, name) => {
    const at = childPath(path, name);
    if (isEmbedded && (name === "apiVersion" || name === "kind")) return readText(child, at);
    if (isEmbedded && name === "metadata") return readMetadata(child, at, dropped);
    const field = propertySchema(schema, name);
    return field === undefined ? child : readValue(field, child, at, dropped);
  });
}

function readText(value: unknown, path: string): string {
  if (typeof value === "string") return value;
  throw new Unreadable(invalidValue(path, formatInvalidValue(value), "must be a string"));
}

function readMetadata(value: unknown, path: string, dropped: string[]): unknown {
  const { value: known, dropped: unknown } = pruneUnknownFields(METADATA, withoutNulls(value ?? {}));
  dropped.push(...unknown.map((name) => `${path}.${name}`));
  const [error] = validate(METADATA, known, path);
  if (error !== undefined) throw new Unreadable(error);
  return withoutEmpty(known);
}

/** Removes empty metadata fields. */
function withoutEmpty(metadata: unknown): unknown {
  if (!isJsonObject(metadata)) return metadata;
  const isEmpty = (value: unknown): boolean =>
    value === "" || value === 0 || (typeof value === "object" && value !== null && Object.keys(value).length === 0);
  return mapJsonObject(metadata, (value) => (isEmpty(value) ? undefined : value));
}

/** Removes nulls in metadata, which are decoded as absent. */
function withoutNulls(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  return mapJsonObject(value, (child) => (child === null ? undefined : child));
}
