import type { Cursor } from "./cursor.ts";
import { JsonPathError } from "./json-path-error.ts";
import type { PathStep } from "./path.ts";

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["\\", "\\"],
  ["'", "'"],
  ['"', '"'],
]);

/** Parses a string literal with single or double quotes. */
export function parseQuotedString(cursor: Cursor): string {
  const start = cursor.position;
  let text = "";
  for (const { char, escaped } of quotedChars(cursor)) {
    const literal = escaped ? ESCAPES.get(char) : char;
    if (literal === undefined) throw new JsonPathError(`unknown escape '\\${char}' in a string`, start);
    text += literal;
  }
  return text;
}

/** Parses a quoted key. A backslash escapes the next character, so that a dot does not split the key. */
export function parseQuotedKey(cursor: Cursor): PathStep {
  const parts = [""];
  let name = "";
  for (const { char, escaped } of quotedChars(cursor)) {
    name += char;
    if (char === "." && !escaped) parts.push("");
    else parts.push((parts.pop() ?? "") + char);
  }
  return parts.length === 1 ? { kind: "field", name } : { kind: "key", name, parts };
}

interface QuotedChar {
  readonly char: string;
  readonly escaped: boolean;
}

function* quotedChars(cursor: Cursor): Generator<QuotedChar, void> {
  const start = cursor.position;
  const quote = cursor.take();
  while (!cursor.consume(quote)) {
    if (cursor.peek() === "") throw new JsonPathError("unterminated string", start);
    const escaped = cursor.consume("\\");
    yield { char: cursor.take(), escaped };
  }
}
