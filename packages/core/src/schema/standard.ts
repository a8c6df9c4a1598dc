import { DeclarationError, toError } from "../error/index.ts";
import { isJsonObject } from "../json/index.ts";
import { structuralFromJsonSchema } from "./from-json-schema.ts";
import { Schema } from "./schema.ts";
import type { StructuralSchema } from "./structural.ts";

/**
 * What is used of a schema of another library: Standard Schema with Standard JSON Schema (https://standardschema.dev), which zod 4.2,
 * ArkType and Valibot implement, among others.
 */
export interface StandardLike {
  readonly "~standard": {
    readonly vendor: string;
    readonly types?: { readonly input: unknown; readonly output: unknown } | undefined;
    readonly jsonSchema: {
      readonly input: (options: { readonly target: "draft-2020-12" }) => unknown;
      readonly output: (options: { readonly target: "draft-2020-12" }) => unknown;
    };
  };
}

/** The type that a reader of a value of another library's schema sees. */
export type StandardOutput<S extends StandardLike> = NonNullable<S["~standard"]["types"]>["output"];

/** The type that a writer of a value of another library's schema gives. */
export type StandardInput<S extends StandardLike> = NonNullable<S["~standard"]["types"]>["input"];

/**
 * A declaration made with another library (zod and any other with Standard JSON Schema) as one of ours. Presence is not taken over:
 * write `.optional()` or `.default()` on the result. Checks that are only code (`refine`) are not seen by the server. Throws
 * a DeclarationError for what has no JSON Schema, what turns values into others (`transform`), and what Kubernetes cannot express.
 */
export function schemaFrom<S extends StandardLike>(standard: S): Schema<StandardOutput<S>, StandardInput<S>> {
  const { vendor, jsonSchema } = propsOf(standard);
  const input = structuralFromJsonSchema(generated(vendor, jsonSchema.input), { name: vendor });
  const output = structuralFromJsonSchema(generated(vendor, jsonSchema.output), { name: vendor });
  const changed = changedAt(input, output, "");
  if (changed !== undefined) {
    const where = changed === "" ? "the value" : changed;
    throw new DeclarationError(
      `${vendor}: ${where} is read as something else than what is written, but a server keeps what is written: ` +
        "leave out the transformation and do it where the value is used",
    );
  }
  if (input.default !== undefined) {
    throw new DeclarationError(`${vendor}: the default of a whole declaration comes last: schemaFrom(…).default(…)`);
  }
  return new Schema(input, "required");
}

function propsOf(standard: StandardLike): StandardLike["~standard"] {
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
      "update the library (zod from 4.2), or give its JSON Schema to structuralFromJsonSchema",
  );
}

type Converter = StandardLike["~standard"]["jsonSchema"]["input"];

function generated(vendor: string, convert: Converter): unknown {
  try {
    return convert({ target: "draft-2020-12" });
  } catch (error) {
    throw new DeclarationError(
      `${vendor}: ${toError(error).message}: a server knows the declaration as JSON Schema only, so use what has one`,
      { cause: error },
    );
  }
}

/** The path of the first field whose type differs; rules, defaults and presence may. */
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
