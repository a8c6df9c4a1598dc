import { unsupported } from "./json-schema-keyword.ts";
import type { JsonSchemaDocument, SchemaNode, SchemaPlace } from "./json-schema-document.ts";
import { enumOf, ownRules } from "./json-schema-rules.ts";
import { typesOf } from "./json-schema-type.ts";
import type { StructuralSchema, ValueRules } from "./structural.ts";

/** A schema whose `anyOf` and `oneOf` are settled: merged into it where only one way is left, else as alternatives. */
export interface SettledNode {
  readonly node: SchemaNode;
  /** Whether one of the alternatives was null. */
  readonly nullable: boolean;
  readonly choices: readonly Choice[];
}

/** Alternatives that are left to the server to check. */
export interface Choice {
  readonly keyword: "anyOf" | "oneOf";
  readonly branches: readonly SchemaNode[];
}

/** Takes null out of alternatives, merges what is left of one, and makes one enum or one type of those that can be. */
export function settle(document: JsonSchemaDocument, given: SchemaNode): SettledNode {
  let settled: SettledNode = { node: given, nullable: false, choices: [] };
  for (const keyword of ["anyOf", "oneOf"] as const) {
    // A branch that is merged in may bring along alternatives of its own; the depth limit ends this.
    for (let place = take(settled, keyword); place !== undefined; place = take(settled, keyword)) {
      settled = settleOne(document, without(settled, keyword), { keyword, place });
    }
  }
  return settled;
}

function take({ node }: SettledNode, keyword: string): SchemaPlace | undefined {
  return node.keywords.get(keyword);
}

function without(settled: SettledNode, keyword: string): SettledNode {
  const keywords = new Map(settled.node.keywords);
  keywords.delete(keyword);
  return { ...settled, node: { ...settled.node, keywords } };
}

