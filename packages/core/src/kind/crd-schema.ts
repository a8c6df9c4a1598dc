import { cloneJson, isJsonObject } from "../json/index.ts";
import type { StructuralSchema } from "../schema/index.ts";
import type { CrdReader } from "./crd-reader.ts";

/** Maximum nesting depth of schemas. */
const DEPTH_MAX = 64;
const TYPES = ["object", "array", "string", "integer", "number", "boolean"] as const;

type Check = readonly [instead: string, is: (value: unknown) => boolean];

const isList = (value: unknown, of: (item: unknown) => boolean): boolean => Array.isArray(value) && value.every(of);
const isText = (value: unknown): boolean => typeof value === "string";
const isRule = (value: unknown): boolean => isJsonObject(value) && isText(value["rule"]);

const NUMBER: Check = ["write a number", (value) => typeof value === "number" || typeof value === "bigint"];
const FLAG: Check = ["write true or false", (value) => typeof value === "boolean"];
const TEXT: Check = ["write a string", isText];
const TEXTS: Check = ["write a list of strings", (value) => isList(value, isText)];
const SCHEMAS: Check = ["write a list of schemas", (value) => isList(value, isJsonObject)];

/** Keywords whose values are not parsed further. */
const PLAIN: ReadonlyMap<string, Check> = new Map([
  ["minimum", NUMBER],
  ["maximum", NUMBER],
  ["multipleOf", NUMBER],
  ["minLength", NUMBER],
  ["maxLength", NUMBER],
  ["minItems", NUMBER],
  ["maxItems", NUMBER],
  ["minProperties", NUMBER],
  ["maxProperties", NUMBER],
  ["exclusiveMinimum", FLAG],
  ["exclusiveMaximum", FLAG],
  ["nullable", FLAG],
  ["x-kubernetes-preserve-unknown-fields", FLAG],
  ["x-kubernetes-embedded-resource", FLAG],
  ["x-kubernetes-int-or-string", FLAG],
  ["title", TEXT],
  ["description", TEXT],
  ["format", TEXT],
  ["pattern", TEXT],
  [
    "x-kubernetes-list-type",
    ["write atomic, set or map", (value) => ["atomic", "set", "map"].some((each) => each === value)],
  ],
  ["x-kubernetes-map-type", ["write atomic or granular", (value) => value === "atomic" || value === "granular"]],
  ["required", TEXTS],
  ["x-kubernetes-list-map-keys", TEXTS],
  ["enum", ["write a list", Array.isArray]],
  ["anyOf", SCHEMAS],
  ["oneOf", SCHEMAS],
  ["allOf", SCHEMAS],
  ["not", ["write a schema", isJsonObject]],
  ["x-kubernetes-validations", ["write a list of { rule: … }", (value) => isList(value, isRule)]],
]);

/**
 * Parses the schema of a CustomResourceDefinition. Expands `additionalProperties: true` and converts integers parsed as
 * bigints. Throws a DeclarationError that names the invalid field.
 */
export function parseStructuralSchema(at: CrdReader, depth = 0): StructuralSchema {
  if (depth > DEPTH_MAX) throw at.error(`nested more than ${DEPTH_MAX} deep`, "reduce the nesting");
  const { properties, items, additionalProperties: _entries, type, $ref: ref, ...plain } = at.fields();
  if (ref !== undefined)
    throw at.field("$ref").error("references are not supported in CRD schemas", "inline the schema");
  for (const [keyword, [instead, is]] of PLAIN) {
    const value = plain[keyword];
    if (value !== undefined && !is(value)) throw at.field(keyword).error("has the wrong type", instead);
  }
  const schema: StructuralSchema = {
    ...Object.fromEntries(Object.entries(plain).map(([keyword, value]) => [keyword, plainValue(keyword, value)])),
    ...(type === undefined || type === "" ? {} : { type: at.field("type").oneOf(TYPES) }),
    ...(properties === undefined ? {} : { properties: readFields(at.field("properties"), depth) }),
    ...(items === undefined ? {} : { items: parseStructuralSchema(at.field("items"), depth + 1) }),
    ...readEntries(at.field("additionalProperties"), depth),
  };
  return schema;
}

function readFields(at: CrdReader, depth: number): Readonly<Record<string, StructuralSchema>> {
  return Object.fromEntries(
    Object.keys(at.fields()).map((name) => [name, parseStructuralSchema(at.field(name), depth + 1)]),
  );
}

function readEntries(at: CrdReader, depth: number): StructuralSchema {
  if (at.value === undefined || at.value === false) return {};
  if (at.value === true) return { "x-kubernetes-preserve-unknown-fields": true };
  return { additionalProperties: parseStructuralSchema(at, depth + 1) };
}

function plainValue(keyword: string, value: unknown): unknown {
  const isBound = typeof value === "bigint" && PLAIN.has(keyword);
  return isBound ? Number(value) : cloneJson(value);
}
