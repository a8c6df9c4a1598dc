import { isJsonObject } from "@levelset/core";

type Node = Readonly<Record<string, unknown>>;

/** Keywords that do not affect validity. */
const ANNOTATIONS = new Set([
  "title",
  "description",
  "default",
  "example",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
  "components",
  "$schema",
  "$comment",
]);

const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  "date-time": (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/u.test(text),
  uuid: (text) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u.test(text),
  uri: (text) => URL.canParse(text),
  "uri-reference": (text) => URL.canParse(text, "http://host"),
};

/** Number formats are ranges. */
const INT32_MAX = 2 ** 31 - 1;

/**
 * Validates data against the schemas of one OpenAPI 3.1 document, independently of the API's own validation. A
 * property that a schema with `properties` does not name is a problem unless `additionalProperties` allows it. Unknown
 * keywords are problems too, so that no constraint is ignored.
 */
export class SchemaChecker {
  readonly #document: unknown;

  constructor(document: unknown) {
    this.#document = document;
  }

  /** Returns the problems of a value. */
  problems(schema: unknown, value: unknown, path = "$"): readonly string[] {
    if (schema === true) return [];
    if (!isJsonObject(schema)) return [`${path}: missing schema`];
    return Object.entries(schema).flatMap(([keyword, rule]) => this.#keyword(keyword, rule, schema, value, path));
  }

  /** Resolves a reference. */
  resolve(reference: string): unknown {
    const steps = reference.replace(/^#\//u, "").split("/");
    return steps.reduce<unknown>((node, step) => {
      const key = decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
      return isJsonObject(node) && Object.hasOwn(node, key) ? node[key] : undefined;
    }, this.#document);
  }

  #keyword(keyword: string, rule: unknown, schema: Node, value: unknown, path: string): readonly string[] {
    if (ANNOTATIONS.has(keyword) || keyword.startsWith("x-")) return [];
    switch (keyword) {
      case "$ref":
        return this.problems(this.resolve(String(rule)), value, path);
      case "allOf":
        return listOf(rule).flatMap((each) => this.problems(each, value, path));
      case "anyOf":
        return this.#matching(rule, value) > 0 ? [] : [`${path}: matches none of anyOf`];
      case "oneOf":
        return this.#matching(rule, value) === 1 ? [] : [`${path}: matches ${this.#matching(rule, value)} of oneOf`];
      case "not":
        return this.problems(rule, value, path).length > 0 ? [] : [`${path}: matches the schema in not`];
      case "properties":
        return this.#members(schema, value, path);
      case "additionalProperties":
        return this.#more(schema, value, path);
      case "propertyNames":
        return keysOf(value).flatMap((key) => this.problems(rule, key, `${path}.${key}`));
      case "items":
        return listOf(value).flatMap((item, index) => this.problems(rule, item, `${path}[${index}]`));
      default:
        return scalarProblem(keyword, rule, value).map((problem) => `${path}: ${problem}`);
    }
  }

  #matching(rule: unknown, value: unknown): number {
    return listOf(rule).filter((each) => this.problems(each, value).length === 0).length;
  }

  #members(schema: Node, value: unknown, path: string): readonly string[] {
    const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {};
    if (!isJsonObject(value)) return [];
    const wrong = Object.entries(properties).flatMap(([key, each]) =>
      Object.hasOwn(value, key) ? this.problems(each, value[key], `${path}.${key}`) : [],
    );
    const surplus = schema["additionalProperties"] === undefined ? unnamed(schema, value) : [];
    return [...wrong, ...surplus.map((key) => `${path}: the schema does not name ${key}`)];
  }

  #more(schema: Node, value: unknown, path: string): readonly string[] {
    const rule = schema["additionalProperties"];
    if (!isJsonObject(value) || rule === true) return [];
    return unnamed(schema, value).flatMap((key) =>
      rule === false ? [`${path}: ${key} is not allowed`] : this.problems(rule, value[key], `${path}.${key}`),
    );
  }
}

function unnamed(schema: Node, value: Node): readonly string[] {
  const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  return Object.keys(value).filter((key) => !Object.hasOwn(properties, key));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function keysOf(value: unknown): readonly string[] {
  return isJsonObject(value) ? Object.keys(value) : [];
}

/** Returns the problem found by a keyword without subschemas; keywords for other types are ignored. */
function scalarProblem(keyword: string, rule: unknown, value: unknown): readonly string[] {
  const limit = Number(rule);
  const text = typeof value === "string" ? value : undefined;
  const number = typeof value === "number" ? value : undefined;
  const items = Array.isArray(value) ? value.length : undefined;
  const isWrong = (actual: number | undefined, isBad: (actual: number) => boolean): readonly string[] =>
    actual !== undefined && isBad(actual) ? [`${actual} violates ${keyword} ${limit}`] : [];
  switch (keyword) {
    case "type":
      return listOf(typeof rule === "string" ? [rule] : rule).some((type) => isOfType(value, type))
        ? []
        : [`is not a ${String(rule)}`];
    case "enum":
      return listOf(rule).some((each) => same(each, value)) ? [] : [`${JSON.stringify(value)} is not in the enum`];
    case "const":
      return same(rule, value) ? [] : [`is not ${JSON.stringify(rule)}`];
    case "required":
      if (!isJsonObject(value)) return [];
      return listOf(rule).flatMap((key) => (Object.hasOwn(value, String(key)) ? [] : [`${String(key)} is missing`]));
    case "minLength":
      return isWrong(text === undefined ? undefined : Array.from(text).length, (length) => length < limit);
    case "maxLength":
      return isWrong(text === undefined ? undefined : Array.from(text).length, (length) => length > limit);
    case "pattern":
      return text === undefined || new RegExp(String(rule), "u").test(text)
        ? []
        : [`${text} does not match ${String(rule)}`];
    case "format":
      return formatProblem(String(rule), value);
    case "minimum":
      return isWrong(number, (actual) => actual < limit);
    case "maximum":
      return isWrong(number, (actual) => actual > limit);
    case "minItems":
      return isWrong(items, (length) => length < limit);
    case "maxItems":
      return isWrong(items, (length) => length > limit);
    case "minProperties":
      return isWrong(isJsonObject(value) ? keysOf(value).length : undefined, (count) => count < limit);
    case "maxProperties":
      return isWrong(isJsonObject(value) ? keysOf(value).length : undefined, (count) => count > limit);
    default:
      return [`unknown keyword ${keyword}`];
  }
}

function formatProblem(format: string, value: unknown): readonly string[] {
  if (format === "int32" || format === "int64") {
    const isOutside = typeof value === "number" && format === "int32" && Math.abs(value) > INT32_MAX;
    return isOutside ? [`${value} has more than 32 bits`] : [];
  }
  const check = FORMATS[format];
  if (check === undefined) return [`unknown format ${format}`];
  return typeof value !== "string" || check(value) ? [] : [`${value} is not a ${format}`];
}

function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case "object":
      return isJsonObject(value);
    case "array":
      return Array.isArray(value);
    case "integer":
      return Number.isInteger(value);
    case "null":
      return value === null;
    default:
      return typeof value === type;
  }
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
