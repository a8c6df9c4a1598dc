import { rejectUnsupportedKeywords } from "./json-schema-keyword.ts";
import type { JsonSchemaDocument, SchemaNode, SchemaLocation } from "./json-schema-document.ts";
import { enumOf, constraintsOf } from "./json-schema-rules.ts";
import { typesOf } from "./json-schema-type.ts";
import type { StructuralSchema, ValueRules } from "../structural.ts";

/**
 * A schema with resolved `anyOf` and `oneOf`: merged into the schema if only one alternative is left, else kept as
 * alternatives.
 */
export interface ResolvedNode {
  readonly node: SchemaNode;
  /** Whether one of the alternatives was null. */
  readonly nullable: boolean;
  readonly choices: readonly Alternatives[];
}

/** Alternatives for the server to validate. */
export interface Alternatives {
  readonly keyword: "anyOf" | "oneOf";
  readonly branches: readonly SchemaNode[];
}

/**
 * Removes null from alternatives, merges a single remaining one, and combines them into one enum or one type where
 * possible.
 */
export function resolveAlternatives(document: JsonSchemaDocument, given: SchemaNode): ResolvedNode {
  let settled: ResolvedNode = { node: given, nullable: false, choices: [] };
  for (const keyword of ["anyOf", "oneOf"] as const) {
    // A merged branch may have alternatives too; the depth limit ends the loop.
    for (let location = take(settled, keyword); location !== undefined; location = take(settled, keyword)) {
      settled = settleOne(document, without(settled, keyword), { keyword, place: location });
    }
  }
  return settled;
}

function take({ node }: ResolvedNode, keyword: string): SchemaLocation | undefined {
  return node.keywords.get(keyword);
}

function without(settled: ResolvedNode, keyword: string): ResolvedNode {
  const keywords = new Map(settled.node.keywords);
  keywords.delete(keyword);
  return { ...settled, node: { ...settled.node, keywords } };
}

function settleOne(
  document: JsonSchemaDocument,
  settled: ResolvedNode,
  choice: { readonly keyword: "anyOf" | "oneOf"; readonly place: SchemaLocation },
): ResolvedNode {
  const all = document.list(choice.place).map((location) => document.node(location));
  const branches = all.filter((branch) => !isNull(branch));
  const nullable = settled.nullable || branches.length < all.length;
  const [first] = branches;
  if (first === undefined) throw document.error(choice.place, "allows only null", "remove the field");
  if (branches.length === 1) return { ...settled, nullable, node: document.mergeAllOf(settled.node, first) };
  const node = oneEnum(document, settled.node, branches) ?? intOrString(document, settled.node, branches);
  if (node !== undefined) return { ...settled, nullable, node };
  return {
    node: withCommonType(settled.node, branches),
    nullable,
    choices: [...settled.choices, { keyword: choice.keyword, branches }],
  };
}

function isNull(node: SchemaNode): boolean {
  const { type, const: constant, enum: listed } = Object.fromEntries(node.keywords);
  const isNullOnly = Array.isArray(listed?.value) && listed.value.every((value) => value === null);
  return type?.value === "null" || constant?.value === null || isNullOnly;
}

/** Combines alternatives that are enums into one enum. */
function oneEnum(
  document: JsonSchemaDocument,
  node: SchemaNode,
  branches: readonly SchemaNode[],
): SchemaNode | undefined {
  const [first] = branches;
  const listsOnly = branches.every(({ keywords, properties }) => {
    const names = [...keywords.keys()].filter((name) => name !== "type" && name !== "description" && name !== "title");
    return properties.size === 0 && names.length === 1 && (names[0] === "enum" || names[0] === "const");
  });
  const types = new Set(branches.map((branch) => typesOf(document, branch).types.join()));
  if (first === undefined || !listsOnly || types.size > 1 || node.keywords.has("enum")) return undefined;
  const value = [...new Set(branches.flatMap((branch) => enumOf(document, branch) ?? []))];
  const type = first.keywords.get("type");
  const keywords = new Map([...(type === undefined ? [] : [["type", type] as const]), ...node.keywords]);
  return { ...node, keywords: keywords.set("enum", { ...first.location, value }) };
}

/** Combines an integer and a string alternative. Their constraints do not overlap. */
function intOrString(
  document: JsonSchemaDocument,
  node: SchemaNode,
  branches: readonly SchemaNode[],
): SchemaNode | undefined {
  const types = branches.map((branch) => typesOf(document, branch).types.join());
  if (branches.length !== 2 || types.toSorted().join() !== "integer,string") return undefined;
  if (branches.some(({ keywords }) => keywords.has("enum") || keywords.has("const"))) return undefined;
  const merged = branches.reduce((out, branch) => document.mergeAllOf(out, untyped(branch)), untyped(node));
  const keywords = new Map(merged.keywords);
  return { ...merged, keywords: keywords.set("type", { ...node.location, value: ["integer", "string"] }) };
}

