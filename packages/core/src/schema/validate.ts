import { dns1035LabelProblems, schemaFormats } from "../format/index.ts";
import { canonicalJson, deepEqual, isJsonObject, ValidationCache } from "../json/index.ts";
import { oldValueOf, oldField, correlateItems, NO_OLD_VALUE } from "./old-value.ts";
import type { OldValue } from "./old-value.ts";
import { childPath } from "./field-error.ts";
import type { FieldError } from "./field-error.ts";
import { propertySchema } from "./structural.ts";
import type { StructuralSchema } from "./structural.ts";
import {
  alternativeErrors,
  enumError,
  invalidValue,
  isConstrained,
  constraintErrors,
  formatInvalidValue,
} from "./value-rules.ts";

/**
 * Validates a value against a structural schema. Errors have the reasons, paths and messages of kube-apiserver; an
 * empty list means valid. CEL rules are evaluated separately, after the shape is valid.
 */
export function validate(schema: StructuralSchema, value: unknown, path = ""): readonly FieldError[] {
  const visit = new Visit();
  visit.value(schema, value, path, NO_OLD_VALUE);
  return [...visit.shape, ...visit.embedded, ...visit.lists];
}

/**
 * Validates an update with ratcheting (KEP-4008): errors of unchanged values are tolerated, so that a schema can become
 * stricter without blocking writes of other fields. Items of keyed lists are correlated by key, other lists as a whole.
 */
export function validateUpdate(schema: StructuralSchema, value: unknown, old: unknown): readonly FieldError[] {
  const visit = new Visit();
  visit.value(schema, value, "", oldValueOf(old));
  if (visit.lists.length === 0) return [...visit.shape, ...visit.embedded];
  const earlier = new Visit();
  earlier.value(schema, old, "", NO_OLD_VALUE);
  return [...visit.shape, ...visit.embedded, ...(earlier.lists.length === 0 ? visit.lists : [])];
}

/** Fields of whole objects that are known to be valid. */
const passed = new ValidationCache();

/** A walk over a value. Errors are collected by category, in the order of kube-apiserver. */
class Visit {
  readonly shape: FieldError[] = [];
  readonly embedded: FieldError[] = [];
  readonly lists: FieldError[] = [];
  #tolerated = 0;

  /** The number of errors so far, tolerated ones included. */
  get #found(): number {
    return this.shape.length + this.embedded.length + this.lists.length + this.#tolerated;
  }

  value(schema: StructuralSchema, value: unknown, path: string, before: OldValue): void {
    const mark = this.shape.length;
    this.#any(schema, value, path, before);
    const isTolerated = this.shape.length > mark && before.kind === "value" && deepEqual(value, before.value);
    if (!isTolerated) return;
    this.#tolerated += this.shape.length - mark;
    this.shape.length = mark;
  }

  #any(schema: StructuralSchema, value: unknown, path: string, before: OldValue): void {
    // kube-apiserver rejects null for a field with an enum, even if the field is nullable or the enum lists null
    // (k8s.io/kube-openapi/pkg/validation/validate).
    if (value === null && schema.nullable === true) {
      if (schema.enum !== undefined) this.shape.push(enumError(schema.enum, value, path));
      return;
    }
    const wrong = wrongType(schema, value, path);
    if (wrong !== undefined) {
      this.shape.push(wrong);
      return;
    }
    const hasRules = isConstrained(schema);
    if (hasRules) this.shape.push(...constraintErrors(schema, value, path));
    this.#children(schema, value, path, before);
    if (hasRules) this.shape.push(...alternativeErrors(schema, value, path));
    if (schema["x-kubernetes-embedded-resource"] === true) this.embedded.push(...embeddedErrors(value, path));
  }

  #children(schema: StructuralSchema, value: unknown, path: string, before: OldValue): void {
    if (Array.isArray(value)) {
      const { items } = schema;
      if (items !== undefined) {
        const isKeyed = schema["x-kubernetes-list-type"] === "map";
        const find = correlateItems(before, isKeyed ? schema["x-kubernetes-list-map-keys"] : undefined);
        for (const [index, item] of value.entries()) this.value(items, item, childPath(path, index), find(item));
      }
      if (schema["x-kubernetes-list-type"] !== undefined) this.lists.push(...duplicateErrors(schema, value, path));
      return;
    }
    if (!isJsonObject(value)) return;
    for (const [name, child] of Object.entries(value)) {
      const field = child === undefined ? undefined : propertySchema(schema, name);
      if (field === undefined) continue;
      if (path === "") this.#field(field, child, name, oldField(before, name));
      else this.value(field, child, childPath(path, name), oldField(before, name));
    }
  }

  /** Validates a field of the whole object. Skips frozen values that were valid before. */
  #field(schema: StructuralSchema, value: unknown, name: string, before: OldValue): void {
    if (passed.has(schema, value)) return;
    const mark = this.#found;
    this.value(schema, value, childPath("", name), before);
    if (this.#found === mark) passed.add(schema, value);
  }
}

