import { isJsonObject } from "@levelset/core";
import type { AnySchema, JsonObject, JsonValue, StructuralSchema } from "@levelset/core";
import type { FleetKind, SpecSchema } from "../../resource/index.ts";
import type { Route, Shape } from "../route.ts";
import { PROBLEM } from "../shapes.ts";
import { jsonSchema, referredNames, SCHEMAS } from "./json-schema.ts";

/** The schemas of a document, each under its name, collected while the rest of the document refers to them. */
export class SchemaCatalog {
  readonly #schemas = new Map<string, JsonObject>();
  readonly #shapes: ReadonlyMap<StructuralSchema, Shape>;
  /** Names that schemas of specs must not take. */
  readonly #taken: ReadonlySet<string>;

  /** For a document of these routes. */
  constructor(routes: readonly Route[]) {
    const shapes = routes.flatMap(({ request, answers }) => [request, ...answers.map(({ shape }) => shape)]);
    const known = [PROBLEM, ...shapes.filter((shape) => shape !== undefined)];
    const ofKinds = routes.flatMap(({ request, kind }) => (request && kind ? [nameFor(request, kind)] : []));
    this.#shapes = new Map(known.map((shape) => [shape.schema.structural, shape]));
    this.#taken = new Set([...known.map(({ name }) => name), ...ofKinds]);
  }

  /** All schemas that were referred to, by name. */
  get schemas(): JsonObject {
    return Object.fromEntries([...this.#schemas].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** A reference to a shape. */
  refer(shape: Shape): JsonObject {
    if (!this.#schemas.has(shape.name)) {
      this.#schemas.set(shape.name, {});
      this.#schemas.set(shape.name, this.#closed(shape, this.#convert(shape.schema.structural, true)));
    }
    return { $ref: SCHEMAS + shape.name };
  }

  /** A reference to what a request must be: what the kind says of specs and references is part of it. */
  referRequest(shape: Shape, kind: FleetKind | undefined): JsonObject {
    const { properties } = shape.schema.structural;
    if (kind === undefined || properties?.["spec"] === undefined) return this.refer(shape);
    const name = nameFor(shape, kind);
    if (!this.#schemas.has(name)) this.#schemas.set(name, this.#requestOf(shape, kind));
    return { $ref: SCHEMAS + name };
  }

  #requestOf(shape: Shape, kind: FleetKind): JsonObject {
    const plain = this.#closed(shape, this.#convert(shape.schema.structural, true));
    const fields = objectIn(plain, "properties");
    const { specSchema } = kind;
    const isNullable = shape.schema.structural.properties?.["spec"]?.nullable === true;
    const named = specSchema && this.#referSpec(specSchema);
    const spec = named && (isNullable ? { anyOf: [named, { type: "null" }] } : named);
    const references = referencesOf(kind, objectIn(fields, "references"));
    return { ...plain, properties: { ...fields, ...(spec === undefined ? {} : { spec }), references } };
  }

  /** A schema without a name. */
  inline(schema: AnySchema): JsonObject {
    return this.#convert(schema.structural, false);
  }

  #closed({ isClosed }: Shape, schema: JsonObject): JsonObject {
    return isClosed === true ? { ...schema, additionalProperties: false } : schema;
  }

  /** Parts that are shapes themselves become references. */
  #convert(structural: StructuralSchema, isTop: boolean): JsonObject {
    const shape = this.#shapes.get(structural);
    if (shape !== undefined && !isTop) return this.refer(shape);
    const { properties, items, additionalProperties, ...rest } = structural;
    const parts: Record<string, JsonValue> = {};
    if (properties !== undefined) {
      const entries = Object.entries(properties).map(([name, part]) => [name, this.#convert(part, false)] as const);
      parts["properties"] = Object.fromEntries(entries);
    }
    if (items !== undefined) parts["items"] = this.#convert(items, false);
    if (additionalProperties !== undefined) parts["additionalProperties"] = this.#convert(additionalProperties, false);
    // A structural schema is JSON data; its type only says so less plainly.
    return { ...jsonSchema(rest as unknown as JsonObject), ...parts };
  }

  /** The schema of a spec, with all that it refers to. */
  #referSpec({ name, components }: SpecSchema): JsonObject {
    const rename = (referred: string): string => (this.#taken.has(referred) ? `Spec${referred}` : referred);
    const wanted = [name];
    for (const one of wanted) {
      const schema = components[one];
      if (this.#schemas.has(rename(one)) || !isJsonObject(schema)) continue;
      // It was read from a document of JSON or YAML.
      const plain = schema as JsonObject;
      this.#schemas.set(rename(one), jsonSchema(plain, rename));
      wanted.push(...referredNames(plain));
    }
    return { $ref: SCHEMAS + rename(name) };
  }
}

/** What a request of any kind is called where it is of one kind. */
function nameFor(shape: Shape, kind: FleetKind): string {
  return shape.name.replace(/^Resource/, kind.kind);
}

function objectIn(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isJsonObject(value) ? value : {};
}

/** The references that a kind has, by type: no others, and not fewer or more than it says. */
function referencesOf({ references }: FleetKind, plain: JsonObject): JsonObject {
  const list = objectIn(plain, "additionalProperties");
  const types = references.map(({ type, min, max }) => {
    const bounds = { ...(min > 0 ? { minItems: min } : {}), ...(max === undefined ? {} : { maxItems: max }) };
    return [type, { ...list, ...bounds }] as const;
  });
  const required = references.filter(({ min }) => min > 0).map(({ type }) => type);
  return {
    ...plain,
    properties: Object.fromEntries(types),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}
