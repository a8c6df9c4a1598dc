import { isJsonObject, structuralFromJsonSchema, toError, validate } from "@levelset/core";
import type { JsonObject, StructuralSchema } from "@levelset/core";
import type { FieldProblem } from "./problem.ts";

const REFERENCE = "#/components/schemas/";

/** The schemas of an OpenAPI document, by name: its `components.schemas`. */
export type SchemaComponents = Readonly<Record<string, unknown>>;

/** What the spec of a kind must look like. */
export class SpecSchema {
  /** Its name in the document. */
  readonly name: string;
  /** The document's schemas, those that it refers to among them. */
  readonly components: SchemaComponents;
  readonly #structural: StructuralSchema;

  /** Throws a DeclarationError if the schema says something that cannot be checked. */
  constructor(name: string, components: SchemaComponents) {
    this.name = name;
    this.components = components;
    const document = { $ref: `${REFERENCE}${name}`, components: { schemas: components } };
    this.#structural = structuralFromJsonSchema(document, { name: `the schema ${name}` });
  }

  /** What is wrong with a spec; empty if nothing is. */
  problems(spec: JsonObject): readonly FieldProblem[] {
    const wrong = validate(this.#structural, spec, "spec").map(({ field, message }) => ({ field, message }));
    return [...wrong, ...this.#surplus({ $ref: REFERENCE + this.name }, spec, "spec")];
  }

  /** Members that a schema with `additionalProperties: false` does not know. Where it says nothing, any are welcome. */
  #surplus(schema: unknown, value: unknown, path: string): readonly FieldProblem[] {
    const node = this.#resolve(schema);
    if (Array.isArray(value)) {
      return value.flatMap((item: unknown, index) => this.#surplus(node["items"], item, `${path}[${index}]`));
    }
    if (!isJsonObject(value)) return [];
    const properties = isJsonObject(node["properties"]) ? node["properties"] : {};
    const isClosed = node["additionalProperties"] === false;
    return Object.entries(value).flatMap(([name, member]): readonly FieldProblem[] => {
      const field = `${path}.${name}`;
      if (Object.hasOwn(properties, name)) return this.#surplus(properties[name], member, field);
      return isClosed ? [{ field, message: `property '${name}' is not supported` }] : [];
    });
  }

  #resolve(schema: unknown): Readonly<Record<string, unknown>> {
    let node = schema;
    // The conversion has refused references in a circle.
    while (isJsonObject(node) && typeof node["$ref"] === "string") node = this.components[nameOf(node["$ref"])];
    return isJsonObject(node) ? node : {};
  }
}

function nameOf(reference: string): string {
  return reference.startsWith(REFERENCE) ? reference.slice(REFERENCE.length) : "";
}

/** The schema of that name; a text says why there is none. */
export function specSchema(name: string, components: SchemaComponents): SpecSchema | string {
  if (!Object.hasOwn(components, name)) return `spec_schema_name: there is no schema ${name}`;
  try {
    return new SpecSchema(name, components);
  } catch (error) {
    return `spec_schema_name: ${toError(error).message}`;
  }
}
