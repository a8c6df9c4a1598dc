/**
 * Locates JSON syntax errors. The messages of `JSON.parse` quote the document and sometimes have no position, so this
 * slower scanner runs after it failed. Each `scan…` takes the offset of a part and returns the offset after it.
 */
import { JsonError } from "./json-error.ts";

/** Throws a `JsonError` at the first position where `text` is not JSON, or has a number that overflows a double. */
export function checkSyntax(text: string): void {
  const end = skipBlank(text, scanValue(text, 0));
  if (end < text.length) throw new JsonError("expected the end of the text", text, end);
}

const BLANK = " \t\r\n";

function skipBlank(text: string, start: number): number {
  let at = start;
  while (at < text.length && BLANK.includes(text.charAt(at))) at += 1;
  return at;
}

function scanValue(text: string, start: number): number {
  const at = skipBlank(text, start);
  switch (text.charAt(at)) {
    case "{":
      return scanObject(text, at);
    case "[":
      return scanArray(text, at);
    case '"':
      return scanString(text, at);
    default:
      return scanScalar(text, at);
  }
}

function scanObject(text: string, start: number): number {
  let at = skipBlank(text, start + 1);
  if (text.charAt(at) === "}") return at + 1;
  for (;;) {
    at = skipBlank(text, at);
    if (text.charAt(at) !== '"') throw new JsonError("expected a property name in double quotes", text, at);
    at = skipBlank(text, scanString(text, at));
    if (text.charAt(at) !== ":") throw new JsonError("expected ':' after the property name", text, at);
    at = skipBlank(text, scanValue(text, at + 1));
    if (text.charAt(at) === "}") return at + 1;
    if (text.charAt(at) !== ",") throw new JsonError("expected ',' or '}' after the property value", text, at);
    at += 1;
  }
}

function scanArray(text: string, start: number): number {
  let at = skipBlank(text, start + 1);
  if (text.charAt(at) === "]") return at + 1;
  for (;;) {
    at = skipBlank(text, scanValue(text, at));
    if (text.charAt(at) === "]") return at + 1;
    if (text.charAt(at) !== ",") throw new JsonError("expected ',' or ']' after the array element", text, at);
    at += 1;
  }
}

function scanString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === '"') return at + 1;
    if (char < " ") throw new JsonError("control character in a string", text, at);
    at = char === "\\" ? scanEscape(text, at) : at + 1;
  }
  throw new JsonError("unterminated string", text, start);
}

const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const WORD = /true|false|null/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

function scanEscape(text: string, start: number): number {
  const end = endOfMatch(ESCAPE, text, start);
  if (end === undefined) throw new JsonError("invalid escape in a string", text, start);
  return end;
}

function scanScalar(text: string, start: number): number {
  if (start >= text.length) throw new JsonError("unexpected end of the text", text, start);
  const word = endOfMatch(WORD, text, start);
  if (word !== undefined) return word;
  const end = endOfMatch(NUMBER, text, start);
  if (end === undefined) throw new JsonError("expected a value", text, start);
  if (!Number.isFinite(Number(text.slice(start, end)))) throw new JsonError("number too large", text, start);
  return end;
}

function endOfMatch(sticky: RegExp, text: string, start: number): number | undefined {
  sticky.lastIndex = start;
  return sticky.test(text) ? sticky.lastIndex : undefined;
}
