import { DeclarationError, toError } from "../../error/index.ts";
import { isJsonObject } from "../../json/index.ts";
import { structuralFromJsonSchema } from "./from-json-schema.ts";
import { Schema } from "../schema.ts";
import type { StructuralSchema } from "../structural.ts";

/**
 * A schema of another library: Standard Schema with Standard JSON Schema (https://standardschema.dev), implemented by
 * zod 4.2, ArkType, Valibot and others.
 */
export interface StandardSchemaLike {
  readonly "~standard": {
    readonly vendor: string;
    readonly types?: { readonly input: unknown; readonly output: unknown } | undefined;
    readonly jsonSchema: {
      readonly input: (options: { readonly target: "draft-2020-12" }) => unknown;
      readonly output: (options: { readonly target: "draft-2020-12" }) => unknown;
    };
  };
}

/** Output type of another library's schema. */
export type StandardSchemaOutput<S extends StandardSchemaLike> = NonNullable<S["~standard"]["types"]>["output"];

/** Input type of another library's schema. */
export type StandardSchemaInput<S extends StandardSchemaLike> = NonNullable<S["~standard"]["types"]>["input"];

/**
 * Converts a schema of another library (zod, or any with Standard JSON Schema). Presence is not converted: write
 * `.optional()` or `.default()` on the result. Checks in code (`refine`) are not enforced by the server. Throws a
 * DeclarationError for types without a JSON Schema, for transformations (`transform`), and for constraints that
 * Kubernetes cannot express.
 */
export function fromStandardSchema<S extends StandardSchemaLike>(
  standard: S,
): Schema<StandardSchemaOutput<S>, StandardSchemaInput<S>> {
  const { vendor, jsonSchema } = propsOf(standard);
  const input = structuralFromJsonSchema(generated(vendor, jsonSchema.input), { name: vendor });
  const output = structuralFromJsonSchema(generated(vendor, jsonSchema.output), { name: vendor });
  const changed = changedAt(input, output, "");
  if (changed !== undefined) {
    const where = changed === "" ? "the value" : changed;
    throw new DeclarationError(
      `${vendor}: the output of ${where} differs from its input, but the server stores the input: ` +
        "remove the transformation and apply it where the value is used",
    );
  }
  if (input.default !== undefined) {
    throw new DeclarationError(`${vendor}: the default of the whole schema must be set last: schemaFrom(…).default(…)`);
  }
  return new Schema(input, "required");
}

function propsOf(standard: StandardSchemaLike): StandardSchemaLike["~standard"] {
  const given: unknown = standard;
  const isSchema = (typeof given === "object" && given !== null) || typeof given === "function";
  const props: unknown = isSchema ? Reflect.get(given, "~standard") : undefined;
  const converters: unknown = isJsonObject(props) ? props["jsonSchema"] : undefined;
  if (
    isJsonObject(converters) &&
    typeof converters["input"] === "function" &&
    typeof converters["output"] === "function"
  ) {
    return standard["~standard"];
  }
  const vendor = isJsonObject(props) && typeof props["vendor"] === "string" ? `${props["vendor"]}: ` : "";
  throw new DeclarationError(
    `${vendor}schemaFrom needs a schema with Standard JSON Schema ("~standard".jsonSchema): ` +
      "update the library (zod from 4.2), or pass its JSON Schema to structuralFromJsonSchema",
  );
}

type Converter = StandardSchemaLike["~standard"]["jsonSchema"]["input"];

function generated(vendor: string, convert: Converter): unknown {
  try {
    return convert({ target: "draft-2020-12" });
  } catch (error) {
    throw new DeclarationError(
      `${vendor}: ${toError(error).message}: the server needs a JSON Schema: use a type that has one`,
      { cause: error },
    );
  }
}

/** Returns the path of the first field whose type differs. Constraints, defaults and presence may differ. */
function changedAt(input: StructuralSchema, output: StructuralSchema, path: string): string | undefined {
  const isSame =
    input.type === output.type &&
    input["x-kubernetes-int-or-string"] === output["x-kubernetes-int-or-string"] &&
    (input.additionalProperties === undefined) === (output.additionalProperties === undefined);
  if (!isSame) return path;
  const below: [string, StructuralSchema | undefined, StructuralSchema | undefined][] = [
    ["[*]", input.items, output.items],
    ["[*]", input.additionalProperties, output.additionalProperties],
    ...fieldNames(input, output).map((name): (typeof below)[number] => [
      path === "" ? name : `.${name}`,
      ownField(input, name),
      ownField(output, name),
    ]),
  ];
  for (const [step, before, after] of below) {
    const at = `${path}${step}`;
    const found =
      before === undefined || after === undefined ? missing(before, after, at) : changedAt(before, after, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

function fieldNames(input: StructuralSchema, output: StructuralSchema): readonly string[] {
  return [...new Set([...Object.keys(input.properties ?? {}), ...Object.keys(output.properties ?? {})])];
}

function ownField(schema: StructuralSchema, name: string): StructuralSchema | undefined {
  return Object.hasOwn(schema.properties ?? {}, name) ? schema.properties?.[name] : undefined;
}

function missing(before: unknown, after: unknown, at: string): string | undefined {
  return before === after ? undefined : at;
}
