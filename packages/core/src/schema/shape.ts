import { childPath } from "./field-error.ts";
import type { StructuralSchema } from "./structural.ts";
import { isRecord, propertySchema } from "./validate.ts";

/** The value with every absent field filled in from its declared default, at all depths. The input is not changed. */
export function applyDefaults(schema: StructuralSchema, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? value : value.map((item) => applyDefaults(items, item));
  }
  if (!isRecord(value)) return value;
  const present = Object.entries(value).map(([name, child]): [string, unknown] => {
    const field = propertySchema(schema, name);
    if (field === undefined) return [name, child];
    // An explicit null for a field that may not be null and has a default means: use the default.
    if (child === null && field.nullable !== true && field.default !== undefined) return [name, defaultOf(field)];
    return [name, applyDefaults(field, child)];
  });
  const added = Object.entries(schema.properties ?? {})
    .filter(
      ([name, field]) => field.default !== undefined && (!Object.hasOwn(value, name) || value[name] === undefined),
    )
    .map(([name, field]): [string, unknown] => [name, defaultOf(field)]);
  return Object.fromEntries([...present, ...added]);
}

function defaultOf(field: StructuralSchema): unknown {
  return applyDefaults(field, field.default);
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

function pruneInto(schema: StructuralSchema, value: unknown, path: string, dropped: string[]): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return value;
    return value.map((item, index) => pruneInto(items, item, childPath(path, index), dropped));
  }
  if (!isRecord(value)) return value;
  const keepsUnknown = schema["x-kubernetes-preserve-unknown-fields"] === true;
  const kept = Object.entries(value).flatMap(([name, child]): [string, unknown][] => {
    const field = propertySchema(schema, name);
    if (field !== undefined) return [[name, pruneInto(field, child, childPath(path, name), dropped)]];
    if (keepsUnknown) return [[name, child]];
    dropped.push(childPath(path, name));
    return [];
  });
  return Object.fromEntries(kept);
}
