import { isJsonObject } from "@levelset/core";
import type { AnySchema, StructuralSchema } from "@levelset/core/schema";
import type { JsonObject, JsonValue } from "@levelset/core";
import type { FleetKind, SpecSchema } from "../../resource/index.ts";
import type { Route, NamedSchema } from "../route.ts";
import { PROBLEM_SCHEMA } from "../api-schemas.ts";
import { jsonSchema, referencedSchemas, SCHEMA_REF_PREFIX } from "./json-schema.ts";

/** Collects the named schemas of an OpenAPI document as references to them are created. */
export class SchemaCatalog {
  readonly #schemas = new Map<string, JsonObject>();
  readonly #shapes: ReadonlyMap<StructuralSchema, NamedSchema>;
  /** Names that are reserved for schemas of the API, so schemas of specs with these names are renamed. */
  readonly #usedNames: ReadonlySet<string>;

  /** Creates a catalog for the document of these routes. */
  constructor(routes: readonly Route[]) {
    const shapes = routes.flatMap(({ request, responses }) => [request, ...responses.map(({ shape }) => shape)]);
    const known = [PROBLEM_SCHEMA, ...shapes.filter((shape) => shape !== undefined)];
    const ofKinds = routes.flatMap(({ request, kind }) => (request && kind ? [nameFor(request, kind)] : []));
    this.#shapes = new Map(known.map((shape) => [shape.schema.structural, shape]));
    this.#usedNames = new Set([...known.map(({ name }) => name), ...ofKinds]);
  }

  /** All referenced schemas, by name. */
  get schemas(): JsonObject {
    return Object.fromEntries([...this.#schemas].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Returns a reference to a schema, and adds the schema to the catalog. */
  ref(shape: NamedSchema): JsonObject {
    if (!this.#schemas.has(shape.name)) {
      this.#schemas.set(shape.name, {});
      this.#schemas.set(shape.name, this.#closed(shape, this.#convert(shape.schema.structural, true)));
    }
    return { $ref: SCHEMA_REF_PREFIX + shape.name };
  }

  /** Returns a reference to a request schema. For a kind, it includes the kind's schemas of spec and references. */
  refRequest(shape: NamedSchema, kind: FleetKind | undefined): JsonObject {
    const { properties } = shape.schema.structural;
    if (kind === undefined || properties?.["spec"] === undefined) return this.ref(shape);
    const name = nameFor(shape, kind);
    if (!this.#schemas.has(name)) this.#schemas.set(name, this.#requestOf(shape, kind));
    return { $ref: SCHEMA_REF_PREFIX + name };
  }

  #requestOf(shape: NamedSchema, kind: FleetKind): JsonObject {
    const plain = this.#closed(shape, this.#convert(shape.schema.structural, true));
    const fields = objectIn(plain, "properties");
    const { specSchema } = kind;
    const isNullable = shape.schema.structural.properties?.["spec"]?.nullable === true;
    const named = specSchema && this.#referSpec(specSchema);
    const spec = named && (isNullable ? { anyOf: [named, { type: "null" }] } : named);
    const references = referencesOf(kind, objectIn(fields, "references"));
    return { ...plain, properties: { ...fields, ...(spec === undefined ? {} : { spec }), references } };
  }

  /** Returns an unnamed schema. */
  inline(schema: AnySchema): JsonObject {
    return this.#convert(schema.structural, false);
  }

  #closed({ isClosed }: NamedSchema, schema: JsonObject): JsonObject {
    return isClosed === true ? { ...schema, additionalProperties: false } : schema;
  }

  /** Converts a schema to OpenAPI. Nested schemas that are named themselves become references. */
  #convert(structural: StructuralSchema, isTop: boolean): JsonObject {
    const shape = this.#shapes.get(structural);
    if (shape !== undefined && !isTop) return this.ref(shape);
    const { properties, items, additionalProperties, ...rest } = structural;
    const parts: Record<string, JsonValue> = {};
    if (properties !== undefined) {
      const entries = Object.entries(properties).map(([name, part]) => [name, this.#convert(part, false)] as const);
      parts["properties"] = Object.fromEntries(entries);
    }
    if (items !== undefined) parts["items"] = this.#convert(items, false);
    if (additionalProperties !== undefined) parts["additionalProperties"] = this.#convert(additionalProperties, false);
    // A structural schema is plain JSON data.
    return { ...jsonSchema(rest as unknown as JsonObject), ...parts };
  }

  /** Adds the schema of a spec and all schemas that it references. Returns a reference to it. */
  #referSpec({ name, components }: SpecSchema): JsonObject {
    const rename = (referred: string): string => (this.#usedNames.has(referred) ? `Spec${referred}` : referred);
    const pending = [name];
    for (const one of pending) {
      const schema = components[one];
      if (this.#schemas.has(rename(one)) || !isJsonObject(schema)) continue;
      // The schema was parsed from a JSON or YAML document.
      const plain = schema as JsonObject;
      this.#schemas.set(rename(one), jsonSchema(plain, rename));
      pending.push(...referencedSchemas(plain));
    }
    return { $ref: SCHEMA_REF_PREFIX + rename(name) };
  }
}

/** Returns the name of a request schema for one kind, such as ClusterCreate for ResourceCreate. */
function nameFor(shape: NamedSchema, kind: FleetKind): string {
  return shape.name.replace(/^Resource/, kind.kind);
}

function objectIn(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isJsonObject(value) ? value : {};
}

/** Returns the schema of a kind's references: only the declared types, with their minimum and maximum counts. */
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