function settleOne(
  document: JsonSchemaDocument,
  settled: SettledNode,
  choice: { readonly keyword: "anyOf" | "oneOf"; readonly place: SchemaPlace },
): SettledNode {
  const all = document.list(choice.place).map((place) => document.node(place));
  const branches = all.filter((branch) => !isNull(branch));
  const nullable = settled.nullable || branches.length < all.length;
  const [first] = branches;
  if (first === undefined) throw document.refusal(choice.place, "allows nothing but null", "leave the field out");
  if (branches.length === 1) return { ...settled, nullable, node: document.both(settled.node, first) };
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

/** Alternatives that only list values are one list of values. */
function oneEnum(
  document: JsonSchemaDocument,
  node: SchemaNode,
  branches: readonly SchemaNode[],
): SchemaNode | undefined {
  const [first] = branches;
  const listsOnly = branches.every(({ keywords, properties }) => {
    const said = [...keywords.keys()].filter((name) => name !== "type" && name !== "description" && name !== "title");
    return properties.size === 0 && said.length === 1 && (said[0] === "enum" || said[0] === "const");
  });
  const types = new Set(branches.map((branch) => typesOf(document, branch).types.join()));
  if (first === undefined || !listsOnly || types.size > 1 || node.keywords.has("enum")) return undefined;
  const value = [...new Set(branches.flatMap((branch) => enumOf(document, branch) ?? []))];
  const type = first.keywords.get("type");
  const keywords = new Map([...(type === undefined ? [] : [["type", type] as const]), ...node.keywords]);
  return { ...node, keywords: keywords.set("enum", { ...first.place, value }) };
}

/** A whole number or a text: the rules of the one say nothing about the other, so they can stand side by side. */
function intOrString(
  document: JsonSchemaDocument,
  node: SchemaNode,
  branches: readonly SchemaNode[],
): SchemaNode | undefined {
  const types = branches.map((branch) => typesOf(document, branch).types.join());
  if (branches.length !== 2 || types.toSorted().join() !== "integer,string") return undefined;
  if (branches.some(({ keywords }) => keywords.has("enum") || keywords.has("const"))) return undefined;
  const merged = branches.reduce((out, branch) => document.both(out, untyped(branch)), untyped(node));
  const keywords = new Map(merged.keywords);
  return { ...merged, keywords: keywords.set("type", { ...node.place, value: ["integer", "string"] }) };
}

function untyped(node: SchemaNode): SchemaNode {
  const keywords = new Map(node.keywords);
  keywords.delete("type");
  return { ...node, keywords };
}

const SCALARS: readonly string[] = ["string", "integer", "number", "boolean"];

/** The type that all alternatives name, if the schema itself names none. */
function withCommonType(node: SchemaNode, branches: readonly SchemaNode[]): SchemaNode {
  const [first] = branches;
  const type = first?.keywords.get("type");
  const isCommon = branches.every((branch) => branch.keywords.get("type")?.value === type?.value);
  if (type === undefined || !isCommon || node.keywords.has("type")) return node;
  if (typeof type.value !== "string" || !SCALARS.includes(type.value)) return node;
  return { ...node, keywords: new Map([...node.keywords, ["type", type]]) };
}

/**
 * An alternative as rules about a value whose shape is known. Throws where it has a shape of its own, for a
 * CustomResourceDefinition has one shape for all.
 */
export function rulesOf(document: JsonSchemaDocument, node: SchemaNode, shape: StructuralSchema): ValueRules {
  unsupported(document, node);
  checkShape(document, node, shape);
  const fields = [...node.properties].map(([name, place]): [string, ValueRules] => {
    const field =
      shape.properties !== undefined && Object.hasOwn(shape.properties, name) ? shape.properties[name] : undefined;
    if (field === undefined) throw otherShape(document, place, `the field ${name} exists in this alternative only`);
    return [name, rulesOf(document, document.node(place), field)];
  });
  const items = node.keywords.get("items");
  return {
    ...shapelessRules(document, node, shape),
    ...(fields.length === 0 ? {} : { properties: Object.fromEntries(fields) }),
    ...(node.required.length === 0 ? {} : { required: node.required }),
    ...(items === undefined ? {} : { items: rulesOf(document, document.node(items), shape.items ?? {}) }),
    ...nestedRules(document, node, shape),
  };
}

/** The rules of a schema that lie in `not`, in alternatives and in what `allOf` could not merge. */
export function nestedRules(
  document: JsonSchemaDocument,
  node: SchemaNode,
  shape: StructuralSchema,
  choices: readonly Choice[] = choicesOf(document, node),
): ValueRules {
  const not = node.keywords.get("not");
  const excluded = not === undefined ? undefined : rulesOf(document, document.node(not), shape);
  if (excluded !== undefined && Object.keys(excluded).length === 0) {
    throw document.refusal(node.place, "nothing fits this schema", "leave the field out");
  }
  const apart = node.apart.map((place) => rulesOf(document, document.node(place), shape));
  const alternatives = choices.map(({ keyword, branches }): [string, readonly ValueRules[]] => [
    keyword,
    branches.map((branch) => rulesOf(document, branch, shape)),
  ]);
  return {
    ...(excluded === undefined ? {} : { not: excluded }),
    ...(apart.length === 0 ? {} : { allOf: apart }),
    ...Object.fromEntries(alternatives),
  };
}

function choicesOf(document: JsonSchemaDocument, node: SchemaNode): readonly Choice[] {
  return (["anyOf", "oneOf"] as const).flatMap((keyword): readonly Choice[] => {
    const place = node.keywords.get(keyword);
    return place === undefined ? [] : [{ keyword, branches: document.list(place).map((each) => document.node(each)) }];
  });
}

/** The rules about the value itself; the format of an integer is its field's matter. */
function shapelessRules(document: JsonSchemaDocument, node: SchemaNode, shape: StructuralSchema): ValueRules {
  const { format, ...rules } = ownRules(document, node, shape.type);
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

function otherShape(document: JsonSchemaDocument, place: SchemaPlace, wrong: string): Error {
  return document.refusal(
    place,
    `${wrong}, but a CustomResourceDefinition has one shape for all`,
    "make each case an optional field of one object, as s.object({ … }).exactlyOneOf(…) does",
  );
}
