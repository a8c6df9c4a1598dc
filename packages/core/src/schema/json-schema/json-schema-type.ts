import { isJsonObject } from "../../json/index.ts";
import type { JsonSchemaDocument, SchemaNode } from "./json-schema-document.ts";

/** The types that a schema allows, sorted, without null; empty if unknown. */
export interface AllowedTypes {
  readonly types: readonly string[];
  readonly nullable: boolean;
}

const TYPES: readonly string[] = ["object", "array", "string", "integer", "number", "boolean", "null"];

/** Returns the declared types of a schema, or the types implied by its other keywords. */
export function typesOf(document: JsonSchemaDocument, node: SchemaNode): AllowedTypes {
  const type = node.keywords.get("type");
  if (type === undefined) return inferred(node);
  const said: readonly unknown[] = Array.isArray(type.value) ? type.value : [type.value];
  const types = said.map((each) => {
    if (typeof each === "string" && TYPES.includes(each)) return each;
    throw document.error(
      type,
      `${JSON.stringify(each) ?? "undefined"} is not a type`,
      `write one of ${TYPES.join(", ")}`,
    );
  });
  const listed = node.keywords.get("enum")?.value;
  const nullFits = !Array.isArray(listed) || listed.includes(null);
  return { types: types.filter((each) => each !== "null").toSorted(), nullable: types.includes("null") && nullFits };
}

function inferred(node: SchemaNode): AllowedTypes {
  if (node.hasProperties || node.keywords.has("additionalProperties")) return { types: ["object"], nullable: false };
  if (node.keywords.has("items")) return { types: ["array"], nullable: false };
  const constant = node.keywords.get("const");
  const listed: unknown = constant === undefined ? node.keywords.get("enum")?.value : [constant.value];
  if (!Array.isArray(listed)) return { types: [], nullable: false };
  const types = new Set(listed.filter((value) => value !== null).map((value) => typeName(value)));
  return { types: types.size === 1 ? [...types] : [], nullable: listed.includes(null) };
}

function typeName(value: unknown): string {
  if (Array.isArray(value)) return "array";
  if (isJsonObject(value)) return "object";
  return typeof value === "bigint" || Number.isInteger(value) ? "integer" : typeof value;
}
