import { DeclarationError } from "../error/index.ts";
import { deepEqual, isJsonObject } from "../json/index.ts";
import { formatPointer, parsePointer, PointerError } from "../patch/index.ts";

/** How deep schemas may lie inside each other, counted in steps of a JSON pointer. */
const DEPTH_MAX = 128;
/** How many schemas a document may become once its references are written out. */
const NODES_MAX = 20_000;

/** Something in a JSON Schema document, and how it was reached. */
export interface SchemaPlace {
  readonly value: unknown;
  /** Reference tokens of the JSON pointer to it. */
  readonly at: readonly string[];
  /** The references that are being followed: one of them again would never end. */
  readonly through: readonly string[];
  readonly depth: number;
}

/** A schema with its references written out and its `allOf` merged. `required` holds the union. */
export interface SchemaNode {
  readonly place: SchemaPlace;
  readonly keywords: ReadonlyMap<string, SchemaPlace>;
  readonly properties: ReadonlyMap<string, SchemaPlace>;
  /** Whether fields are declared at all, if only as none. */
  readonly hasProperties: boolean;
  readonly required: readonly string[];
  /** Rules of `allOf` that could not be written beside the others, such as a second pattern. */
  readonly apart: readonly SchemaPlace[];
}

/** Keywords that say something about values and can stand in an `allOf` of their own. */
const RULES: ReadonlySet<string> = new Set([
  "enum",
  "const",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "pattern",
  "format",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
  "not",
]);
/** Keywords of which the outermost counts. */
const OUTERMOST: ReadonlySet<string> = new Set(["description", "title", "default", "example", "nullable"]);
/** Keywords that merging deals with itself. */
const MERGED: ReadonlySet<string> = new Set(["$ref", "$defs", "definitions", "allOf", "properties", "required"]);

/** A JSON Schema document: finds references, merges `allOf`, and says what is wrong where. */
export class JsonSchemaDocument {
  readonly #root: unknown;
  readonly #name: string;
  #nodes = 0;

  constructor(root: unknown, name: string) {
    this.#root = root;
    this.#name = name;
  }

  /** The document itself. */
  root(): SchemaPlace {
    return { value: this.#root, at: [], through: ["#"], depth: 0 };
  }

  /** What to throw about a place: what is wrong with it, and what to write instead. */
  refusal(place: SchemaPlace, wrong: string, instead: string): DeclarationError {
    return new DeclarationError(`${this.#name}: #${formatPointer(place.at)}: ${wrong}: ${instead}`);
  }

  /** The schema at a place. */
  node(place: SchemaPlace): SchemaNode {
    return this.#merge(place, this.#parts(place));
  }

  /** The schema that says what both say. */
  both(node: SchemaNode, other: SchemaNode): SchemaNode {
    const parts = [node, other].flatMap((each) => [asPart(each), ...each.apart.map((place) => this.#own(place))]);
    return this.#merge(node.place, parts);
  }

  /** The schema and all that it includes by `$ref` and `allOf`, outermost first. */
  #parts(place: SchemaPlace): readonly Part[] {
    this.#nodes += 1;
    if (place.depth > DEPTH_MAX) throw this.refusal(place, "nested too deep", "make the schema flatter");
    if (this.#nodes > NODES_MAX) {
      throw this.refusal(place, `the document has more than ${NODES_MAX} schemas`, "use references less");
    }
    const own = this.#own(place);
    const { $ref: ref, allOf } = own.keywords;
    return [
      own,
      ...(ref === undefined ? [] : this.#parts(this.#target(ref))),
      ...(allOf === undefined ? [] : this.list(allOf).flatMap((branch) => this.#parts(branch))),
    ];
  }

  #own(place: SchemaPlace): Part {
    if (place.value === true) return { keywords: {} };
    if (place.value === false) throw this.refusal(place, "nothing fits this schema", "leave the field out");
    return { keywords: this.members(place) };
  }

  #target(ref: SchemaPlace): SchemaPlace {
    const { value } = ref;
    if (typeof value !== "string" || !(value === "#" || value.startsWith("#/"))) {
      throw this.refusal(ref, "only references into the same document are followed", "write #/$defs/NAME");
    }
    if (ref.through.includes(value)) {
      throw this.refusal(
        ref,
        `${value} contains itself, which no CustomResourceDefinition can express`,
        "end the recursion with an open object, s.record() or s.any()",
      );
    }
    let found: unknown = this.#root;
    const at = this.#tokens(ref, value);
    for (const token of at) {
      found =
        (isJsonObject(found) || Array.isArray(found)) && Object.hasOwn(found, token)
          ? Reflect.get(found, token)
          : undefined;
    }
    if (found === undefined) throw this.refusal(ref, `there is no ${value}`, "define it below $defs");
    return { value: found, at, through: [...ref.through, value], depth: ref.depth + 1 };
  }

  #tokens(ref: SchemaPlace, value: string): readonly string[] {
    try {
      return parsePointer(decodeURIComponent(value.slice(1)));
    } catch (error) {
      if (!(error instanceof PointerError || error instanceof URIError)) throw error;
      throw this.refusal(ref, `${value} is no JSON pointer`, "write #/$defs/NAME");
    }
  }

  #merge(place: SchemaPlace, parts: readonly Part[]): SchemaNode {
    const keywords = new Map<string, SchemaPlace>();
    const properties = new Map<string, SchemaPlace>();
    const required = new Set<string>();
    const apart: SchemaPlace[] = [];
    for (const part of parts) {
      for (const [name, field] of Object.entries(this.#fieldsOf(part))) this.#addField(properties, name, field);
      for (const name of this.#requiredOf(part)) required.add(name);
      const [rules, others] = split(part);
      const conflicts = rules.filter(([name, said]) => differs(keywords.get(name), said));
      if (conflicts.length > 0) apart.push(asPlace(conflicts[0]?.[1] ?? place, rules));
      else for (const [name, said] of rules) keywords.set(name, keywords.get(name) ?? said);
      for (const [name, said] of others) this.#addKeyword(keywords, name, said);
    }
    const hasProperties = parts.some((part) => part.hasProperties ?? part.keywords["properties"] !== undefined);
    return { place, keywords, properties, hasProperties, required: [...required], apart };
  }

  #fieldsOf(part: Part): Readonly<Record<string, SchemaPlace>> {
    const declared = part.keywords["properties"];
    return { ...(declared === undefined ? {} : this.members(declared)), ...part.fields };
  }

  #requiredOf(part: Part): readonly string[] {
    const declared = part.keywords["required"];
    if (declared === undefined) return part.required ?? [];
    // `required: true` on a field is how drafts before 4 said it; nothing else tells what is meant.
    return this.list(declared).map((each) => {
      if (typeof each.value !== "string") throw this.refusal(each, "is no name of a field", "write a text");
      return each.value;
    });
  }

  #addField(properties: Map<string, SchemaPlace>, name: string, field: SchemaPlace): void {
    const known = properties.get(name);
    if (differs(known, field)) {
      throw this.refusal(field, `${name} is declared in two ways`, "declare it once, with all that is said about it");
    }
    if (known === undefined) properties.set(name, field);
  }

  #addKeyword(keywords: Map<string, SchemaPlace>, name: string, said: SchemaPlace): void {
    const known = keywords.get(name);
    if (known === undefined) keywords.set(name, said);
    if (!differs(known, said) || OUTERMOST.has(name)) return;
    if (name === "type" && isIntegerAndNumber(known?.value, said.value)) {
      keywords.set(name, { ...said, value: "integer" });
      return;
    }
    // A closed object beside others in allOf: all of them are closed by pruning anyway.
    if (name === "additionalProperties" && (known?.value === false || said.value === false)) {
      if (known?.value === false) keywords.set(name, said);
      return;
    }
    if (isIgnored(name)) return;
    throw this.refusal(said, `${name} is said in two ways`, "say it once");
  }

  /** The members of an object, each as a place. */
  members(place: SchemaPlace): Readonly<Record<string, SchemaPlace>> {
    if (!isJsonObject(place.value)) throw this.refusal(place, "is no object", "write a schema here");
    return Object.fromEntries(
      Object.entries(place.value)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => [name, below(place, name, value)]),
    );
  }

