import { schemaFormats } from "../format/index.ts";
import { canonicalJson, isJsonObject } from "../json/index.ts";
import { childPath } from "./field-error.ts";
import type { FieldError } from "./field-error.ts";
import { propertySchema } from "./structural.ts";
import type { StructuralSchema } from "./structural.ts";
import { choiceErrors, enumError, invalidValue, ownErrors, shown } from "./value-rules.ts";

/**
 * Checks a value against a structural schema. The errors carry Kubernetes' reasons, paths and words; an empty list means valid.
 * Rules in CEL are checked apart, once the shape is known to be right.
 */
export function validate(schema: StructuralSchema, value: unknown, path = ""): readonly FieldError[] {
  // The real server refuses null for an enum, nullable or not, and even where the enum lists it.
  if (value === null && schema.nullable === true)
    return schema.enum === undefined ? [] : [enumError(schema.enum, value, path)];
  if (schema["x-kubernetes-int-or-string"] === true) {
    if (typeof value !== "string" && !isInteger(value)) return [typeError(path, "integer,string", value)];
  } else if (schema.type !== undefined && !hasType(schema.type, value) && !isListForFormat(schema, value)) {
    return [typeError(path, schema.type, value)];
  }
  return [
    ...ownErrors(schema, value, path),
    ...childErrors(schema, value, path),
    ...choiceErrors(schema, value, path),
    ...embeddedErrors(schema, value, path),
  ];
}

function childErrors(schema: StructuralSchema, value: unknown, path: string): readonly FieldError[] {
  if (Array.isArray(value)) {
    const { items } = schema;
    const errors =
      items === undefined ? [] : value.flatMap((item, index) => validate(items, item, childPath(path, index)));
    return [...errors, ...duplicateErrors(schema, value, path)];
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, child]) => {
    const field = child === undefined ? undefined : propertySchema(schema, name);
    return field === undefined ? [] : validate(field, child, childPath(path, name));
  });
}

/** A set holds each value once, a keyed list each key once. */
function duplicateErrors(schema: StructuralSchema, value: readonly unknown[], path: string): readonly FieldError[] {
  const listType = schema["x-kubernetes-list-type"];
  if (listType !== "set" && listType !== "map") return [];
  if (listType === "map" && value.some((item) => item !== null && !isJsonObject(item))) return []; // reported already
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  const seen = new Map<string, number>();
  return value.flatMap((item, index): readonly FieldError[] => {
    const identity = listType === "set" ? item : keyOf(item, keys);
    const text = canonicalJson(identity);
    const times = (seen.get(text) ?? 0) + 1;
    seen.set(text, times);
    // Once for each value, at its second place.
    if (times !== 2) return [];
    const message = `Duplicate value: ${listType === "set" ? shown(item) : text}`;
    return [{ reason: "FieldValueDuplicate", field: childPath(path, index), message }];
  });
}

function keyOf(item: unknown, keys: readonly string[]): unknown {
  // A null has no key either, like an empty item.
  if (!isJsonObject(item)) return item ?? {};
  return Object.fromEntries(keys.map((key) => [key, Object.hasOwn(item, key) ? item[key] : undefined]));
}

/** An embedded object says what it is. */
function embeddedErrors(schema: StructuralSchema, value: unknown, path: string): readonly FieldError[] {
  if (schema["x-kubernetes-embedded-resource"] !== true || !isJsonObject(value)) return [];
  return ["apiVersion", "kind"].flatMap((name): readonly FieldError[] => {
    const field = childPath(path, name);
    if (!Object.hasOwn(value, name)) return [{ reason: "FieldValueRequired", field, message: "Required value" }];
    if (typeof value[name] !== "string") return [invalidValue(field, shown(value[name]), "must be a string")];
    return embeddedTypeErrors(name, value[name], field);
  });
}

const KIND = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/u;

function embeddedTypeErrors(name: string, value: string, field: string): readonly FieldError[] {
  if (value === "") return [invalidValue(field, '""', "must not be empty")];
  if (name === "kind") {
    const why = "may have mixed case, but should otherwise match: a DNS-1035 label";
    return KIND.test(value.toLowerCase()) ? [] : [invalidValue(field, JSON.stringify(value), why)];
  }
  const slashes = value.split("/").length - 1;
  return slashes > 1 ? [invalidValue(field, JSON.stringify(value), `unexpected GroupVersion string: ${value}`)] : [];
}

/** The real server lets a list pass for a text that has a format it checks. Odd, but what it stores must be readable here too. */
function isListForFormat(schema: StructuralSchema, value: unknown): boolean {
  return Array.isArray(value) && schema.type === "string" && schemaFormats.has(schema.format ?? "");
}

function typeError(path: string, expected: string, value: unknown): FieldError {
  const found = JSON.stringify(typeName(value));
  const message = `Invalid value: ${found}: ${path} in body must be of type ${expected}: ${found}`;
  return { reason: "FieldValueTypeInvalid", field: path, message };
}

function hasType(type: NonNullable<StructuralSchema["type"]>, value: unknown): boolean {
  switch (type) {
    case "object":
      return isJsonObject(value);
    case "array":
      return Array.isArray(value);
    case "integer":
      return isInteger(value);
    case "number":
      return typeof value === "number" || typeof value === "bigint";
    case "string":
    case "boolean":
      return typeof value === type;
  }
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (isInteger(value)) return "integer";
  return typeof value;
}

/** A whole number that fits 64 bits; what does not was read as a fraction by the real server. */
function isInteger(value: unknown): boolean {
  if (typeof value === "bigint") return true;
  return typeof value === "number" && Number.isInteger(value) && Math.abs(value) < 2 ** 63;
}