function untyped(node: SchemaNode): SchemaNode {
  const keywords = new Map(node.keywords);
  keywords.delete("type");
  return { ...node, keywords };
}

const SCALARS: readonly string[] = ["string", "integer", "number", "boolean"];

/** Adds the common type of all alternatives if the schema has none. */
function withCommonType(node: SchemaNode, branches: readonly SchemaNode[]): SchemaNode {
  const [first] = branches;
  const type = first?.keywords.get("type");
  const isCommon = branches.every((branch) => branch.keywords.get("type")?.value === type?.value);
  if (type === undefined || !isCommon || node.keywords.has("type")) return node;
  if (typeof type.value !== "string" || !SCALARS.includes(type.value)) return node;
  return { ...node, keywords: new Map([...node.keywords, ["type", type]]) };
}

/**
 * Converts an alternative to constraints on a value of known shape. Throws if the alternative has another shape: a
 * CustomResourceDefinition has one shape per field.
 */
export function alternativeRules(document: JsonSchemaDocument, node: SchemaNode, shape: StructuralSchema): ValueRules {
  rejectUnsupportedKeywords(document, node);
  checkShape(document, node, shape);
  const fields = [...node.properties].map(([name, location]): [string, ValueRules] => {
    const field =
      shape.properties !== undefined && Object.hasOwn(shape.properties, name) ? shape.properties[name] : undefined;
    if (field === undefined) throw otherShape(document, location, `the field ${name} exists in this alternative only`);
    return [name, alternativeRules(document, document.node(location), field)];
  });
  const items = node.keywords.get("items");
  return {
    ...shapelessRules(document, node, shape),
    ...(fields.length === 0 ? {} : { properties: Object.fromEntries(fields) }),
    ...(node.required.length === 0 ? {} : { required: node.required }),
    ...(items === undefined ? {} : { items: alternativeRules(document, document.node(items), shape.items ?? {}) }),
    ...nestedRules(document, node, shape),
  };
}

/** Returns the constraints in `not`, in alternatives and in unmerged parts of `allOf`. */
export function nestedRules(
  document: JsonSchemaDocument,
  node: SchemaNode,
  shape: StructuralSchema,
  choices: readonly Alternatives[] = choicesOf(document, node),
): ValueRules {
  const not = node.keywords.get("not");
  const excluded = not === undefined ? undefined : alternativeRules(document, document.node(not), shape);
  if (excluded !== undefined && Object.keys(excluded).length === 0) {
    throw document.error(node.location, "no value is valid for this schema", "remove the field");
  }
  const apart = node.unmergedAllOf.map((location) => alternativeRules(document, document.node(location), shape));
  const alternatives = choices.map(({ keyword, branches }): [string, readonly ValueRules[]] => [
    keyword,
    branches.map((branch) => alternativeRules(document, branch, shape)),
  ]);
  return {
    ...(excluded === undefined ? {} : { not: excluded }),
    ...(apart.length === 0 ? {} : { allOf: apart }),
    ...Object.fromEntries(alternatives),
  };
}

function choicesOf(document: JsonSchemaDocument, node: SchemaNode): readonly Alternatives[] {
  return (["anyOf", "oneOf"] as const).flatMap((keyword): readonly Alternatives[] => {
    const location = node.keywords.get(keyword);
    return location === undefined
      ? []
      : [{ keyword, branches: document.list(location).map((each) => document.node(each)) }];
  });
}

/** Returns the constraints on the value itself. The format of an integer belongs to its field. */
function shapelessRules(document: JsonSchemaDocument, node: SchemaNode, shape: StructuralSchema): ValueRules {
  const { format, ...rules } = constraintsOf(document, node, shape.type);
  const isSaid = format !== undefined && format !== shape.format && node.keywords.has("format");
  return isSaid ? { ...rules, format } : rules;
}

function checkShape(document: JsonSchemaDocument, node: SchemaNode, shape: StructuralSchema): void {
  const type = node.keywords.get("type");
  if (type !== undefined && type.value !== shape.type) {
    throw otherShape(document, type, "this alternative has another type than the value");
  }
  const additional = node.keywords.get("additionalProperties");
  if (additional !== undefined && typeof additional.value === "object") {
    throw otherShape(document, additional, "this alternative has other entries than the value");
  }
}

function otherShape(document: JsonSchemaDocument, location: SchemaLocation, wrong: string): Error {
  return document.error(
    location,
    `${wrong}, but a CustomResourceDefinition has one shape per field`,
    "make each case an optional field of one object, as s.object({ … }).exactlyOneOf(…) does",
  );
}
