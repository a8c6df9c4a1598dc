/**
 * Lossless JSON: what was read is what gets written, integers of any size included. The engine's own JSON does the
 * work; only documents with numbers it might round, and values with bigints, take a slower route through it.
 */
import { checkSyntax } from "./syntax.ts";
import { JsonError } from "./error.ts";
import { hasRiskyNumbers } from "./survey.ts";
import type { JsonValue } from "./value.ts";

const INTEGER = /^-?\d+$/;

/** Which integers are kept exactly: all of them, or those that Kubernetes can hold, with larger ones as doubles, as it reads them. */
export type ExactIntegers = "all" | "int64";

/**
 * Reads JSON. An integer literal outside ±(2^53 − 1) becomes a bigint, all else is as `JSON.parse` has it. Throws a
 * `JsonError` for a text that is not JSON, holds a number that overflows a double, or nests deeper than `JSON_DEPTH_MAX`.
 */
export function parseJson(text: string, exact: ExactIntegers = "all"): JsonValue {
  const isRisky = hasRiskyNumbers(text);
  try {
    return isRisky ? JSON.parse(text, exact === "all" ? exactIntegers : exactInt64s) : JSON.parse(text);
  } catch (error) {
    checkSyntax(text);
    if (!(error instanceof SyntaxError)) throw error;
    // The engine refuses what we accept; its own message may quote the document, so it must not leave here.
    throw new JsonError("the text is not JSON", text, 0);
  }
}

/** A reviver. TypeScript's library does not know its third argument yet: the source text of a primitive. */
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
 * Writes JSON as `JSON.stringify` does, and bigints as integer literals. `indent` is a number of spaces per level.
 * An integer that is large yet held as a number is written as JavaScript prints it, rounded to what tells it apart.
 * Throws a `TypeError` for a value that JSON cannot carry at all, such as undefined or a cycle.
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
    // A bigint, or a real mistake such as a cycle, which the second attempt reports again.
    if (error instanceof TypeError) return JSON.stringify(value, rawIntegers, indent);
    throw error;
  }
}

/** A replacer. TypeScript's library does not know `JSON.rawJSON` yet. */
function rawIntegers(_key: string, value: unknown): unknown {
  if (typeof value !== "bigint") return value;
  if ("rawJSON" in JSON && typeof JSON.rawJSON === "function") return JSON.rawJSON(String(value)) as unknown;
  throw new TypeError("this JavaScript engine cannot write large integers without loss");
}
