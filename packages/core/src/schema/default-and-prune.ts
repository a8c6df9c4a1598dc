import { isJsonObject, mapJsonArray, mapJsonObject } from "../json/index.ts";
import { childPath } from "./field-error.ts";
import { propertySchema } from "./structural.ts";
import type { StructuralSchema } from "./structural.ts";

/**
 * Applies the declared defaults to absent fields, at all depths. A `null` in a field that is not nullable counts as
 * absent: it gets the default, or is removed. The input is not changed.
 */
export function applyDefaults(schema: StructuralSchema, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return value;
    return mapJsonArray(value, (item) =>
      isAbsent(items, item) ? (defaultOf(items) ?? item) : applyDefaults(items, item),
    );
  }
  if (!isJsonObject(value)) return value;
  const present = mapJsonObject(value, (child, name) => {
    const field = propertySchema(schema, name);
    if (field === undefined) return child;
    return isAbsent(field, child) ? defaultOf(field) : applyDefaults(field, child);
  });
  const added = fieldsWithDefault(schema).filter(([name]) => !Object.hasOwn(value, name));
  if (added.length === 0) return present;
  return Object.fromEntries([...Object.entries(present), ...added.map(([name, field]) => [name, defaultOf(field)])]);
}

type Fields = readonly (readonly [name: string, field: StructuralSchema])[];

const withDefault = new WeakMap<StructuralSchema, Fields>();

/** Cached per schema: objects have many more fields than defaults. */
function fieldsWithDefault(schema: StructuralSchema): Fields {
  const known = withDefault.get(schema);
  if (known !== undefined) return known;
  const fields = Object.entries(schema.properties ?? {}).filter(([, field]) => field.default !== undefined);
  withDefault.set(schema, fields);
  return fields;
}

function isAbsent(field: StructuralSchema, value: unknown): boolean {
  return value === undefined || (value === null && field.nullable !== true);
}

function defaultOf(field: StructuralSchema): unknown {
  return field.default === undefined ? undefined : applyDefaults(field, field.default);
}

/** A value without undeclared fields, and the paths of the pruned ones. */
export interface PruneResult {
  readonly value: unknown;
  readonly dropped: readonly string[];
}

/** Prunes every undeclared field, at all depths. The input is not changed. */
export function pruneUnknownFields(schema: StructuralSchema, value: unknown): PruneResult {
  const dropped: string[] = [];
  return { value: pruneInto(schema, value, "", dropped), dropped };
}

/**
 * Fields of an embedded object that are not pruned, even if the schema declares some of their content. `coerceEmbedded`
 * drops unknown metadata. See k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning/algorithm.go.
 */
const EMBEDDED: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

function pruneInto(schema: StructuralSchema, value: unknown, path: string, dropped: string[]): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return value;
    return mapJsonArray(value, (item, index) => pruneInto(items, item, childPath(path, index), dropped));
  }
  if (!isJsonObject(value)) return value;
  const keepsUnknown = schema["x-kubernetes-preserve-unknown-fields"] === true;
  const isEmbedded = schema["x-kubernetes-embedded-resource"] === true;
  return mapJsonObject(value, (child, name) => {
    if (isEmbedded && EMBEDDED.has(name)) return child;
    const field = propertySchema(schema, name);
    if (field !== undefined) return pruneInto(field, child, childPath(path, name), dropped);
    if (keepsUnknown) return child;
    dropped.push(childPath(path, name));
    return undefined;
  });
}
