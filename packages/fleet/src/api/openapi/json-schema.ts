import { isJsonObject } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";

/** The location of schemas in a document. */
export const SCHEMA_REF_PREFIX = "#/components/schemas/";

const LISTS: readonly string[] = ["allOf", "anyOf", "oneOf", "prefixItems"];
const MAPS: readonly string[] = ["properties", "patternProperties", "$defs"];
const SINGLE: readonly string[] = ["items", "additionalProperties", "not"];
/** Bounds that were boolean flags in OpenAPI 3.0 and are numbers in JSON Schema 2020-12. */
const BOUNDS = [
  ["exclusiveMinimum", "minimum"],
  ["exclusiveMaximum", "maximum"],
] as const;

/**
 * Converts a schema of OpenAPI 3.0 or Kubernetes to OpenAPI 3.1, which uses JSON Schema 2020-12. Idempotent. `rename`
 * maps the names of referenced schemas.
 */
export function jsonSchema(schema: JsonObject, rename: (name: string) => string = (name) => name): JsonObject {
  const { nullable, example, ...rest } = schema;
  const node: Record<string, JsonValue> = {};
  for (const [keyword, value] of Object.entries(rest)) {
    if (value !== undefined && keyword !== "x-kubernetes-preserve-unknown-fields")
      node[keyword] = member(keyword, value, rename);
  }
  for (const [exclusive, bound] of BOUNDS) {
    const [flag, limit] = [node[exclusive], node[bound]];
    if (typeof flag !== "boolean") continue;
    delete node[exclusive];
    if (!flag || limit === undefined) continue;
    node[exclusive] = limit;
    delete node[bound];
  }
  if (example !== undefined) node["examples"] = [example];
  if (node["x-kubernetes-int-or-string"] === true) {
    delete node["x-kubernetes-int-or-string"];
    node["type"] = ["integer", "string"];
  }
  return nullable === true ? orNull(node) : node;
}

function member(keyword: string, value: JsonValue, rename: (name: string) => string): JsonValue {
  if (keyword === "$ref" && typeof value === "string" && value.startsWith(SCHEMA_REF_PREFIX)) {
    return SCHEMA_REF_PREFIX + rename(value.slice(SCHEMA_REF_PREFIX.length));
  }
  const converted = (item: JsonValue): JsonValue => (isJsonObject(item) ? jsonSchema(item, rename) : item);
  if (LISTS.includes(keyword) && Array.isArray(value)) return value.map(converted);
  if (SINGLE.includes(keyword)) return converted(value);
  if (!MAPS.includes(keyword) || !isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, converted(item)]));
}

function orNull(node: JsonObject): JsonObject {
  const { type } = node;
  if (typeof type === "string") return { ...node, type: [type, "null"] };
  return Array.isArray(type) ? { ...node, type: [...type, "null"] } : { anyOf: [node, { type: "null" }] };
}

/** Returns the names of all directly referenced schemas. */
export function referencedSchemas(value: JsonValue | undefined): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item: JsonValue) => referencedSchemas(item));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([keyword, item]) => {
    const isReference = keyword === "$ref" && typeof item === "string" && item.startsWith(SCHEMA_REF_PREFIX);
    return isReference ? [item.slice(SCHEMA_REF_PREFIX.length)] : referencedSchemas(item);
  });
}
