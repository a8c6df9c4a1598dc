import { schemaFormats } from "../../format/index.ts";
import { cloneJson } from "../../json/index.ts";
import type { JsonValue } from "../../json/index.ts";
import type { JsonSchemaDocument, SchemaNode, SchemaLocation } from "./json-schema-document.ts";
import { compilePattern } from "../pattern.ts";
import type { StructuralSchema, ValueRules } from "../structural.ts";

/** Returns the constraints of a schema on its own value: enum, bounds, lengths, counts, pattern, format. */
export function constraintsOf(
  document: JsonSchemaDocument,
  node: SchemaNode,
  type: StructuralSchema["type"],
): ValueRules {
  const enumeration = enumOf(document, node);
  const multipleOf = numberOf(document, node, "multipleOf");
  return {
    ...(enumeration === undefined ? {} : { enum: enumeration }),
    ...lowerBound(document, node),
    ...upperBound(document, node),
    ...(multipleOf === undefined ? {} : { multipleOf }),
    ...counts(document, node),
    ...textRules(document, node, type),
  };
}

/** Returns the enum values without null, which is expressed by `nullable`; undefined if there is no enum. */
export function enumOf(document: JsonSchemaDocument, node: SchemaNode): readonly JsonValue[] | undefined {
  const constant = node.keywords.get("const");
  const listed = node.keywords.get("enum");
  if (constant === undefined && listed === undefined) return undefined;
  const places = constant !== undefined ? [constant] : listed === undefined ? [] : document.list(listed);
  const values = places.map((location) => jsonOf(location)).filter((value) => value !== null);
  if (values.length === 0) {
    throw document.error(node.location, "allows no value but null", "remove the field, or add values");
  }
  return values;
}

/** Returns a value of the document as JSON data. */
export function jsonOf(location: SchemaLocation): JsonValue {
  return cloneJson(location.value) as JsonValue; // values of a JSON document are JSON
}

function lowerBound(document: JsonSchemaDocument, node: SchemaNode): ValueRules {
  const minimum = numberOf(document, node, "minimum");
  const exclusive = node.keywords.get("exclusiveMinimum")?.value;
  if (exclusive === undefined || typeof exclusive === "boolean") {
    // OpenAPI 3.0 and draft 4: a boolean beside the bound, without effect if there is no bound.
    return minimum === undefined ? {} : { minimum, ...(exclusive === true ? { exclusiveMinimum: true } : {}) };
  }
  const above = numberOf(document, node, "exclusiveMinimum");
  if (minimum !== undefined && above !== undefined && minimum > above) return { minimum };
  return above === undefined ? {} : { minimum: above, exclusiveMinimum: true };
}

function upperBound(document: JsonSchemaDocument, node: SchemaNode): ValueRules {
  const maximum = numberOf(document, node, "maximum");
  const exclusive = node.keywords.get("exclusiveMaximum")?.value;
  if (exclusive === undefined || typeof exclusive === "boolean") {
    return maximum === undefined ? {} : { maximum, ...(exclusive === true ? { exclusiveMaximum: true } : {}) };
  }
  const under = numberOf(document, node, "exclusiveMaximum");
  if (maximum !== undefined && under !== undefined && maximum < under) return { maximum };
  return under === undefined ? {} : { maximum: under, exclusiveMaximum: true };
}

const COUNTS = ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"] as const;

function counts(document: JsonSchemaDocument, node: SchemaNode): ValueRules {
  return Object.fromEntries(
    COUNTS.flatMap((name): [string, number][] => {
      const count = numberOf(document, node, name);
      return count === undefined ? [] : [[name, count]];
    }),
  );
}

function numberOf(document: JsonSchemaDocument, node: SchemaNode, keyword: string): number | undefined {
  const location = node.keywords.get(keyword);
  if (location === undefined) return undefined;
  if (typeof location.value === "bigint") return Number(location.value);
  if (typeof location.value !== "number")
    throw document.error(location, `${keyword} is not a number`, "write a number");
  return location.value;
}

function textRules(document: JsonSchemaDocument, node: SchemaNode, type: StructuralSchema["type"]): ValueRules {
  const location = node.keywords.get("pattern");
  const format = formatOf(node, type);
  const hasFormat = format === undefined ? {} : { format };
  if (location === undefined) return hasFormat;
  if (typeof location.value !== "string")
    throw document.error(location, "the pattern is not a string", "write a string");
  const compiled = compilePattern(location.value);
  if (compiled.kind === "compiled") return { pattern: location.value, ...hasFormat };
  // Libraries also emit a format as a pattern, sometimes with lookaheads. The server validates the format itself.
  if (format !== undefined && type === "string") return hasFormat;
  throw document.error(
    location,
    `the pattern ${location.value} is not RE2 (${compiled.why})`,
    "write it without lookaround and back-references, or as a rule in CEL",
  );
}

/** Returns the format if the server validates it. */
function formatOf(node: SchemaNode, type: StructuralSchema["type"]): string | undefined {
  const format = node.keywords.get("format")?.value;
  if (type === "integer") return format === "int32" ? "int32" : "int64";
  if (typeof format !== "string") return undefined;
  if (type === "number") return format === "float" || format === "double" ? format : undefined;
  // A duration is P1DT2H in JSON Schema, for which libraries also emit a pattern, but 26h in Kubernetes.
  if (format === "duration" && node.keywords.has("pattern")) return undefined;
  return schemaFormats.has(format) ? format : undefined;
}
