import { schemaFormats } from "../format/index.ts";
import { cloneJson } from "../json/index.ts";
import type { JsonValue } from "../json/index.ts";
import type { JsonSchemaDocument, SchemaNode, SchemaPlace } from "./json-schema-document.ts";
import { compilePattern } from "./pattern.ts";
import type { StructuralSchema, ValueRules } from "./structural.ts";

/** The constraints of a schema on its own value: enum, bounds, lengths, counts, pattern, format. */
export function ownRules(document: JsonSchemaDocument, node: SchemaNode, type: StructuralSchema["type"]): ValueRules {
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

/** The allowed values without null, which is a matter of `nullable`; undefined when all are. */
export function enumOf(document: JsonSchemaDocument, node: SchemaNode): readonly JsonValue[] | undefined {
  const constant = node.keywords.get("const");
  const listed = node.keywords.get("enum");
  if (constant === undefined && listed === undefined) return undefined;
  const places = constant !== undefined ? [constant] : listed === undefined ? [] : document.list(listed);
  const values = places.map((place) => jsonOf(place)).filter((value) => value !== null);
  if (values.length === 0) {
    throw document.refusal(node.place, "allows no value but null", "leave the field out, or name its values");
  }
  return values;
}

/** A value of the document as data of our own. */
export function jsonOf(place: SchemaPlace): JsonValue {
  return cloneJson(place.value) as JsonValue; // what stands in a JSON document is JSON
}

function lowerBound(document: JsonSchemaDocument, node: SchemaNode): ValueRules {
  const minimum = numberOf(document, node, "minimum");
  const exclusive = node.keywords.get("exclusiveMinimum")?.value;
  if (exclusive === undefined || typeof exclusive === "boolean") {
    // OpenAPI 3.0 and draft 4: a flag beside the bound, and nothing without one.
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
  const place = node.keywords.get(keyword);
  if (place === undefined) return undefined;
  if (typeof place.value === "bigint") return Number(place.value);
  if (typeof place.value !== "number") throw document.refusal(place, `${keyword} is no number`, "write one");
  return place.value;
}

function textRules(document: JsonSchemaDocument, node: SchemaNode, type: StructuralSchema["type"]): ValueRules {
  const place = node.keywords.get("pattern");
  const format = formatOf(node, type);
  const hasFormat = format === undefined ? {} : { format };
  if (place === undefined) return hasFormat;
  if (typeof place.value !== "string") throw document.refusal(place, "the pattern is no text", "write one");
  const compiled = compilePattern(place.value);
  if (compiled.kind === "compiled") return { pattern: place.value, ...hasFormat };
  // Libraries spell out a format as a pattern too, with lookaheads at times: the server checks the format by itself.
  if (format !== undefined && type === "string") return hasFormat;
  throw document.refusal(
    place,
    `the pattern ${place.value} is not RE2 (${compiled.why})`,
    "write it without lookaround and back-references, or as a rule in CEL",
  );
}

/** The format if the server checks it. */
function formatOf(node: SchemaNode, type: StructuralSchema["type"]): string | undefined {
  const format = node.keywords.get("format")?.value;
  if (type === "integer") return format === "int32" ? "int32" : "int64";
  if (typeof format !== "string") return undefined;
  if (type === "number") return format === "float" || format === "double" ? format : undefined;
  // In JSON Schema a duration is P1DT2H, which libraries also give a pattern for; to a server it is 26h.
  if (format === "duration" && node.keywords.has("pattern")) return undefined;
  return schemaFormats.has(format) ? format : undefined;
}
