import { deepEqual, isJsonObject } from "../json/index.ts";
import type { JsonValue } from "../json/index.ts";
import { schemaFormats } from "../format/index.ts";
import { childPath } from "./field-error.ts";
import type { FieldError } from "./field-error.ts";
import { compilePattern } from "./pattern.ts";
import type { ValueRules } from "./structural.ts";

const CONSTRAINTS: readonly (keyof ValueRules)[] = [
  "required",
  "format",
  "enum",
  "minimum",
  "maximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "pattern",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
  "anyOf",
  "oneOf",
  "allOf",
  "not",
];

const constrained = new WeakMap<ValueRules, boolean>();

/** Reports whether there are constraints on a value, not counting its children. Most schemas only have types. */
export function isConstrained(rules: ValueRules): boolean {
  const known = constrained.get(rules) ?? CONSTRAINTS.some((name) => rules[name] !== undefined);
  constrained.set(rules, known);
  return known;
}

/** Returns the errors of the constraints on a value, without children and alternatives. */
export function constraintErrors(rules: ValueRules, value: unknown, path: string): readonly FieldError[] {
  const errors = enumErrors(rules, value, path);
  if (typeof value === "string") return [...errors, ...stringErrors(rules, value, path)];
  if (typeof value === "number" || typeof value === "bigint") return [...errors, ...numberErrors(rules, value, path)];
  if (Array.isArray(value)) return [...errors, ...countErrors(rules, value.length, path)];
  if (isJsonObject(value)) return [...errors, ...objectErrors(rules, value, path)];
  return errors;
}

/** Returns the errors of `anyOf`, `oneOf`, `allOf` and `not`. */
export function alternativeErrors(rules: ValueRules, value: unknown, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const refuse = (why: string): number =>
    errors.push(invalidValue(path, formatInvalidValue(value), `${JSON.stringify(path)} ${why}`));
  if (rules.anyOf !== undefined && !rules.anyOf.some((each) => meetsConstraints(each, value))) {
    refuse("must validate at least one schema (anyOf)");
    errors.push(...firstErrors(rules.anyOf, value, path));
  }
  const valid = rules.oneOf?.filter((each) => meetsConstraints(each, value)).length;
  if (valid === 0) {
    refuse("must validate one and only one schema (oneOf). Found none valid");
    errors.push(...firstErrors(rules.oneOf ?? [], value, path));
  }
  if (valid !== undefined && valid > 1)
    refuse(`must validate one and only one schema (oneOf). Found ${valid} valid alternatives`);
  if (rules.allOf?.every((each) => meetsConstraints(each, value)) === false)
    refuse("must validate all the schemas (allOf)");
  if (rules.not !== undefined && meetsConstraints(rules.not, value)) refuse("must not validate the schema (not)");
  return errors;
}

/** Returns the errors of the first alternative, as a hint. */
function firstErrors(alternatives: readonly ValueRules[], value: unknown, path: string): readonly FieldError[] {
  const [first] = alternatives;
  return first === undefined ? [] : constraintErrors(first, value, path);
}

/** Reports whether a value meets constraints, at all depths. */
export function meetsConstraints(rules: ValueRules, value: unknown): boolean {
  if (constraintErrors(rules, value, "").length > 0 || alternativeErrors(rules, value, "").length > 0) return false;
  if (Array.isArray(value)) {
    const { items } = rules;
    return items === undefined || value.every((item) => meetsConstraints(items, item));
  }
  if (!isJsonObject(value)) return true;
  return Object.entries(rules.properties ?? {}).every(
    ([name, child]) => !Object.hasOwn(value, name) || meetsConstraints(child, value[name]),
  );
}

function objectErrors(
  rules: ValueRules,
  value: Readonly<Record<string, unknown>>,
  path: string,
): readonly FieldError[] {
  const present = Object.keys(value).filter((name) => value[name] !== undefined);
  const missing: FieldError[] = (rules.required ?? [])
    .filter((name) => !Object.hasOwn(value, name) || value[name] === undefined)
    .map((name) => ({ reason: "FieldValueRequired", field: childPath(path, name), message: "Required value" }));
  const { minProperties, maxProperties } = rules;
  const errors = [...missing];
  if (minProperties !== undefined && present.length < minProperties) {
    errors.push(
      invalidValue(path, formatInvalidValue(value), `${path} in body should have at least ${minProperties} properties`),
    );
  }
  if (maxProperties !== undefined && present.length > maxProperties)
    errors.push(tooMany(path, present.length, maxProperties));
  return errors;
}

