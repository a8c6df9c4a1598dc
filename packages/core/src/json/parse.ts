/**
 * Lossless JSON: integers of any size round-trip. Uses the JSON implementation of the engine; only documents with
 * numbers that it may round, and values with bigints, take a slower path.
 */
import { checkSyntax } from "./syntax.ts";
import { JsonError } from "./json-error.ts";
import { hasUnsafeNumbers } from "./prescan.ts";
import type { JsonValue } from "./value.ts";

const INTEGER = /^-?\d+$/;

/**
 * Integers that are parsed exactly: all, or those of 64 bits, with larger ones as doubles
 * (k8s.io/apimachinery/pkg/util/json/json.go).
 */
export type ExactIntegers = "all" | "int64";

/**
 * Parses JSON. An integer literal outside ±(2^53 − 1) becomes a bigint, other values are as from `JSON.parse`. Throws a
 * `JsonError` for invalid JSON, a number that overflows a double, or nesting deeper than `JSON_DEPTH_MAX`.
 */
export function parseJson(text: string, exact: ExactIntegers = "all"): JsonValue {
  const isRisky = hasUnsafeNumbers(text);
  try {
    return isRisky ? JSON.parse(text, exact === "all" ? exactIntegers : exactInt64s) : JSON.parse(text);
  } catch (error) {
    checkSyntax(text);
    if (!(error instanceof SyntaxError)) throw error;
    // The engine rejects a text that passes our check. Its message may quote the document, so it is not used.
    throw new JsonError("the text is not JSON", text, 0);
  }
}

/** A reviver with source text access. TypeScript's library does not declare the third argument yet. */
function exactIntegers(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  if (!Number.isFinite(value)) throw new RangeError("number too large"); // checkSyntax finds where
  const source = context?.source;
  if (source === undefined) throw new TypeError("this JavaScript engine cannot read large integers without loss");
  return INTEGER.test(source) ? BigInt(source) : value;
}

function exactInt64s(key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const read = exactIntegers(key, value, context);
  return typeof read === "bigint" && BigInt.asIntN(64, read) !== read ? value : read;
}

/**
 * Serializes JSON like `JSON.stringify`, with bigints as integer literals. `indent` is the number of spaces per level.
 * Large integers held as numbers are written as JavaScript prints them, possibly rounded. Throws a `TypeError` for a
 * value without a JSON form, such as undefined or a cycle.
 */
export function stringifyJson(value: unknown, indent?: number): string {
  const text = stringifyFast(value, indent);
  if (text === undefined) throw new TypeError(`cannot write a value of type ${typeof value} as JSON`);
  return text;
}

function stringifyFast(value: unknown, indent: number | undefined): string | undefined {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch (error) {
    // A bigint, or an error such as a cycle, which the second attempt throws again.
    if (error instanceof TypeError) return JSON.stringify(value, rawIntegers, indent);
    throw error;
  }
}

/** A replacer. TypeScript's library does not declare `JSON.rawJSON` yet. */
function rawIntegers(_key: string, value: unknown): unknown {
  if (typeof value !== "bigint") return value;
  if ("rawJSON" in JSON && typeof JSON.rawJSON === "function") return JSON.rawJSON(String(value)) as unknown;
  throw new TypeError("this JavaScript engine cannot write large integers without loss");
}
