import { JsonError } from "./error.ts";

/** How many arrays and objects may lie inside each other. Deeper text is an attack on whoever walks it recursively. */
export const JSON_DEPTH_MAX = 1_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Throws a `JsonError` when `text` nests deeper than `JSON_DEPTH_MAX`; says nothing else about the text. */
export function checkDepth(text: string): void {
  if (text.length <= JSON_DEPTH_MAX) return;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === OPEN_OBJECT || code === OPEN_ARRAY) depth += 1;
    else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) depth -= 1;
    if (depth > JSON_DEPTH_MAX) throw new JsonError(`nested more than ${JSON_DEPTH_MAX} levels deep`, text, at);
  }
}

/** The offset of the quote that ends the string begun at `start`, or of the end of an unterminated one. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === BACKSLASH) before -= 1;
  return (at - before) % 2 === 0;
}
