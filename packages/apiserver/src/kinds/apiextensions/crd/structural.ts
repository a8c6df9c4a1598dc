import { compilePattern, deepEqual } from "@levelset/core/internal";
import { isJsonObject } from "@levelset/core";
import type { FieldError } from "@levelset/core/schema";
import { forbiddenField, invalidField, requiredField, asArray, asRecord } from "../../../resource/index.ts";
import type { RawSchema } from "./schema.ts";

type Errors = Generator<FieldError, void>;
type Level = "root" | "item" | "field";

const JUNCTORS = ["anyOf", "allOf", "oneOf"];
const INT_OR_STRING: readonly unknown[] = [{ type: "integer" }, { type: "string" }];

/**
 * Validates that a schema is structural (`k8s.io/apiextensions-apiserver/pkg/apiserver/schema/validation.go`,
 * Kubernetes 1.36).
 */
export function structuralErrors(path: string, schema: RawSchema): readonly FieldError[] {
  const errors = [...nodeErrors(path, schema, "root"), ...completenessErrors(path, schema, path, schema)];
  const text = ({ field, message }: FieldError): string => `${field}: ${message}`;
  return errors.toSorted((a, b) => (text(a) < text(b) ? -1 : 1));
}

const EMPTY: Readonly<Record<Level, string>> = {
  root: "must not be empty at the root",
  item: "must not be empty for specified array items",
  field: "must not be empty for specified object fields",
};

function* nodeErrors(path: string, schema: RawSchema, level: Level): Errors {
  const type = schema["type"] ?? "";
  const { items, additionalProperties: rest } = schema;
  if (type === "array" && items === undefined) yield requiredField(`${path}.items`, "must be specified");
  if (isJsonObject(items)) yield* nodeErrors(`${path}.items`, items, "item");
  for (const [name, child] of Object.entries(asRecord(schema["properties"]))) {
    yield* nodeErrors(`${path}.properties[${name}]`, asRecord(child), "field");
  }
  if (rest !== undefined) {
    if (level === "root") yield forbiddenField(`${path}.additionalProperties`, "must not be used at the root");
    if (isJsonObject(rest)) yield* nodeErrors(`${path}.additionalProperties`, rest, "field");
  }
  yield* extensionErrors(path, schema, level);
  const skipAnyOf = deepEqual(schema["anyOf"], INT_OR_STRING);
  const skipFirst = deepEqual(asRecord(asArray(schema["allOf"])[0])["anyOf"], INT_OR_STRING);
  yield* valueErrors(path, schema, { anyOf: skipAnyOf, firstAllOf: skipFirst });
}

function* extensionErrors(path: string, schema: RawSchema, level: Level): Errors {
  const type = schema["type"] ?? "";
  const isEmbedded = schema["x-kubernetes-embedded-resource"] === true;
  const keepsUnknown = schema["x-kubernetes-preserve-unknown-fields"] === true;
  const isIntOrString = schema["x-kubernetes-int-or-string"] === true;
  const exclusive = "must be false if x-kubernetes-int-or-string is true";
  if (isIntOrString && keepsUnknown) {
    yield invalidField(`${path}.x-kubernetes-preserve-unknown-fields`, true, exclusive);
  }
  if (isIntOrString && isEmbedded) yield invalidField(`${path}.x-kubernetes-embedded-resource`, true, exclusive);
  if (isEmbedded && type !== "object") {
    const why = "must be object if x-kubernetes-embedded-resource is true";
    yield type === "" ? requiredField(`${path}.type`, why) : invalidField(`${path}.type`, type, why);
  } else if (type === "" && !isIntOrString && !keepsUnknown) yield requiredField(`${path}.type`, EMPTY[level]);
  if (isEmbedded && schema["additionalProperties"] !== undefined) {
    yield forbiddenField(`${path}.additionalProperties`, "must not be used if x-kubernetes-embedded-resource is set");
  }
  if (level === "root" && type !== "" && type !== "object") {
    yield invalidField(`${path}.type`, type, "must be object at the root");
  }
  const properties = asRecord(schema["properties"]);
  if (level === "root" || isEmbedded) yield* metaErrors(path, properties, level);
  if (isEmbedded && !keepsUnknown && Object.keys(properties).length === 0) {
    const why =
      "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields";
    yield requiredField(`${path}.properties`, why);
  }
}

