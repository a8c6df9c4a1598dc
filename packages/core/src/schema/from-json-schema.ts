import { isJsonObject } from "../json/index.ts";
import type { JsonValue } from "../json/index.ts";
import { nestedRules, settle } from "./json-schema-choice.ts";
import { JsonSchemaDocument } from "./json-schema-document.ts";
import type { SchemaNode, SchemaPlace } from "./json-schema-document.ts";
import { extensionsOf } from "./json-schema-extension.ts";
import { unsupported } from "./json-schema-keyword.ts";
import { jsonOf, ownRules } from "./json-schema-rules.ts";
import { typesOf } from "./json-schema-type.ts";
import { applyDefaults } from "./shape.ts";
import type { StructuralSchema } from "./structural.ts";
import { validate } from "./validate.ts";

/** What may be said about a JSON Schema document. */
export interface JsonSchemaOptions {
  /** What messages call it. Default: JSON Schema. */
  readonly name?: string;
}

/**
 * The structural schema that says what a JSON Schema says (draft 2020-12 or OpenAPI 3.0). References are written out, and `allOf`
 * merged. Objects are closed by pruning, unless `additionalProperties` opens them. Annotations are dropped, and so are formats that no
 * server checks. Throws a DeclarationError with the JSON pointer of what a CustomResourceDefinition cannot express and what to
 * write instead.
 */
export function structuralFromJsonSchema(document: unknown, options: JsonSchemaOptions = {}): StructuralSchema {
  const reader = new JsonSchemaDocument(document, options.name ?? "JSON Schema");
  return structuralAt(reader, reader.root());
}

function structuralAt(document: JsonSchemaDocument, place: SchemaPlace): StructuralSchema {
  const { node, nullable, choices } = settle(document, document.node(place));
  unsupported(document, node);
  const allowed = typesOf(document, node);
  const shape = shapeOf(document, node, allowed.types);
  const own: StructuralSchema = {
    ...shape,
    ...ownRules(document, node, shape.type),
    ...extensionsOf(document, node),
    ...annotations(document, node),
    ...(nullable || allowed.nullable || node.keywords.get("nullable")?.value === true ? { nullable: true } : {}),
  };
  if (own.nullable === true && own.enum !== undefined) {
    const place = node.keywords.get("enum") ?? node.place;
    throw document.refusal(
      place,
      "no server takes null for an enum",
      "make the field optional, or add a value that says so",
    );
  }
  const whole: StructuralSchema = { ...own, ...nestedRules(document, node, own, choices) };
  return withDefault(document, node, whole);
}

function shapeOf(document: JsonSchemaDocument, node: SchemaNode, types: readonly string[]): StructuralSchema {
  if (types.join() === "integer,string") return { "x-kubernetes-int-or-string": true };
  const type = node.keywords.get("type") ?? node.place;
  if (types.length > 1) {
    throw document.refusal(type, `a field has one type, not ${types.join(" or ")}`, "use s.intOrString() or s.any()");
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
      if (node.keywords.has("type")) throw document.refusal(type, "is always null", "leave the field out");
      if (node.keywords.get("x-kubernetes-int-or-string")?.value === true) return {};
      // Of any type: what stands below it is kept.
      return { "x-kubernetes-preserve-unknown-fields": true };
  }
}

function objectShape(document: JsonSchemaDocument, node: SchemaNode): StructuralSchema {
  const fields = [...node.properties].map(([name, place]): [string, StructuralSchema] => [
    name,
    structuralAt(document, place),
  ]);
  const entries = entriesOf(document, node);
  if (fields.length > 0 && entries.additionalProperties !== undefined) {
    throw document.refusal(
      node.keywords.get("additionalProperties") ?? node.place,
      "an object has declared fields or entries of any name, not both",
      "put the entries into a field of their own, with s.map(…)",
    );
  }
  const isClosed =
    entries.additionalProperties === undefined && entries["x-kubernetes-preserve-unknown-fields"] !== true;
  const unknown = isClosed ? node.required.find((name) => !node.properties.has(name)) : undefined;
  if (unknown !== undefined) {
    throw document.refusal(node.place, `the field ${unknown} is required, but not declared`, "add it to properties");
  }
  return {
    type: "object",
    ...(fields.length === 0 && Object.keys(entries).length > 0 ? {} : { properties: Object.fromEntries(fields) }),
    ...(node.required.length === 0 ? {} : { required: node.required }),
    ...entries,
  };
}

/** What an object holds besides declared fields. */
function entriesOf(document: JsonSchemaDocument, node: SchemaNode): StructuralSchema {
  const open: StructuralSchema = { "x-kubernetes-preserve-unknown-fields": true };
  const place = node.keywords.get("additionalProperties");
  if (place === undefined) return node.hasProperties ? {} : open;
  if (place.value === false) return {};
  if (place.value === true || (isJsonObject(place.value) && Object.keys(place.value).length === 0)) return open;
  return { additionalProperties: structuralAt(document, place) };
}

const SCALARS: readonly unknown[] = ["string", "integer", "number", "boolean"];

function listShape(document: JsonSchemaDocument, node: SchemaNode): StructuralSchema {
  unsupported(document, node);
  const place = node.keywords.get("items");
  const items: StructuralSchema =
    place === undefined ? { "x-kubernetes-preserve-unknown-fields": true } : structuralAt(document, place);
  const unique = node.keywords.get("uniqueItems");
  if (unique?.value !== true) return { type: "array", items };
  if (!SCALARS.includes(items.type)) {
    throw document.refusal(unique, "only scalars can be unique by value", "use s.array(…).keyedBy(…) for objects");
  }
  return { type: "array", items, "x-kubernetes-list-type": "set" };
}

function annotations(document: JsonSchemaDocument, node: SchemaNode): StructuralSchema {
  const description = node.keywords.get("description");
  const example = node.keywords.get("example");
  if (description !== undefined && typeof description.value !== "string") {
    throw document.refusal(description, "the description is no text", "write one");
  }
  return {
    ...(typeof description?.value === "string" ? { description: description.value } : {}),
    ...(example === undefined ? {} : { example: jsonOf(example) }),
  };
}

function withDefault(document: JsonSchemaDocument, node: SchemaNode, schema: StructuralSchema): StructuralSchema {
  const place = node.keywords.get("default");
  if (place === undefined) return schema;
  const value: JsonValue = jsonOf(place);
  const [problem] = validate(schema, applyDefaults(schema, value), "default");
  if (problem !== undefined) {
    throw document.refusal(
      place,
      `the default does not fit: ${problem.field}: ${problem.message}`,
      "give one that does",
    );
  }
  return { ...schema, default: value };
}
