import { deepEqual } from "../json/index.ts";
import { childPath } from "./field-error.ts";
import type { FieldError } from "./field-error.ts";
import type { StructuralSchema } from "./structural.ts";

/**
 * Checks a value against a structural schema. The errors carry Kubernetes' reasons, paths and words; an empty list means valid.
 */
export function validate(schema: StructuralSchema, value: unknown, path = ""): readonly FieldError[] {
  if (value === null && schema.nullable === true) return [];
  if (schema["x-kubernetes-int-or-string"] === true) {
    return typeof value === "string" || isInteger(value) ? [] : [typeError(path, "integer,string", value)];
  }
  if (schema.type !== undefined && !hasType(schema.type, value)) return [typeError(path, schema.type, value)];
  return [...enumErrors(schema, value, path), ...shapeErrors(schema, value, path)];
}

function shapeErrors(schema: StructuralSchema, value: unknown, path: string): readonly FieldError[] {
  if (typeof value === "string") return stringErrors(schema, value, path);
  if (typeof value === "number" || typeof value === "bigint") return numberErrors(schema, value, path);
  if (Array.isArray(value)) return arrayErrors(schema, value, path);
  if (isRecord(value)) return objectErrors(schema, value, path);
  return [];
}

function objectErrors(schema: StructuralSchema, value: Record<string, unknown>, path: string): readonly FieldError[] {
  const missing: FieldError[] = (schema.required ?? [])
    .filter((name) => !Object.hasOwn(value, name) || value[name] === undefined)
    .map((name) => ({ reason: "FieldValueRequired", field: childPath(path, name), message: "Required value" }));
  const nested = Object.entries(value).flatMap(([name, child]) => {
    if (child === undefined) return [];
    const field = propertySchema(schema, name);
    return field === undefined ? [] : validate(field, child, childPath(path, name));
  });
  return [...missing, ...nested];
}

function arrayErrors(schema: StructuralSchema, value: readonly unknown[], path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (schema.minItems !== undefined && value.length < schema.minItems) {
    errors.push(invalid(path, value.length, `should have at least ${schema.minItems} items`));
  }
  if (schema.maxItems !== undefined && value.length > schema.maxItems) {
    errors.push({
      reason: "FieldValueTooMany",
      field: path,
      message: `Too many: ${value.length}: must have at most ${schema.maxItems} items`,
    });
  }
  const { items } = schema;
  if (items === undefined) return errors;
  return [...errors, ...value.flatMap((item, index) => validate(items, item, childPath(path, index)))];
}

function stringErrors(schema: StructuralSchema, value: string, path: string): readonly FieldError[] {
  const length = Array.from(value).length; // characters, as the server counts, not UTF-16 units
  const errors: FieldError[] = [];
  if (schema.minLength !== undefined && length < schema.minLength) {
    errors.push(invalid(path, value, `should be at least ${schema.minLength} chars long`));
  }
  if (schema.maxLength !== undefined && length > schema.maxLength) {
    const message = `Too long: may not be more than ${schema.maxLength} bytes`;
    errors.push({ reason: "FieldValueTooLong", field: path, message });
  }
  if (schema.pattern !== undefined && !new RegExp(schema.pattern, "u").test(value)) {
    errors.push(invalid(path, value, `should match '${schema.pattern}'`));
  }
  return errors;
}

const INT_RANGE: Readonly<Record<string, readonly [bigint, bigint]>> = {
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
};

function numberErrors(schema: StructuralSchema, value: number | bigint, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (schema.minimum !== undefined && value < schema.minimum) {
    errors.push(invalid(path, value, `should be greater than or equal to ${schema.minimum}`));
  }
  if (schema.maximum !== undefined && value > schema.maximum) {
    errors.push(invalid(path, value, `should be less than or equal to ${schema.maximum}`));
  }
  const range = schema.type === "integer" ? INT_RANGE[schema.format ?? "int64"] : undefined;
  if (range !== undefined && (value < range[0] || value > range[1])) {
    errors.push(invalid(path, value, `must be of type integer:${schema.format ?? "int64"}`));
  }
  return errors;
}

function enumErrors(schema: StructuralSchema, value: unknown, path: string): readonly FieldError[] {
  if (schema.enum === undefined || schema.enum.some((allowed) => deepEqual(allowed, value))) return [];
  const supported = schema.enum.map((allowed) => JSON.stringify(allowed)).join(", ");
  const message = `Unsupported value: ${JSON.stringify(value)}: supported values: ${supported}`;
  return [{ reason: "FieldValueNotSupported", field: path, message }];
}

function invalid(path: string, value: unknown, rule: string): FieldError {
  const shown = typeof value === "bigint" ? value.toString() : JSON.stringify(value);
  return { reason: "FieldValueInvalid", field: path, message: `Invalid value: ${shown}: ${path} in body ${rule}` };
}

function typeError(path: string, expected: string, value: unknown): FieldError {
  const found = JSON.stringify(typeName(value));
  const message = `Invalid value: ${found}: ${path} in body must be of type ${expected}: ${found}`;
  return { reason: "FieldValueTypeInvalid", field: path, message };
}

function hasType(type: NonNullable<StructuralSchema["type"]>, value: unknown): boolean {
  switch (type) {
    case "object":
      return isRecord(value);
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

function isInteger(value: unknown): boolean {
  return typeof value === "bigint" || Number.isInteger(value);
}

/** The schema of one key of an object: its property's, else the one for all other keys. */
export function propertySchema(schema: StructuralSchema, name: string): StructuralSchema | undefined {
  const { properties } = schema;
  if (properties !== undefined && Object.hasOwn(properties, name)) return properties[name];
  return schema.additionalProperties;
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
