import { isJsonObject } from "@levelset/core";
import { structuralFromJsonSchema, validate } from "@levelset/core/schema";
import { toError } from "@levelset/core/internal";
import type { JsonObject } from "@levelset/core";
import type { StructuralSchema } from "@levelset/core/schema";
import type { FieldProblem } from "../field-problem.ts";

const REFERENCE = "#/components/schemas/";

/** Schemas of an OpenAPI document by name: its `components.schemas`. */
export type SchemaComponents = Readonly<Record<string, unknown>>;

/** Schema of a kind's spec. */
export class SpecSchema {
  /** Name in the document. */
  readonly name: string;
  /** All schemas of the document, including referenced ones. */
  readonly components: SchemaComponents;
  readonly #structural: StructuralSchema;

  /** Throws a DeclarationError if the schema has unsupported constraints. */
  constructor(name: string, components: SchemaComponents) {
    this.name = name;
    this.components = components;
    const document = { $ref: `${REFERENCE}${name}`, components: { schemas: components } };
    this.#structural = structuralFromJsonSchema(document, { name: `the schema ${name}` });
  }

  /** Returns the problems of a spec. */
  problems(spec: JsonObject): readonly FieldProblem[] {
    const wrong = validate(this.#structural, spec, "spec").map(({ field, message }) => ({ field, message }));
    return [...wrong, ...this.#surplus({ $ref: REFERENCE + this.name }, spec, "spec")];
  }

  /** Returns properties rejected by `additionalProperties: false`. Other schemas allow any. */
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
    // The conversion has rejected cyclic references.
    while (isJsonObject(node) && typeof node["$ref"] === "string") node = this.components[nameOf(node["$ref"])];
    return isJsonObject(node) ? node : {};
  }
}

function nameOf(reference: string): string {
  return reference.startsWith(REFERENCE) ? reference.slice(REFERENCE.length) : "";
}

/** Returns the schema of that name, or the error message. */
export function specSchema(name: string, components: SchemaComponents): SpecSchema | string {
  if (!Object.hasOwn(components, name)) return `spec_schema_name: unknown schema ${name}`;
  try {
    return new SpecSchema(name, components);
  } catch (error) {
    return `spec_schema_name: ${toError(error).message}`;
  }
}