function wrongType(schema: StructuralSchema, value: unknown, path: string): FieldError | undefined {
  if (schema["x-kubernetes-int-or-string"] === true) {
    return typeof value === "string" || isInteger(value) ? undefined : typeError(path, "integer,string", value);
  }
  if (schema.type === undefined || hasType(schema.type, value) || isListForFormat(schema, value)) return undefined;
  return typeError(path, schema.type, value);
}

/** Returns errors for duplicate values of a set and duplicate keys of a keyed list. */
function duplicateErrors(schema: StructuralSchema, value: readonly unknown[], path: string): readonly FieldError[] {
  const listType = schema["x-kubernetes-list-type"];
  if (listType !== "set" && listType !== "map") return [];
  if (listType === "map" && value.some((item) => item !== null && !isJsonObject(item))) return []; // reported elsewhere
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  const seen = new Map<string, number>();
  return value.flatMap((item, index): readonly FieldError[] => {
    const identity = listType === "set" ? item : keyOf(item, keys);
    const text = canonicalJson(identity);
    const times = (seen.get(text) ?? 0) + 1;
    seen.set(text, times);
    // Reported once per value, at its second occurrence.
    if (times !== 2) return [];
    const message = `Duplicate value: ${listType === "set" ? formatInvalidValue(item) : text}`;
    return [{ reason: "FieldValueDuplicate", field: childPath(path, index), message }];
  });
}

function keyOf(item: unknown, keys: readonly string[]): unknown {
  // A null has no keys, like an empty item.
  if (!isJsonObject(item)) return item ?? {};
  return Object.fromEntries(keys.map((key) => [key, Object.hasOwn(item, key) ? item[key] : undefined]));
}

/** Validates apiVersion, kind and metadata of an embedded object. */
function embeddedErrors(value: unknown, path: string): readonly FieldError[] {
  if (!isJsonObject(value)) return [];
  return ["apiVersion", "kind"].flatMap((name): readonly FieldError[] => {
    const field = childPath(path, name);
    if (!Object.hasOwn(value, name)) return [{ reason: "FieldValueRequired", field, message: "Required value" }];
    if (typeof value[name] !== "string")
      return [invalidValue(field, formatInvalidValue(value[name]), "must be a string")];
    return embeddedTypeErrors(name, value[name], field);
  });
}

function embeddedTypeErrors(name: string, value: string, field: string): readonly FieldError[] {
  if (value === "") return [invalidValue(field, '""', "must not be empty")];
  if (name === "kind") {
    const problems = dns1035LabelProblems(value.toLowerCase());
    const why = `may have mixed case, but should otherwise match: ${problems.join(",")}`;
    return problems.length === 0 ? [] : [invalidValue(field, JSON.stringify(value), why)];
  }
  const slashes = value.split("/").length - 1;
  return slashes > 1 ? [invalidValue(field, JSON.stringify(value), `unexpected GroupVersion string: ${value}`)] : [];
}

/**
 * kube-apiserver accepts a list for a string with a validated format
 * (k8s.io/kube-openapi/pkg/validation/validate/type.go). Such stored objects must remain readable here.
 */
function isListForFormat(schema: StructuralSchema, value: unknown): boolean {
  return Array.isArray(value) && schema.type === "string" && schemaFormats.has(schema.format ?? "");
}

function typeError(path: string, expected: string, value: unknown): FieldError {
  const found = JSON.stringify(typeName(value));
  const message = `Invalid value: ${found}: ${path} in body must be of type ${expected}: ${found}`;
  return { reason: "FieldValueTypeInvalid", field: path, message, expected };
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

/**
 * Reports whether a value is an integer that fits 64 bits. Larger ones are floats
 * (k8s.io/apimachinery/pkg/util/json/json.go).
 */
function isInteger(value: unknown): boolean {
  if (typeof value === "bigint") return true;
  return typeof value === "number" && Number.isInteger(value) && Math.abs(value) < 2 ** 63;
}
