import { checkRules, coerceEmbedded, compileRules, deepEqual } from "@levelset/core/internal";
import { isJsonObject } from "@levelset/core";
import { pruneUnknownFields, validate } from "@levelset/core/schema";
import type { FieldError, StructuralSchema } from "@levelset/core/schema";
import {
  toStructuralSchema,
  forbiddenField,
  invalidField,
  requiredField,
  unsupportedField,
  asArray,
  asRecord,
} from "../../../resource/index.ts";
import { schemaAt } from "./json-path.ts";
import { keywordErrors } from "./schema.ts";
import type { RawSchema } from "./schema.ts";
import { structuralErrors } from "./structural.ts";

type Errors = Generator<FieldError, void>;

/**
 * Limit of the estimated total cost of all rules of a version: `StaticEstimatedCRDCostLimit` in
 * `k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go` (Kubernetes 1.36).
 */
const TOTAL_COST_MAX = 100_000_000;
/** Number of the most expensive rules listed in the error. */
const EXPENSIVE_SHOWN = 4;
const REASONS = ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];

/** Keywords allowed at the root of a schema with status subresource. */
const ROOT_KEYWORDS: readonly (readonly [string, string])[] = [
  ["description", "Description"],
  ["type", "Type"],
  ["format", "Format"],
  ["title", "Title"],
  ["maximum", "Maximum"],
  ["exclusiveMaximum", "ExclusiveMaximum"],
  ["minimum", "Minimum"],
  ["exclusiveMinimum", "ExclusiveMinimum"],
  ["maxLength", "MaxLength"],
  ["minLength", "MinLength"],
  ["pattern", "Pattern"],
  ["maxItems", "MaxItems"],
  ["minItems", "MinItems"],
  ["uniqueItems", "UniqueItems"],
  ["multipleOf", "MultipleOf"],
  ["required", "Required"],
  ["items", "Items"],
  ["properties", "Properties"],
  ["externalDocs", "ExternalDocs"],
  ["example", "Example"],
  ["x-kubernetes-preserve-unknown-fields", "XPreserveUnknownFields"],
  ["x-kubernetes-validations", "XValidations"],
];

/**
 * Validates the schema of a version. `isKnown`: the schema is already stored, so the cost of its rules is not limited.
 */
export function* schemaErrors(path: string, schema: RawSchema, hasStatus: boolean, isKnown: boolean): Errors {
  if (hasStatus) yield* rootErrors(path, schema);
  if (schema["nullable"] === true) yield forbiddenField(`${path}.nullable`, "nullable cannot be true at the root");
  const wrong = structuralErrors(path, schema);
  const defaults = wrong.length > 0 ? [] : [...defaultErrors(path, toStructuralSchema(schema), true)];
  yield* wrong;
  yield* defaults;
  const keywords = [...keywordErrors(path, schema), ...ruleKeywordErrors(path, schema)];
  yield* keywords;
  if (wrong.length + defaults.length + keywords.length === 0)
    yield* ruleErrors(path, toStructuralSchema(schema), isKnown);
}

function* rootErrors(path: string, schema: RawSchema): Errors {
  const { type = "" } = schema;
  if (type !== "" && type !== "object") {
    const why = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    yield invalidField(`${path}.type`, type, why);
    return;
  }
  const known = ROOT_KEYWORDS.map(([keyword]) => keyword);
  const other = Object.entries(schema).find(
    ([name, value]) => value !== false && value !== "" && !known.includes(name),
  );
  if (other === undefined) return;
  const names = ROOT_KEYWORDS.map(([, name]) => name).join(" ");
  const why = `only [${names}] fields are allowed at the root of the schema if the status subresource is enabled`;
  yield invalidField(path, schema, why);
}

/** Validates defaults against the schema. They must not contain fields that pruning removes. */
function* defaultErrors(path: string, schema: StructuralSchema, isRoot: boolean): Errors {
  if (schema.default !== undefined && !isRoot) yield* oneDefaultErrors(`${path}.default`, schema, schema.default);
  if (schema.items !== undefined) yield* defaultErrors(`${path}.items`, schema.items, false);
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    yield* defaultErrors(`${path}.properties[${name}]`, child, false);
  }
}

function* oneDefaultErrors(path: string, schema: StructuralSchema, value: unknown): Errors {
  if (!deepEqual(pruneUnknownFields(schema, value).value, value))
    yield invalidField(path, value, "must not have unknown fields");
  const coerced = coerceEmbedded(schema, value);
  // Field paths in errors are relative to the default.
  const errors = coerced.kind === "unreadable" ? [coerced.error] : validate(schema, value);
  for (const { field, ...error } of errors) yield { ...error, field: field === "" ? path : `${path}.${field}` };
  const { rules } = compileRules(schema);
  if (errors.length === 0 && rules !== undefined) yield* checkRules(rules, value, undefined, path);
}

