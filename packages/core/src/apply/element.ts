import { canonicalJson, compareTexts, isJsonObject, parseJson } from "../json/index.ts";
import type { JsonObject, JsonValue } from "../json/index.ts";

/**
 * One step of a path into an object, in the notation of managedFields: `f:name` for a field, `k:{"name":"x"}` for the item of a
 * list with these keys, `v:"x"` for this item of a set, `i:0` for a place in a list. Equal steps are equal texts.
 */
export type PathElement = string;

/** A path into an object, from its root. */
export type FieldPath = readonly PathElement[];

const KINDS = "fkvi";

/** A step to a field. */
export function fieldElement(name: string): PathElement {
  return `f:${name}`;
}

/** A step to the item of a list that has these keys. */
export function keyElement(keys: JsonObject): PathElement {
  return `k:${elementJson(keys)}`;
}

/** A step to an item of a set. */
export function valueElement(value: JsonValue): PathElement {
  return `v:${elementJson(value)}`;
}

/** The name of the field that a step leads to; undefined for steps into lists. */
export function fieldNameOf(element: PathElement): string | undefined {
  return element.startsWith("f:") ? element.slice(2) : undefined;
}

/** Whether a step leads to an item of a list with keys. */
export function isKeyElement(element: PathElement): boolean {
  return element.startsWith("k:");
}

/**
 * A step as managedFields of a request have it, in the form that ours have. Undefined for a notation that is not known, which readers
 * pass over. Throws a `SyntaxError` for a broken one.
 */
export function readElement(text: string): PathElement | undefined {
  if (text.length < 2 || text[1] !== ":") throw new SyntaxError(`${JSON.stringify(text)} is no step of a path`);
  const content = text.slice(2);
  switch (text[0]) {
    case "f":
      return text;
    case "v":
      return valueElement(readJson(content));
    case "k": {
      const keys = readJson(content);
      if (!isJsonObject(keys)) throw new SyntaxError(`${JSON.stringify(text)} has no keys`);
      return keyElement(keys);
    }
    case "i":
      if (!/^-?\d+$/u.test(content)) throw new SyntaxError(`${JSON.stringify(text)} has no index`);
      return text;
    default:
      return undefined;
  }
}

function readJson(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch {
    throw new SyntaxError(`${JSON.stringify(text)} is no JSON`);
  }
}

/** The real server escapes these inside of the texts of steps, and texts are compared. */
const ESCAPED = /[<>&\u2028\u2029]/gu;

function elementJson(value: JsonValue): string {
  return canonicalJson(value).replaceAll(ESCAPED, (found) => {
    return `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** A step for people: `.name`, `[name="x"]`, `[="x"]`, `[0]`. */
function describeElement(element: PathElement): string {
  const content = element.slice(2);
  switch (element[0]) {
    case "f":
      return `.${content}`;
    case "v":
      return `[=${describeValue(parseJson(content))}]`;
    case "k": {
      const keys = Object.entries(keysOf(element));
      return `[${keys.map(([name, value]) => `${name}=${describeValue(value)}`).join(",")}]`;
    }
    default:
      return `[${content}]`;
  }
}

function describeValue(value: JsonValue): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item: JsonValue) => describeValue(item)).join(",")}]`;
  if (isJsonObject(value))
    return Object.entries(value)
      .map(([name, item]) => `${name}=${describeValue(item)}`)
      .join("");
  return canonicalJson(value);
}

/** A path for people: `.spec.containers[name="app"].image`. */
export function describePath(path: FieldPath): string {
  return path.map(describeElement).join("");
}

function keysOf(element: PathElement): JsonObject {
  // `keyElement` makes these texts.
  return parseJson(element.slice(2)) as JsonObject;
}

/** The order of steps: fields first, then items by their keys, values and places. */
export function compareElements(a: PathElement, b: PathElement): number {
  if (a === b) return 0;
  const kinds = KINDS.indexOf(a.charAt(0)) - KINDS.indexOf(b.charAt(0));
  if (kinds !== 0) return kinds;
  if (a.startsWith("f:")) return a < b ? -1 : 1;
  if (a.startsWith("i:")) return Number(a.slice(2)) - Number(b.slice(2));
  if (a.startsWith("v:")) return compareValues(parseJson(a.slice(2)), parseJson(b.slice(2)));
  return compareKeys(Object.entries(keysOf(a)), Object.entries(keysOf(b)));
}

function compareKeys(a: readonly [string, JsonValue][], b: readonly [string, JsonValue][]): number {
  for (const [index, [name, value]] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    if (name !== other[0]) return name < other[0] ? -1 : 1;
    const values = compareValues(value, other[1]);
    if (values !== 0) return values;
  }
  return a.length - b.length;
}

const TYPE_ORDER = ["number", "string", "boolean", "object"];

function compareValues(a: JsonValue, b: JsonValue): number {
  const [left, right] = [a, b].map((value) => (typeof value === "bigint" ? "number" : typeof value));
  const types = TYPE_ORDER.indexOf(left ?? "") - TYPE_ORDER.indexOf(right ?? "");
  if (types !== 0) return types;
  if (typeof a === "object" || typeof b === "object") return compareTexts(canonicalJson(a), canonicalJson(b));
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
