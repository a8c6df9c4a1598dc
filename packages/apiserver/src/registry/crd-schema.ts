import { compilePattern, compileRules, isJsonObject, validate } from "@levelset/core";
import type { FieldError, StructuralSchema } from "@levelset/core";
import { forbiddenField, invalidField, requiredField, unsupportedField } from "./field.ts";
import { recordOf } from "./shape.ts";

const TYPES = ["array", "boolean", "integer", "number", "object", "string"];

/** Checks that the schema of a declared version is structural: every field has a type, lists have items, and so on. */
export function schemaErrors(given: unknown, path: string): readonly FieldError[] {
  if (!isJsonObject(given)) return [requiredField(path, "schemas are required")];
  const { type } = given;
  if (type === undefined || type === "") return [requiredField(`${path}.type`, "must not be empty at the root")];
  if (type !== "object") return [invalidField(`${path}.type`, type, "must be object at the root")];
  const errors = nodeErrors(given, path, "root");
  return errors.length > 0 ? errors : ruleErrors(structural(given), path);
}

/** Rules that cannot be compiled are refused with the declaration, not found out about later. */
function ruleErrors(schema: StructuralSchema, path: string): readonly FieldError[] {
  return compileRules(schema, true).issues.map((issue) => {
    const field = `${path}.${issue.path}`;
    return { reason: "FieldValueInvalid", field, message: `Invalid value: compilation failed: ${issue.message}` };
  });
}

type Place = "root" | "field" | "item";

function nodeErrors(schema: Readonly<Record<string, unknown>>, path: string, place: Place): readonly FieldError[] {
  return [
    ...typeErrors(schema, path, place),
    ...childErrors(schema, path),
    ...patternErrors(schema, path),
    ...defaultErrors(schema, path, place),
  ];
}

function typeErrors(schema: Readonly<Record<string, unknown>>, path: string, place: Place): readonly FieldError[] {
  const { type } = schema;
  const untyped =
    schema["x-kubernetes-preserve-unknown-fields"] === true || schema["x-kubernetes-int-or-string"] === true;
  if (type === undefined || type === "") {
    if (untyped || place === "root") return [];
    const where = place === "item" ? "array items" : "object fields";
    return [requiredField(`${path}.type`, `must not be empty for specified ${where}`)];
  }
  if (typeof type !== "string") return [invalidField(`${path}.type`, type, "must be a string")];
  if (!TYPES.includes(type)) return [unsupportedField(`${path}.type`, type, TYPES)];
  if (type === "array" && schema["items"] === undefined) return [requiredField(`${path}.items`, "must be specified")];
  return [];
}

function childErrors(schema: Readonly<Record<string, unknown>>, path: string): readonly FieldError[] {
  const properties = Object.entries(recordOf(schema["properties"]));
  const { additionalProperties, items } = schema;
  const both =
    properties.length > 0 && additionalProperties !== undefined
      ? [forbiddenField(`${path}.additionalProperties`, "additionalProperties and properties are mutual exclusive")]
      : [];
  const ofRoot = (name: string): boolean => name === "metadata" && path.endsWith("openAPIV3Schema");
  const fields = properties.flatMap(([name, child]) =>
    // metadata follows its own rules; a schema may only say `type: object` about it.
    ofRoot(name) ? [] : nodeErrors(recordOf(child), `${path}.properties[${name}]`, "field"),
  );
  const rest = isJsonObject(additionalProperties)
    ? nodeErrors(additionalProperties, `${path}.additionalProperties`, "field")
    : [];
  const list = isJsonObject(items) ? nodeErrors(items, `${path}.items`, "item") : [];
  return [...both, ...fields, ...rest, ...list];
}

function patternErrors(schema: Readonly<Record<string, unknown>>, path: string): readonly FieldError[] {
  const { pattern } = schema;
  if (typeof pattern !== "string") return [];
  const compiled = compilePattern(pattern);
  if (compiled.kind === "compiled") return [];
  return [invalidField(`${path}.pattern`, pattern, `must be a valid regular expression, but isn't: ${compiled.why}`)];
}

function defaultErrors(schema: Readonly<Record<string, unknown>>, path: string, place: Place): readonly FieldError[] {
  const value = schema["default"];
  if (value === undefined) return [];
  if (place === "root") return [forbiddenField(`${path}.default`, "must not be set at the root")];
  return validate(structural(schema), value, `${path}.default`);
}

/** The schema as core reads it: `additionalProperties: true` is written out as what it means. */
export function structural(given: unknown): StructuralSchema {
  const { additionalProperties, properties, items, ...rest } = recordOf(given);
  const anything: StructuralSchema = { "x-kubernetes-preserve-unknown-fields": true };
  // Checked by `schemaErrors` when the declaration was written; the rest is scalars and lists of them.
  return {
    ...(rest as StructuralSchema),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(recordOf(properties)).map(([name, child]) => [name, structural(child)]),
          ),
        }),
    ...(items === undefined ? {} : { items: structural(items) }),
    ...(isJsonObject(additionalProperties) ? { additionalProperties: structural(additionalProperties) } : {}),
    ...(additionalProperties === true ? { additionalProperties: anything } : {}),
  };
}
