import { TemplateError } from "./template-error.ts";
import type { TemplateSegment, TemplateToken, TokenKind } from "./template-token.ts";
import { unquote } from "./unquote.ts";

const SPACE = /^[ \t\r\n]+/u;
const COMMENT = /^(?:-[ \t\r\n]+)?\/\*/u;

/** Splits a template into text and actions. Throws a TemplateError. */
export function splitTemplate(template: string): readonly TemplateSegment[] {
  const found: TemplateSegment[] = [];
  let at = 0;
  let isTrimmed = false;
  for (;;) {
    const open = template.indexOf("{{", at);
    const text = template.slice(at, open === -1 ? undefined : open);
    const trimsBefore = open !== -1 && /^-[ \t\r\n]/u.test(template.slice(open + 2, open + 4));
    const content = trimmed(text, isTrimmed, trimsBefore);
    if (content !== "") found.push({ kind: "text", text: content });
    if (open === -1) return found;
    const action = readAction(template, open, trimsBefore ? open + 3 : open + 2);
    if (action.tokens !== undefined)
      found.push({ kind: "action", tokens: action.tokens, line: lineAt(template, open) });
    ({ end: at, trimsAfter: isTrimmed } = action);
  }
}

function trimmed(text: string, atStart: boolean, atEnd: boolean): string {
  const started = atStart ? text.replace(/^[ \t\r\n]+/u, "") : text;
  return atEnd ? started.replace(/[ \t\r\n]+$/u, "") : started;
}

interface Action {
  /** Undefined for a comment. */
  readonly tokens: readonly TemplateToken[] | undefined;
  readonly end: number;
  readonly trimsAfter: boolean;
}

function readAction(template: string, open: number, start: number): Action {
  if (COMMENT.test(template.slice(open + 2, open + 40))) return readComment(template, open);
  const tokens: TemplateToken[] = [];
  let at = start;
  for (;;) {
    const rest = template.slice(at);
    const space = SPACE.exec(rest)?.[0] ?? "";
    const after = rest.slice(space.length);
    const line = lineAt(template, at + space.length);
    const closing = space !== "" && after.startsWith("-}}") ? 3 : after.startsWith("}}") ? 2 : 0;
    if (closing > 0) return { tokens, end: at + space.length + closing, trimsAfter: closing === 3 };
    if (after === "") throw new TemplateError("unclosed action: }} is missing", lineAt(template, open));
    const { kind, text, length } = readToken(after, line);
    tokens.push({ kind, text, line, isSpaced: space !== "" || tokens.length === 0 });
    at += space.length + length;
  }
}

function readComment(template: string, open: number): Action {
  const end = template.indexOf("*/", open);
  const close = /^(?:[ \t\r\n]+-)?\}\}/u.exec(template.slice(end + 2));
  if (end === -1 || close === null) {
    throw new TemplateError("a comment ends with */}} or with */ -}}", lineAt(template, open));
  }
  return { tokens: undefined, end: end + 2 + close[0].length, trimsAfter: close[0].length > 2 };
}

interface Read {
  readonly kind: TokenKind;
  readonly text: string;
  readonly length: number;
}

const RULES: readonly (readonly [TokenKind, RegExp])[] = [
  ["field", /^\.[\p{L}_][\p{L}\p{Nd}_]*/u],
  [
    "number",
    /^[+-]?(?:0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|\d[\d_]*(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)/u,
  ],
  ["dot", /^\./u],
  ["variable", /^\$[\p{L}\p{Nd}_]*/u],
  ["name", /^[\p{L}_][\p{L}\p{Nd}_]*/u],
  ["string", /^"(?:[^"\\\n]|\\.)*"/u],
  ["string", /^`[^`]*`/u],
  ["char", /^'(?:[^'\\\n]|\\.[^']*)'/u],
  ["declare", /^:=/u],
  ["assign", /^=/u],
  ["pipe", /^\|/u],
  ["open", /^\(/u],
  ["close", /^\)/u],
  ["comma", /^,/u],
];

function readToken(text: string, line: number): Read {
  for (const [kind, rule] of RULES) {
    const found = rule.exec(text)?.[0];
    if (found !== undefined)
      return { kind, text: kind === "string" ? unquote(found, line) : found, length: found.length };
  }
  const [first = ""] = text;
  if (first === '"' || first === "`") throw new TemplateError("unterminated string", line);
  throw new TemplateError(`unexpected ${JSON.stringify(first)} in an action`, line);
}

function lineAt(template: string, at: number): number {
  return template.slice(0, at).split("\n").length;
}
