import { canonicalJson, compareCodeUnits, isJsonObject, parseJson } from "../json/index.ts";
import type { JsonObject, JsonValue } from "../json/index.ts";

/**
 * An element of a field path in the notation of managedFields: `f:name` for a field, `k:{"name":"x"}` for an item of a
 * keyed list, `v:"x"` for an item of a set, `i:0` for an index. Equal elements are equal strings.
 */
export type PathElement = string;

/** A path into an object, from its root. */
export type FieldPath = readonly PathElement[];

const KINDS = "fkvi";

/** Returns the path element of a field. */
export function fieldElement(name: string): PathElement {
  return `f:${name}`;
}

/** Returns the path element of an item with these keys. */
export function keyElement(keys: JsonObject): PathElement {
  return `k:${elementJson(keys)}`;
}

/** Returns the path element of an item of a set. */
export function valueElement(value: JsonValue): PathElement {
  return `v:${elementJson(value)}`;
}

/** Returns the field name of a path element; undefined for list elements. */
export function fieldNameOf(element: PathElement): string | undefined {
  return element.startsWith("f:") ? element.slice(2) : undefined;
}

/** Reports whether a path element is an item of a keyed list. */
export function isKeyElement(element: PathElement): boolean {
  return element.startsWith("k:");
}

/**
 * Parses a path element of a request into canonical form. Returns undefined for an unknown notation, which readers
 * ignore. Throws a `SyntaxError` if it is malformed.
 */
export function parseElement(text: string): PathElement | undefined {
  if (text.length < 2 || text[1] !== ":") throw new SyntaxError(`${JSON.stringify(text)} is not a path element`);
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
    throw new SyntaxError(`${JSON.stringify(text)} is not JSON`);
  }
}

/** Go's encoding/json escapes these characters, and elements are compared as strings. */
const ESCAPED = /[<>&\u2028\u2029]/u;

function elementJson(value: JsonValue): string {
  const text = canonicalJson(value);
  // Few elements have such characters, and a replacement takes longer than the rest.
  if (!ESCAPED.test(text)) return text;
  return text.replaceAll(new RegExp(ESCAPED, "gu"), (found) => {
    return `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** Formats a path element for people: `.name`, `[name="x"]`, `[="x"]`, `[0]`. */
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

/** Formats a path for people: `.spec.containers[name="app"].image`. */
export function formatFieldPath(path: FieldPath): string {
  return path.map(describeElement).join("");
}

function keysOf(element: PathElement): JsonObject {
  // Written by `keyElement`.
  return parseJson(element.slice(2)) as JsonObject;
}

/** Compares path elements: fields first, then items by keys, values and indexes. */
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
  if (typeof a === "object" || typeof b === "object") return compareCodeUnits(canonicalJson(a), canonicalJson(b));
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
