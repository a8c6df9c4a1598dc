import { DeclarationError } from "../../error/index.ts";
import { deepEqual, isJsonObject } from "../../json/index.ts";
import { formatJsonPointer, parseJsonPointer, JsonPointerError } from "../../patch/index.ts";

/** Maximum nesting depth of schemas, in tokens of a JSON pointer. */
const DEPTH_MAX = 128;
/** Maximum number of schemas of a document after its references are inlined. */
const NODES_MAX = 20_000;

/** A location in a JSON Schema document. */
export interface SchemaLocation {
  readonly value: unknown;
  /** Reference tokens of its JSON pointer. */
  readonly at: readonly string[];
  /** References that were resolved to reach this location. Resolving one of them again would recurse forever. */
  readonly through: readonly string[];
  readonly depth: number;
}

/** A schema with inlined references and merged `allOf`. `required` is the union. */
export interface SchemaNode {
  readonly location: SchemaLocation;
  readonly keywords: ReadonlyMap<string, SchemaLocation>;
  readonly properties: ReadonlyMap<string, SchemaLocation>;
  /** Whether `properties` is present, even if empty. */
  readonly hasProperties: boolean;
  readonly required: readonly string[];
  /** Parts of `allOf` that cannot be merged, such as a second pattern. */
  readonly unmergedAllOf: readonly SchemaLocation[];
}

/** Keywords that constrain a value and are allowed in a nested `allOf`. */
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
/** Keywords of which the outermost wins. */
const OUTERMOST: ReadonlySet<string> = new Set(["description", "title", "default", "example", "nullable"]);
/** Keywords handled by the merge itself. */
const MERGED: ReadonlySet<string> = new Set(["$ref", "$defs", "definitions", "allOf", "properties", "required"]);

/** A JSON Schema document: resolves references, merges `allOf` and reports errors with locations. */
export class JsonSchemaDocument {
  readonly #root: unknown;
  readonly #name: string;
  #nodes = 0;

  constructor(root: unknown, name: string) {
    this.#root = root;
    this.#name = name;
  }

