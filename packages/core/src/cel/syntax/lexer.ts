import { unescapeBytes, unescapeString } from "./string-literal.ts";
import { CelSyntaxError } from "./syntax-error.ts";
import type { CelToken } from "./token.ts";

const BLANK = /(?:[ \t\r\n\f]+|\/\/[^\n]*)+/y;
const NUMBER = /0x[0-9a-fA-F]+[uU]?|(?:\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?)|\d+[uU]?/y;
const STRING = /(?<bytes>[bB]?)(?<raw>[rR]?)(?<quote>"""|'''|"|')/y;
const QUOTED = /`[A-Za-z0-9_.\-/ ]+`/y;
const SIGN = /==|!=|<=|>=|&&|\|\||[-+*/%<>!?:.,()[\]{}]/y;

/** Tokenizes an expression; the last token has kind `end`. Throws a `CelSyntaxError`. */
export function tokenize(text: string): readonly CelToken[] {
  const tokens: CelToken[] = [];
  let at = skipBlank(text, 0);
  while (at < text.length) {
    const token = readToken(text, at);
    tokens.push(token);
    at = skipBlank(text, at + token.text.length);
  }
  tokens.push({ kind: "end", at: text.length, text: "" });
  return tokens;
}

function skipBlank(text: string, at: number): number {
  const next = text.charCodeAt(at);
  if (next > 0x20 && next !== 0x2f) return at; // neither white space nor a slash, and so no comment
  return at + (match(BLANK, text, at)?.[0].length ?? 0);
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function readToken(text: string, at: number): CelToken {
  const first = text.charCodeAt(at);
  if (isQuote(first) || isPrefix(first)) {
    const string = match(STRING, text, at);
    if (string !== null) return readString(text, at, string);
  }
  if (isDeadLetter(first)) {
    let end = at + 1;
    while (isDeadLetter(text.charCodeAt(end)) || isDigit(text.charCodeAt(end))) end += 1;
    return { kind: "name", at, text: text.slice(at, end) };
  }
  const number = isDigit(first) || first === DOT ? match(NUMBER, text, at) : null;
  if (number !== null) return { kind: "number", at, text: number[0] };
  const sign = match(SIGN, text, at);
  if (sign !== null) return { kind: "sign", at, text: sign[0] };
  const quoted = match(QUOTED, text, at);
  if (quoted !== null) return { kind: "quoted", at, text: quoted[0] };
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  throw new CelSyntaxError(`token recognition error at: '${character}'`, at);
}

const DOT = 0x2e;

function isQuote(code: number): boolean {
  return code === 0x22 || code === 0x27;
}

/** Reports whether a letter is a string prefix: b, B, r, R. */
function isPrefix(code: number): boolean {
  return code === 0x62 || code === 0x42 || code === 0x72 || code === 0x52;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isDeadLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f;
}

function readString(text: string, at: number, opening: RegExpExecArray): CelToken {
  const { bytes = "", raw = "", quote = "" } = opening.groups ?? {};
  const start = at + opening[0].length;
  const end = stringEnd(text, start, quote, raw !== "");
  if (end === undefined) throw new CelSyntaxError("unterminated string literal", at);
  const body = text.slice(start, end).replaceAll(/\r\n?/g, "\n");
  const source = text.slice(at, end + quote.length);
  if (bytes !== "") {
    const value = raw === "" ? unescapeBytes(body, start) : new TextEncoder().encode(body);
    return { kind: "literal", at, text: source, value };
  }
  return { kind: "literal", at, text: source, value: raw === "" ? unescapeString(body, start) : body };
}

/** Returns the offset of the closing quote. Strings with single quotes cannot span lines. */
function stringEnd(text: string, start: number, quote: string, isRaw: boolean): number | undefined {
  for (let index = start; index < text.length; index += 1) {
    if (text.startsWith(quote, index)) return index;
    const character = text.charAt(index);
    if (quote.length === 1 && (character === "\n" || character === "\r")) return undefined;
    if (character === "\\" && !isRaw) index += 1;
  }
  return undefined;
}