function countErrors(rules: ValueRules, length: number, path: string): readonly FieldError[] {
  const { minItems, maxItems } = rules;
  if (minItems !== undefined && length < minItems) {
    return [invalidValue(path, String(length), `${path} in body should have at least ${minItems} items`)];
  }
  return maxItems !== undefined && length > maxItems ? [tooMany(path, length, maxItems)] : [];
}

function tooMany(path: string, count: number, max: number): FieldError {
  return { reason: "FieldValueTooMany", field: path, message: `Too many: ${count}: must have at most ${max} items` };
}

function stringErrors(rules: ValueRules, value: string, path: string): readonly FieldError[] {
  const { minLength, maxLength, pattern, format } = rules;
  const isMeasured = minLength !== undefined || maxLength !== undefined;
  const length = isMeasured ? Array.from(value).length : 0; // characters, not UTF-16 code units
  const refusal = (why: string): FieldError => invalidValue(path, JSON.stringify(value), `${path} in body ${why}`);
  // Of these the server names the first only; a format is looked at besides.
  const textError = (): FieldError | undefined => {
    if (maxLength !== undefined && length > maxLength) {
      const message = `Too long: may not be more than ${maxLength} bytes`;
      return { reason: "FieldValueTooLong", field: path, message };
    }
    if (minLength !== undefined && length < minLength) return refusal(`should be at least ${minLength} chars long`);
    const compiled = pattern === undefined ? undefined : compilePattern(pattern);
    return compiled?.kind === "compiled" && !compiled.matches(value) ? refusal(`should match '${pattern}'`) : undefined;
  };
  const isFormatted = format === undefined || schemaFormats.get(format)?.(value) !== false;
  const formatError: FieldError | undefined = isFormatted
    ? undefined
    : {
        ...refusal(`must be of type ${format}: ${JSON.stringify(value)}`),
        reason: "FieldValueTypeInvalid",
        expected: format,
      };
  return [textError(), formatError].filter((error) => error !== undefined);
}

const INT_RANGE: ReadonlyMap<string, readonly [bigint, bigint]> = new Map([
  ["int32", [-(2n ** 31n), 2n ** 31n - 1n]],
  ["int64", [-(2n ** 63n), 2n ** 63n - 1n]],
]);

function numberErrors(rules: ValueRules, value: number | bigint, path: string): readonly FieldError[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, format } = rules;
  const errors: FieldError[] = [];
  const refusal = (why: string): FieldError => invalidValue(path, value.toString(), `${path} in body ${why}`);
  const refuse = (why: string): number => errors.push(refusal(why));
  if (minimum !== undefined && (exclusiveMinimum === true ? value <= minimum : value < minimum)) {
    refuse(`should be greater than ${exclusiveMinimum === true ? "" : "or equal to "}${minimum}`);
  }
  if (maximum !== undefined && (exclusiveMaximum === true ? value >= maximum : value > maximum)) {
    refuse(`should be less than ${exclusiveMaximum === true ? "" : "or equal to "}${maximum}`);
  }
  if (multipleOf !== undefined && !isMultiple(value, multipleOf)) refuse(`should be a multiple of ${multipleOf}`);
  const range = INT_RANGE.get(format ?? "");
  if (format !== undefined && range !== undefined && (value < range[0] || value > range[1])) {
    errors.push({ ...refusal(`must be of type ${format}: "${value}"`), expected: format });
  }
  return errors;
}

function isMultiple(value: number | bigint, of: number): boolean {
  if (typeof value === "bigint" && Number.isInteger(of)) return value % BigInt(of) === 0n;
  return Number.isInteger(Number(value) / of);
}

function enumErrors(rules: ValueRules, value: unknown, path: string): readonly FieldError[] {
  if (rules.enum === undefined || rules.enum.some((allowed) => deepEqual(allowed, value))) return [];
  return [enumError(rules.enum, value, path)];
}

/** A value that is none of those that may be. */
export function enumError(values: readonly JsonValue[], value: unknown, path: string): FieldError {
  const supported = values.map((allowed) => formatInvalidValue(allowed)).join(", ");
  const message = `Unsupported value: ${formatInvalidValue(value)}: supported values: ${supported}`;
  return { reason: "FieldValueNotSupported", field: path, message };
}

/** A field whose value breaks a rule. */
export function invalidValue(path: string, value: string, why: string): FieldError {
  return { reason: "FieldValueInvalid", field: path, message: `Invalid value: ${value}: ${why}` };
}

/** A value as an error shows it: scalars as they are, structure by its type alone. */
export function formatInvalidValue(value: unknown): string {
  if (typeof value === "bigint") return value.toString();
  if (Array.isArray(value)) return '"array"';
  if (isJsonObject(value)) return '"object"';
  return JSON.stringify(value) ?? '"undefined"';
}
