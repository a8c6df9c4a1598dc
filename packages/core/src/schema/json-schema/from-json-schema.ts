import { isJsonObject } from "../../json/index.ts";
import type { JsonValue } from "../../json/index.ts";
import { nestedRules, resolveAlternatives } from "./json-schema-alternatives.ts";
import { JsonSchemaDocument } from "./json-schema-document.ts";
import type { SchemaNode, SchemaLocation } from "./json-schema-document.ts";
import { extensionsOf } from "./json-schema-extension.ts";
import { rejectUnsupportedKeywords } from "./json-schema-keyword.ts";
import { jsonOf, constraintsOf } from "./json-schema-rules.ts";
import { typesOf } from "./json-schema-type.ts";
import { applyDefaults } from "../default-and-prune.ts";
import type { StructuralSchema } from "../structural.ts";
import { validate } from "../validate.ts";

/** Options of {@link structuralFromJsonSchema}. */
export interface JsonSchemaOptions {
  /** Name of the document in error messages. Default: JSON Schema. */
  readonly name?: string;
}

/**
 * Converts a JSON Schema (draft 2020-12 or OpenAPI 3.0) to a structural schema. References are inlined and `allOf` is
 * merged. Undeclared fields are pruned unless `additionalProperties` allows them. Annotations and formats that the
 * server does not validate are dropped. Throws a DeclarationError with the JSON pointer of a keyword that a
 * CustomResourceDefinition cannot express, and an alternative.
 */
export function structuralFromJsonSchema(document: unknown, options: JsonSchemaOptions = {}): StructuralSchema {
  const reader = new JsonSchemaDocument(document, options.name ?? "JSON Schema");
  return structuralAt(reader, reader.root());
}

function structuralAt(document: JsonSchemaDocument, location: SchemaLocation): StructuralSchema {
  const { node, nullable, choices } = resolveAlternatives(document, document.node(location));
  rejectUnsupportedKeywords(document, node);
  const allowed = typesOf(document, node);
  const shape = shapeOf(document, node, allowed.types);
  const own: StructuralSchema = {
    ...shape,
    ...constraintsOf(document, node, shape.type),
    ...extensionsOf(document, node),
    ...annotations(document, node),
    ...(nullable || allowed.nullable || node.keywords.get("nullable")?.value === true ? { nullable: true } : {}),
  };
  if (own.nullable === true && own.enum !== undefined) {
    const location = node.keywords.get("enum") ?? node.location;
    throw document.error(
      location,
      "an enum cannot be nullable",
      "make the field optional, or add a value such as None",
    );
  }
  const whole: StructuralSchema = { ...own, ...nestedRules(document, node, own, choices) };
  return withDefault(document, node, whole);
}

function shapeOf(document: JsonSchemaDocument, node: SchemaNode, types: readonly string[]): StructuralSchema {
  if (types.join() === "integer,string") return { "x-kubernetes-int-or-string": true };
  const type = node.keywords.get("type") ?? node.location;
  if (types.length > 1) {
    throw document.error(
      type,
      `a field can have only one type, not ${types.join(" or ")}`,
      "use s.intOrString() or s.any()",
    );
  }
  switch (types[0]) {
    case "object":
      return objectShape(document, node);
    case "array":
      return listShape(document, node);
    case "string":
    case "integer":
    case "number":
    case "boolean":
      return { type: types[0] };
    case undefined:
    default:
      if (node.keywords.has("type")) throw document.error(type, "is always null", "remove the field");
      if (node.keywords.get("x-kubernetes-int-or-string")?.value === true) return {};
      // Any type: all fields below are preserved.
      return { "x-kubernetes-preserve-unknown-fields": true };
  }
}

function objectShape(document: JsonSchemaDocument, node: SchemaNode): StructuralSchema {
  const fields = [...node.properties].map(([name, location]): [string, StructuralSchema] => [
    name,
    structuralAt(document, location),
  ]);
  const entries = entriesOf(document, node);
  if (fields.length > 0 && entries.additionalProperties !== undefined) {
    throw document.error(
      node.keywords.get("additionalProperties") ?? node.location,
      "an object can have declared fields or entries of any name, not both",
      "move the entries to a separate field with s.map(…)",
    );
  }
  const isClosed =
    entries.additionalProperties === undefined && entries["x-kubernetes-preserve-unknown-fields"] !== true;
  const unknown = isClosed ? node.required.find((name) => !node.properties.has(name)) : undefined;
  if (unknown !== undefined) {
    throw document.error(node.location, `the field ${unknown} is required, but not declared`, "add it to properties");
  }
  return {
    type: "object",
    ...(fields.length === 0 && Object.keys(entries).length > 0 ? {} : { properties: Object.fromEntries(fields) }),
    ...(node.required.length === 0 ? {} : { required: node.required }),
    ...entries,
  };
}

/** Returns the schema of undeclared fields. */
function entriesOf(document: JsonSchemaDocument, node: SchemaNode): StructuralSchema {
  const open: StructuralSchema = { "x-kubernetes-preserve-unknown-fields": true };
  const location = node.keywords.get("additionalProperties");
  if (location === undefined) return node.hasProperties ? {} : open;
  if (location.value === false) return {};
  if (location.value === true || (isJsonObject(location.value) && Object.keys(location.value).length === 0))
    return open;
  return { additionalProperties: structuralAt(document, location) };
}

const SCALARS: readonly unknown[] = ["string", "integer", "number", "boolean"];

function listShape(document: JsonSchemaDocument, node: SchemaNode): StructuralSchema {
  rejectUnsupportedKeywords(document, node);
  const location = node.keywords.get("items");
  const items: StructuralSchema =
    location === undefined ? { "x-kubernetes-preserve-unknown-fields": true } : structuralAt(document, location);
  const unique = node.keywords.get("uniqueItems");
  if (unique?.value !== true) return { type: "array", items };
  if (!SCALARS.includes(items.type)) {
    throw document.error(unique, "only scalars can be unique by value", "use s.array(…).keyedBy(…) for objects");
  }
  return { type: "array", items, "x-kubernetes-list-type": "set" };
}

function annotations(document: JsonSchemaDocument, node: SchemaNode): StructuralSchema {
  const description = node.keywords.get("description");
  const example = node.keywords.get("example");
  if (description !== undefined && typeof description.value !== "string") {
    throw document.error(description, "the description is not a string", "write a string");
  }
  return {
    ...(typeof description?.value === "string" ? { description: description.value } : {}),
    ...(example === undefined ? {} : { example: jsonOf(example) }),
  };
}

function withDefault(document: JsonSchemaDocument, node: SchemaNode, schema: StructuralSchema): StructuralSchema {
  const location = node.keywords.get("default");
  if (location === undefined) return schema;
  const value: JsonValue = jsonOf(location);
  const [problem] = validate(schema, applyDefaults(schema, value), "default");
  if (problem !== undefined) {
    throw document.error(
      location,
      `the default is invalid: ${problem.field}: ${problem.message}`,
      "write a valid default",
    );
  }
  return { ...schema, default: value };
}
