import { isJsonObject } from "../json/index.ts";
import { childPath } from "./field-error.ts";
import { propertySchema } from "./structural.ts";
import type { StructuralSchema } from "./structural.ts";

/**
 * The value with every absent field filled in from its declared default, at all depths. A `null` for a field that may not be null
 * counts as absent: it gets the default, or goes. The input is not changed.
 */
export function applyDefaults(schema: StructuralSchema, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return value;
    return value.map((item) => (isAbsent(items, item) ? (defaultOf(items) ?? item) : applyDefaults(items, item)));
  }
  if (!isJsonObject(value)) return value;
  const present = Object.entries(value).flatMap(([name, child]): [string, unknown][] => {
    const field = propertySchema(schema, name);
    if (field === undefined) return [[name, child]];
    if (!isAbsent(field, child)) return [[name, applyDefaults(field, child)]];
    return field.default === undefined ? [] : [[name, defaultOf(field)]];
  });
  const added = Object.entries(schema.properties ?? {})
    .filter(([name, field]) => field.default !== undefined && !Object.hasOwn(value, name))
    .map(([name, field]): [string, unknown] => [name, defaultOf(field)]);
  return Object.fromEntries([...present, ...added]);
}

function isAbsent(field: StructuralSchema, value: unknown): boolean {
  return value === undefined || (value === null && field.nullable !== true);
}

function defaultOf(field: StructuralSchema): unknown {
  return field.default === undefined ? undefined : applyDefaults(field, field.default);
}

/** A value without the fields that its schema does not know, and the paths of those that were dropped. */
export interface Pruned {
  readonly value: unknown;
  readonly dropped: readonly string[];
}

/** Drops every field that the schema does not name, at all depths. The input is not changed. */
export function prune(schema: StructuralSchema, value: unknown): Pruned {
  const dropped: string[] = [];
  return { value: pruneInto(schema, value, "", dropped), dropped };
}

/** What an embedded object has without being declared. */
const EMBEDDED: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

function pruneInto(schema: StructuralSchema, value: unknown, path: string, dropped: string[]): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return value;
    return value.map((item, index) => pruneInto(items, item, childPath(path, index), dropped));
  }
  if (!isJsonObject(value)) return value;
  const keepsUnknown = schema["x-kubernetes-preserve-unknown-fields"] === true;
  const isEmbedded = schema["x-kubernetes-embedded-resource"] === true;
  const kept = Object.entries(value).flatMap(([name, child]): [string, unknown][] => {
    const field = propertySchema(schema, name);
    if (field !== undefined) return [[name, pruneInto(field, child, childPath(path, name), dropped)]];
    if (keepsUnknown || (isEmbedded && EMBEDDED.has(name))) return [[name, child]];
    dropped.push(childPath(path, name));
    return [];
  });
  return Object.fromEntries(kept);
}
