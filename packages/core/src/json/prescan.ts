import { JsonError } from "./json-error.ts";

/** Maximum nesting depth of arrays and objects. Deeper documents could overflow the stack of recursive code. */
export const JSON_DEPTH_MAX = 1_000;

/** A shorter integer is exact as a double. */
const RISKY_LENGTH = 16;

const QUOTE = 0x22;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
/** Bit that makes an ASCII letter lower case. */
const SMALL = 0x20;
const EXPONENT = 0x65;

/**
 * Scans a JSON text before parsing, in one pass that skips strings. Returns whether it may contain a number that a
 * double cannot represent: a long one, or one with an exponent. Throws a `JsonError` if it is nested deeper than
 * `JSON_DEPTH_MAX`. The text need not be valid JSON.
 */
export function hasUnsafeNumbers(text: string): boolean {
  let depth = 0;
  let isRisky = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      depth += 1;
      if (depth > JSON_DEPTH_MAX) throw new JsonError(`nested more than ${JSON_DEPTH_MAX} levels deep`, text, at);
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) depth -= 1;
    else if (isDigit(code)) {
      const end = endOfNumber(text, at);
      isRisky ||= end - at >= RISKY_LENGTH || (text.charCodeAt(end) | SMALL) === EXPONENT;
      at = end - 1;
    }
  }
  return isRisky;
}

/** Returns the offset of the closing quote of the string that begins at `start`, or of the end of the text. */
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

/** Returns the offset after the digits and points that begin at `start`, or that of the exponent. */
function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  while (isDigit(text.charCodeAt(end)) || text.charCodeAt(end) === POINT) end += 1;
  return end;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}
