import type { Cursor } from "./cursor.ts";
import { JsonPathError } from "./error.ts";
import type { PathStep } from "./path.ts";

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["\\", "\\"],
  ["'", "'"],
  ['"', '"'],
]);

/** Reads the text of a string literal with its quotes, single or double. */
export function quotedText(cursor: Cursor): string {
  const start = cursor.position;
  let text = "";
  for (const { char, escaped } of quotedChars(cursor)) {
    const literal = escaped ? ESCAPES.get(char) : char;
    if (literal === undefined) throw new JsonPathError(`unknown escape '\\${char}' in a string`, start);
    text += literal;
  }
  return text;
}

/** Reads a key in quotes. A backslash makes the next character part of the key, and keeps a dot from dividing it. */
export function quotedKey(cursor: Cursor): PathStep {
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
  while (!cursor.eat(quote)) {
    if (cursor.peek() === "") throw new JsonPathError("unterminated string", start);
    const escaped = cursor.eat("\\");
    yield { char: cursor.take(), escaped };
  }
}