function* metaErrors(path: string, properties: RawSchema, level: Level): Errors {
  for (const name of ["kind", "apiVersion"]) {
    if (!Object.hasOwn(properties, name)) continue;
    const { type = "" } = asRecord(properties[name]);
    if (type !== "string") yield invalidField(`${path}.properties[${name}].type`, type, "must be string");
  }
  if (!Object.hasOwn(properties, "metadata")) return;
  const at = `${path}.properties[metadata]`;
  const { type = "", properties: fields, default: _default, ...rest } = asRecord(properties["metadata"]);
  if (type !== "object") yield invalidField(`${at}.type`, type, "must be object");
  const isPlain =
    Object.keys(asRecord(fields)).every((name) => name === "name" || name === "generateName") &&
    Object.keys(rest).length === 0;
  if (level === "root" && !isPlain) {
    const why = "must not specify anything other than name and generateName, but metadata is implicitly specified";
    yield forbiddenField(at, why);
  }
}

/** `anyOf` alternatives that may set `type`, for x-kubernetes-int-or-string. */
interface Skip {
  readonly anyOf: boolean;
  readonly firstAllOf: boolean;
}

const NO_SKIP: Skip = { anyOf: false, firstAllOf: false };

function* valueErrors(path: string, schema: RawSchema, skip: Skip): Errors {
  for (const junctor of JUNCTORS) {
    if (junctor === "anyOf" && skip.anyOf) continue;
    for (const [index, child] of asArray(schema[junctor]).entries()) {
      const isFirst = junctor === "allOf" && index === 0 && skip.firstAllOf;
      yield* nestedErrors(`${path}.${junctor}[${index}]`, asRecord(child), { anyOf: isFirst, firstAllOf: false });
    }
  }
  if (isJsonObject(schema["not"])) yield* nestedErrors(`${path}.not`, schema["not"], NO_SKIP);
  const { pattern } = schema;
  const compiled = typeof pattern === "string" ? compilePattern(pattern) : undefined;
  if (compiled !== undefined && compiled.kind !== "compiled") {
    yield invalidField(`${path}.pattern`, pattern, `must be a valid regular expression, but isn't: ${compiled.why}`);
  }
}

/** Keywords that are forbidden in value validation (inside allOf, anyOf, oneOf and not). */
const FORBIDDEN: readonly (readonly [string, string])[] = [
  ["type", "must be empty to be structural"],
  ["additionalProperties", "must be undefined to be structural"],
  ["default", "must be undefined to be structural"],
  ["title", "must be empty to be structural"],
  ["description", "must be empty to be structural"],
  ["nullable", "must be false to be structural"],
  ["x-kubernetes-preserve-unknown-fields", "must be false to be structural"],
  ["x-kubernetes-embedded-resource", "must be false to be structural"],
  ["x-kubernetes-int-or-string", "must be false to be structural"],
  ["x-kubernetes-list-map-keys", "must be empty to be structural"],
  ["x-kubernetes-list-type", "must be undefined to be structural"],
  ["x-kubernetes-map-type", "must be undefined to be structural"],
  ["x-kubernetes-validations", "must be empty to be structural"],
];

function* nestedErrors(path: string, schema: RawSchema, skip: Skip): Errors {
  yield* valueErrors(path, schema, skip);
  if (isJsonObject(schema["items"])) yield* nestedErrors(`${path}.items`, schema["items"], NO_SKIP);
  const properties = asRecord(schema["properties"]);
  for (const [name, child] of Object.entries(properties)) {
    yield* nestedErrors(`${path}.properties[${name}]`, asRecord(child), NO_SKIP);
  }
  for (const [name, why] of FORBIDDEN) {
    const value = schema[name];
    const isEmpty =
      value === undefined || value === "" || value === false || (Array.isArray(value) && value.length === 0);
    if (!isEmpty) yield forbiddenField(`${path}.${name}`, why);
  }
  if (Object.hasOwn(properties, "metadata")) {
    yield forbiddenField(`${path}.properties[metadata]`, "must not be specified in a nested context");
  }
}

/** Validates that every field in value validation is also declared in the structure. */
function* completenessErrors(path: string, structure: unknown, valuePath: string, value: RawSchema): Errors {
  for (const junctor of JUNCTORS) {
    for (const [index, child] of asArray(value[junctor]).entries()) {
      yield* partErrors(path, structure, `${valuePath}.${junctor}[${index}]`, asRecord(child));
    }
  }
  if (isJsonObject(value["not"])) yield* partErrors(path, structure, `${valuePath}.not`, value["not"]);
}

function* partErrors(path: string, structure: unknown, valuePath: string, value: RawSchema): Errors {
  if (!isJsonObject(structure)) {
    yield requiredField(path, `because it is defined in ${valuePath}`);
    return;
  }
  yield* completenessErrors(path, structure, valuePath, value);
  if (isJsonObject(value["items"])) {
    yield* partErrors(`${path}.items`, structure["items"], `${valuePath}.items`, value["items"]);
  }
  const fields = asRecord(structure["properties"]);
  for (const [name, child] of Object.entries(asRecord(value["properties"]))) {
    const at = `properties[${name}]`;
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    yield* partErrors(`${path}.${at}`, field, `${valuePath}.${at}`, asRecord(child));
  }
}