  /** The items of a list, each as a place. */
  list(place: SchemaPlace): readonly SchemaPlace[] {
    if (!Array.isArray(place.value)) throw this.refusal(place, "is no list", "write [ … ] here");
    return place.value.map((value: unknown, index) => below(place, String(index), value));
  }
}

/** What one schema says itself. */
interface Part {
  readonly keywords: Readonly<Record<string, SchemaPlace>>;
  readonly fields?: Readonly<Record<string, SchemaPlace>>;
  readonly hasProperties?: boolean;
  readonly required?: readonly string[];
}

function asPart(node: SchemaNode): Part {
  return {
    keywords: Object.fromEntries(node.keywords),
    fields: Object.fromEntries(node.properties),
    hasProperties: node.hasProperties,
    required: node.required,
  };
}

function asPlace(place: SchemaPlace, rules: readonly (readonly [string, SchemaPlace])[]): SchemaPlace {
  const value = Object.fromEntries(rules.map(([name, said]) => [name, said.value]));
  return { ...place, at: place.at.slice(0, -1), value };
}

type Said = readonly [string, SchemaPlace];

/** The rules of a part, which stay together (`minimum` and its `exclusiveMinimum`), and what else it says. */
function split(part: Part): readonly [readonly Said[], readonly Said[]] {
  const said = Object.entries(part.keywords).filter(([name]) => !MERGED.has(name));
  return [said.filter(([name]) => RULES.has(name)), said.filter(([name]) => !RULES.has(name))];
}

function below(place: SchemaPlace, name: string, value: unknown): SchemaPlace {
  return { value, at: [...place.at, name], through: place.through, depth: place.depth + 1 };
}

function differs(known: SchemaPlace | undefined, said: SchemaPlace): boolean {
  return known !== undefined && !deepEqual(known.value, said.value);
}

function isIntegerAndNumber(a: unknown, b: unknown): boolean {
  return (a === "integer" && b === "number") || (a === "number" && b === "integer");
}

/** Keywords that say nothing about values. */
function isIgnored(name: string): boolean {
  return name.startsWith("$") || ["examples", "deprecated", "readOnly", "writeOnly", "externalDocs"].includes(name);
}
