import { isIpv4Text, isIpv6Text } from "./address-text.ts";

/** A position in the text. Every read function advances it, or leaves it unchanged and returns false. */
interface Cursor {
  readonly text: string;
  at: number;
}

const BLANKS = /[ \t]*/y;
/** Printing characters except the specials of RFC 5322, and all non-ASCII characters. */
const ATOM = /[!#-'*+\-./0-9=?A-Z^-~\u0080-\uffff]+/y;
const QUOTED = /"(?:[ \t!#-[\]-~\u0080-\uffff]|\\[ \t!-~\u0080-\uffff])*"/y;
const LITERAL = /\[[^\]]*\]/y;
/** An encoded word (RFC 2047) in a charset that Go does not support. */
const FOREIGN_WORD = /^=\?(?!(?:utf-8|iso-8859-1|us-ascii)\?)[^?]+\?[bq]\?[^?]*\?=$/i;
const ENCODED_WORD = /^=\?[^?]+\?[bq]\?[^?]*\?=$/i;

/** Reports whether the text is one address (RFC 5322) for Go's `mail.ParseAddress`: `a@b`, `A B <a@b>`, `g: a@b;`. */
export function isEmail(text: string): boolean {
  const cursor = { text, at: 0 };
  return readAddress(cursor, "group") === 1 && skipComments(cursor) && isAtEnd(cursor);
}

/** Returns the number of mailboxes in an address, or undefined if it is invalid. */
function readAddress(cursor: Cursor, mode: "group" | "mailbox"): number | undefined {
  skip(cursor, BLANKS);
  if (isAtEnd(cursor)) return undefined;
  if (readMailbox(cursor)) {
    skip(cursor, BLANKS);
    return peek(cursor) !== "(" || readNameComment(cursor) ? 1 : undefined;
  }
  if (peek(cursor) !== "<" && !readPhrase(cursor)) return undefined;
  skip(cursor, BLANKS);
  if (mode === "group" && consume(cursor, ":")) return readGroup(cursor);
  return consume(cursor, "<") && readMailbox(cursor) && consume(cursor, ">") ? 1 : undefined;
}

/** Reads the mailboxes of a group, after its colon. */
function readGroup(cursor: Cursor): number | undefined {
  skip(cursor, BLANKS);
  if (consume(cursor, ";")) return skipComments(cursor) ? 0 : undefined;
  for (let count = 1; ; count += 1) {
    if (readAddress(cursor, "mailbox") === undefined || !skipComments(cursor)) return undefined;
    if (consume(cursor, ";")) return skipComments(cursor) ? count : undefined;
    if (!consume(cursor, ",")) return undefined;
  }
}

/** Reads `local@domain`. Does not advance if it is invalid. */
function readMailbox(cursor: Cursor): boolean {
  const start = cursor.at;
  if (readLocalPart(cursor) && consume(cursor, "@") && readDomain(cursor)) return true;
  cursor.at = start;
  return false;
}

function readLocalPart(cursor: Cursor): boolean {
  skip(cursor, BLANKS);
  if (peek(cursor) !== '"') return readDotAtom(cursor);
  const quoted = skip(cursor, QUOTED);
  return quoted !== undefined && quoted !== '""';
}

function readDomain(cursor: Cursor): boolean {
  skip(cursor, BLANKS);
  if (peek(cursor) !== "[") return readDotAtom(cursor);
  const address = skip(cursor, LITERAL)?.slice(1, -1);
  return address !== undefined && (isIpv4Text(address, "strict") || isIpv6Text(address, "strict"));
}

function readDotAtom(cursor: Cursor): boolean {
  const atom = skip(cursor, ATOM);
  return atom !== undefined && !atom.startsWith(".") && !atom.endsWith(".") && !atom.includes("..");
}

/** Reads one or more words. */
function readPhrase(cursor: Cursor): boolean {
  let words = 0;
  let plainWords = 0;
  for (;;) {
    if (plainWords > 0 && !skipComments(cursor)) return false;
    skip(cursor, BLANKS);
    const word = skip(cursor, peek(cursor) === '"' ? QUOTED : ATOM);
    if (word === undefined || FOREIGN_WORD.test(word)) return words > 0 || isAtEnd(cursor);
    words += 1;
    if (!ENCODED_WORD.test(word)) plainWords += 1;
  }
}

/** Reads the comment after an address, which may contain a display name. */
function readNameComment(cursor: Cursor): boolean {
  const start = cursor.at;
  if (!consume(cursor, "(") || !readComment(cursor)) return false;
  const words = cursor.text.slice(start + 1, cursor.at - 1).split(/[ \t]/);
  return !words.some((word) => FOREIGN_WORD.test(word));
}

function skipComments(cursor: Cursor): boolean {
  skip(cursor, BLANKS);
  while (consume(cursor, "(")) {
    if (!readComment(cursor)) return false;
    skip(cursor, BLANKS);
  }
  return true;
}

/** Reads to the closing parenthesis. */
function readComment(cursor: Cursor): boolean {
  for (let depth = 1; depth > 0; cursor.at += 1) {
    if (isAtEnd(cursor)) return false;
    const character = peek(cursor);
    if (character === "\\" && cursor.at + 1 < cursor.text.length) cursor.at += 1;
    else if (character === "(") depth += 1;
    else if (character === ")") depth -= 1;
  }
  return true;
}

function isAtEnd(cursor: Cursor): boolean {
  return cursor.at >= cursor.text.length;
}

function peek(cursor: Cursor): string {
  return cursor.text.charAt(cursor.at);
}

function consume(cursor: Cursor, character: string): boolean {
  if (peek(cursor) !== character) return false;
  cursor.at += 1;
  return true;
}

/** Consumes and returns the match of a sticky expression. */
function skip(cursor: Cursor, sticky: RegExp): string | undefined {
  sticky.lastIndex = cursor.at;
  const match = sticky.exec(cursor.text)?.[0];
  if (match !== undefined) cursor.at += match.length;
  return match;
}