  /** Returns the root location. */
  root(): SchemaLocation {
    return { value: this.#root, at: [], through: ["#"], depth: 0 };
  }

  /** Returns an error for a location: the problem and how to fix it. */
  error(location: SchemaLocation, wrong: string, instead: string): DeclarationError {
    return new DeclarationError(`${this.#name}: #${formatJsonPointer(location.at)}: ${wrong}: ${instead}`);
  }

  /** Returns the schema at a location. */
  node(location: SchemaLocation): SchemaNode {
    return this.#merge(location, this.#parts(location));
  }

  /** Returns the schema that combines both. */
  mergeAllOf(node: SchemaNode, other: SchemaNode): SchemaNode {
    const parts = [node, other].flatMap((each) => [
      asPart(each),
      ...each.unmergedAllOf.map((location) => this.#own(location)),
    ]);
    return this.#merge(node.location, parts);
  }

  /** Returns the schema and everything included by `$ref` and `allOf`, outermost first. */
  #parts(location: SchemaLocation): readonly Part[] {
    this.#nodes += 1;
    if (location.depth > DEPTH_MAX) throw this.error(location, "nested too deep", "reduce the nesting");
    if (this.#nodes > NODES_MAX) {
      throw this.error(location, `the document has more than ${NODES_MAX} schemas`, "use fewer references");
    }
    const own = this.#own(location);
    const { $ref: ref, allOf } = own.keywords;
    return [
      own,
      ...(ref === undefined ? [] : this.#parts(this.#target(ref))),
      ...(allOf === undefined ? [] : this.list(allOf).flatMap((branch) => this.#parts(branch))),
    ];
  }

  #own(location: SchemaLocation): Part {
    if (location.value === true) return { keywords: {} };
    if (location.value === false) throw this.error(location, "no value is valid for this schema", "remove the field");
    return { keywords: this.members(location) };
  }

  #target(ref: SchemaLocation): SchemaLocation {
    const { value } = ref;
    if (typeof value !== "string" || !(value === "#" || value.startsWith("#/"))) {
      throw this.error(ref, "only references into the same document are supported", "write #/$defs/NAME");
    }
    if (ref.through.includes(value)) {
      throw this.error(
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
    if (found === undefined) throw this.error(ref, `${value} does not exist`, "define it below $defs");
    return { value: found, at, through: [...ref.through, value], depth: ref.depth + 1 };
  }

  #tokens(ref: SchemaLocation, value: string): readonly string[] {
    try {
      return parseJsonPointer(decodeURIComponent(value.slice(1)));
    } catch (error) {
      if (!(error instanceof JsonPointerError || error instanceof URIError)) throw error;
      throw this.error(ref, `${value} is not a JSON pointer`, "write #/$defs/NAME");
    }
  }

  #merge(location: SchemaLocation, parts: readonly Part[]): SchemaNode {
    const keywords = new Map<string, SchemaLocation>();
    const properties = new Map<string, SchemaLocation>();
    const required = new Set<string>();
    const apart: SchemaLocation[] = [];
    for (const part of parts) {
      for (const [name, field] of Object.entries(this.#fieldsOf(part))) this.#addField(properties, name, field);
      for (const name of this.#requiredOf(part)) required.add(name);
      const [rules, others] = split(part);
      const conflicts = rules.filter(([name, added]) => differs(keywords.get(name), added));
      if (conflicts.length > 0) apart.push(asPlace(conflicts[0]?.[1] ?? location, rules));
      else for (const [name, added] of rules) keywords.set(name, keywords.get(name) ?? added);
      for (const [name, added] of others) this.#addKeyword(keywords, name, added);
    }
    const hasProperties = parts.some((part) => part.hasProperties ?? part.keywords["properties"] !== undefined);
    return { location: location, keywords, properties, hasProperties, required: [...required], unmergedAllOf: apart };
  }

  #fieldsOf(part: Part): Readonly<Record<string, SchemaLocation>> {
    const declared = part.keywords["properties"];
    return { ...(declared === undefined ? {} : this.members(declared)), ...part.fields };
  }

  #requiredOf(part: Part): readonly string[] {
    const declared = part.keywords["required"];
    if (declared === undefined) return part.required ?? [];
    // Drafts before 4 allow `required: true` on a field. It is ambiguous here and rejected.
    return this.list(declared).map((each) => {
      if (typeof each.value !== "string") throw this.error(each, "is not a field name", "write a string");
      return each.value;
    });
  }

  #addField(properties: Map<string, SchemaLocation>, name: string, field: SchemaLocation): void {
    const known = properties.get(name);
    if (differs(known, field)) {
      throw this.error(field, `${name} has two different declarations`, "merge them into one");
    }
    if (known === undefined) properties.set(name, field);
  }

  #addKeyword(keywords: Map<string, SchemaLocation>, name: string, added: SchemaLocation): void {
    const known = keywords.get(name);
    if (known === undefined) keywords.set(name, added);
    if (!differs(known, added) || OUTERMOST.has(name)) return;
    if (name === "type" && isIntegerAndNumber(known?.value, added.value)) {
      keywords.set(name, { ...added, value: "integer" });
      return;
    }
    // A closed object in allOf: pruning closes all of them anyway.
    if (name === "additionalProperties" && (known?.value === false || added.value === false)) {
      if (known?.value === false) keywords.set(name, added);
      return;
    }
    if (isIgnored(name)) return;
    throw this.error(added, `${name} has two different values`, "keep one of them");
  }

  /** Returns the members of an object as locations. */
  members(location: SchemaLocation): Readonly<Record<string, SchemaLocation>> {
    if (!isJsonObject(location.value)) throw this.error(location, "is not an object", "write a schema here");
    return Object.fromEntries(
      Object.entries(location.value)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => [name, below(location, name, value)]),
    );
  }

  /** Returns the items of a list as locations. */
  list(location: SchemaLocation): readonly SchemaLocation[] {
    if (!Array.isArray(location.value)) throw this.error(location, "is not a list", "write [ … ] here");
    return location.value.map((value: unknown, index) => below(location, String(index), value));
  }
}

/** The keywords of one schema, without its references. */
interface Part {
  readonly keywords: Readonly<Record<string, SchemaLocation>>;
  readonly fields?: Readonly<Record<string, SchemaLocation>>;
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

function asPlace(location: SchemaLocation, rules: readonly (readonly [string, SchemaLocation])[]): SchemaLocation {
  const value = Object.fromEntries(rules.map(([name, added]) => [name, added.value]));
  return { ...location, at: location.at.slice(0, -1), value };
}

type Keyword = readonly [string, SchemaLocation];

/** Splits a part into constraints, which stay together (`minimum` and `exclusiveMinimum`), and other keywords. */
function split(part: Part): readonly [readonly Keyword[], readonly Keyword[]] {
  const added = Object.entries(part.keywords).filter(([name]) => !MERGED.has(name));
  return [added.filter(([name]) => RULES.has(name)), added.filter(([name]) => !RULES.has(name))];
}

function below(location: SchemaLocation, name: string, value: unknown): SchemaLocation {
  return { value, at: [...location.at, name], through: location.through, depth: location.depth + 1 };
}

function differs(known: SchemaLocation | undefined, added: SchemaLocation): boolean {
  return known !== undefined && !deepEqual(known.value, added.value);
}

function isIntegerAndNumber(a: unknown, b: unknown): boolean {
  return (a === "integer" && b === "number") || (a === "number" && b === "integer");
}

/** Reports whether a keyword does not affect validation. */
function isIgnored(name: string): boolean {
  return name.startsWith("$") || ["examples", "deprecated", "readOnly", "writeOnly", "externalDocs"].includes(name);
}
