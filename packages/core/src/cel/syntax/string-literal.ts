import { CelSyntaxError } from "./syntax-error.ts";

const SIMPLE: ReadonlyMap<string, string> = new Map([
  ["a", "\u0007"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
  ["\\", "\\"],
  ["?", "?"],
  ['"', '"'],
  ["'", "'"],
  ["`", "`"],
]);

const ENCODER = new TextEncoder();

/** An escape: a character, or the number of a code point or byte. */
interface Escape {
  readonly code: number;
  readonly length: number;
  readonly isByte: boolean;
}

/** Decodes the text between quotes. `at` is its offset, for messages. */
export function unescapeString(text: string, at: number): string {
  let result = "";
  for (let index = 0; index < text.length;) {
    if (text.charAt(index) !== "\\") {
      const next = text.indexOf("\\", index);
      const end = next === -1 ? text.length : next;
      result += text.slice(index, end);
      index = end;
      continue;
    }
    const { code, length } = readEscape(text, index, at);
    if (code > 0x10_ff_ff || (code >= 0xd8_00 && code <= 0xdf_ff)) {
      throw new CelSyntaxError("invalid unicode code point in escape sequence", at + index);
    }
    result += String.fromCodePoint(code);
    index += length;
  }
  return result;
}

/** Decodes the bytes between quotes: text as UTF-8, escapes as single bytes. */
export function unescapeBytes(text: string, at: number): Uint8Array {
  const bytes: number[] = [];
  for (let index = 0; index < text.length;) {
    if (text.charAt(index) !== "\\") {
      const next = text.indexOf("\\", index);
      const end = next === -1 ? text.length : next;
      for (const byte of ENCODER.encode(text.slice(index, end))) bytes.push(byte);
      index = end;
      continue;
    }
    const { code, length, isByte } = readEscape(text, index, at);
    if (!isByte) throw new CelSyntaxError("\\u and \\U are not allowed in bytes", at + index);
    bytes.push(code);
    index += length;
  }
  return Uint8Array.from(bytes);
}

function readEscape(text: string, index: number, at: number): Escape {
  const sign = text.charAt(index + 1);
  const simple = SIMPLE.get(sign);
  if (simple !== undefined) return { code: simple.charCodeAt(0), length: 2, isByte: true };
  const rest = text.slice(index + 1, index + 10);
  const hex = /^(?:[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/.exec(rest);
  const digits = hex?.[1] ?? hex?.[2] ?? hex?.[3];
  if (hex !== null && digits !== undefined) {
    return { code: Number.parseInt(digits, 16), length: hex[0].length + 1, isByte: hex[1] !== undefined };
  }
  const octal = /^[0-3][0-7]{2}/.exec(rest);
  if (octal !== null) return { code: Number.parseInt(octal[0], 8), length: 4, isByte: true };
  throw new CelSyntaxError("invalid escape sequence", at + index);
}