/** Validates the keywords of rules other than the expression. */
function* ruleKeywordErrors(path: string, schema: RawSchema): Errors {
  for (const [name, child] of Object.entries(asRecord(schema["properties"]))) {
    yield* ruleKeywordErrors(`${path}.properties[${name}]`, asRecord(child));
  }
  for (const name of ["additionalProperties", "items"]) {
    const child = schema[name];
    if (isJsonObject(child)) yield* ruleKeywordErrors(`${path}.${name}`, child);
  }
  for (const [index, given] of asArray(schema["x-kubernetes-validations"]).entries()) {
    yield* ruleTextErrors(`${path}.x-kubernetes-validations[${index}]`, asRecord(given), schema);
  }
}

function* ruleTextErrors(path: string, given: RawSchema, schema: RawSchema): Errors {
  const { rule = "", message = "", messageExpression = "", fieldPath = "" } = given as Readonly<Record<string, string>>;
  const hasBreaks = (text: string): boolean => /[\n\r]/u.test(text);
  if (rule.trim() === "") yield requiredField(`${path}.rule`, "rule is not specified");
  else if (message !== "" && message.trim() === "") {
    yield invalidField(`${path}.message`, message, "must be non-empty if specified");
  } else if (hasBreaks(message.trim())) {
    yield invalidField(`${path}.message`, message, "must not contain line breaks");
  } else if (hasBreaks(rule.trim()) && message.trim() === "") {
    yield requiredField(`${path}.message`, "message must be specified if rule contains line breaks");
  }
  if (messageExpression !== "" && messageExpression.trim() === "") {
    yield requiredField(`${path}.messageExpression`, "messageExpression must be non-empty if specified");
  }
  const { reason } = given;
  if (reason !== undefined && !REASONS.some((known) => known === reason)) {
    yield unsupportedField(`${path}.reason`, reason, REASONS);
  }
  const at = `${path}.fieldPath`;
  if (fieldPath !== "" && fieldPath.trim() === "") yield invalidField(at, fieldPath, "must be non-empty if specified");
  if (hasBreaks(fieldPath)) yield invalidField(at, fieldPath, "must not contain line breaks");
  if (fieldPath !== "" && schemaAt(toStructuralSchema(schema), fieldPath, "allowed").kind === "wrong") {
    yield invalidField(at, fieldPath, "must be a valid path");
  }
}

/** Compiles the rules and checks the estimated cost. */
function* ruleErrors(path: string, schema: StructuralSchema, isKnown: boolean): Errors {
  const { issues, costs } = compileRules(schema, true);
  for (const { kind, schemaPath, message } of issues) {
    if (kind === "invalid") {
      const why = `Invalid value: compilation failed: ${message}`;
      yield { reason: "FieldValueInvalid", field: `${path}.${schemaPath}`, message: why };
    } else if (!isKnown) yield forbiddenField(`${path}.${schemaPath}`, message);
  }
  yield* optionalOldErrors(path, schema);
  const total = costs.reduce((sum, { max }) => sum + max, 0);
  if (total <= TOTAL_COST_MAX) return;
  const expensive = costs.filter(({ max }) => max >= TOTAL_COST_MAX / 100).toSorted((a, b) => b.max - a.max);
  for (const { schemaPath } of expensive.slice(0, EXPENSIVE_SHOWN)) {
    const why = "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema";
    yield forbiddenField(`${path}.${schemaPath}`, why);
  }
  const why =
    "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget " +
    `${budgetFactor(total)} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, ` +
    "maps, and strings are declared)";
  yield forbiddenField(path, why);
}

function budgetFactor(cost: number): string {
  const factor = cost / TOTAL_COST_MAX;
  if (factor > 100) return "by factor of more than 100x";
  return `by factor of ${factor < 1.5 ? factor.toFixed(6) : factor.toFixed(1)}x`;
}

function* optionalOldErrors(path: string, schema: StructuralSchema): Errors {
  for (const [index, { rule, optionalOldSelf }] of (schema["x-kubernetes-validations"] ?? []).entries()) {
    if (optionalOldSelf === undefined || /\boldSelf\b/u.test(rule)) continue;
    const field = `${path}.x-kubernetes-validations[${index}].optionalOldSelf`;
    yield invalidField(field, optionalOldSelf, "may not be set if oldSelf is not used in rule");
  }
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    yield* optionalOldErrors(`${path}.properties[${name}]`, child);
  }
  if (schema.items !== undefined) yield* optionalOldErrors(`${path}.items`, schema.items);
  if (schema.additionalProperties !== undefined) {
    yield* optionalOldErrors(`${path}.additionalProperties`, schema.additionalProperties);
  }
}
