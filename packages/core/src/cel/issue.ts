/** A problem with an expression or its evaluation, with its location. */
export interface CelIssue {
  readonly message: string;
  /** Offset in UTF-16 units, from 0; -1 if there is no location. */
  readonly offset: number;
  /** Line, from 1. */
  readonly line: number;
  /** Column in characters, from 1. */
  readonly column: number;
  /** The message with its location and an excerpt, in the format of cel-go. */
  readonly text: string;
}

/** Maximum length of a line in an excerpt. */
const EXCERPT_MAX = 200;

/** An issue at an offset of a text. */
export function issueAt(source: string, message: string, offset: number): CelIssue {
  if (offset < 0) return { message, offset, line: 1, column: 1, text: `ERROR: <input>: ${message}` };
  const at = Math.min(offset, source.length);
  const start = at === 0 ? 0 : source.lastIndexOf("\n", at - 1) + 1;
  const newline = source.indexOf("\n", start);
  const line = source.slice(0, start).split("\n").length;
  const before = Array.from(source.slice(start, at)).length;
  const whole = Array.from(source.slice(start, newline === -1 ? source.length : newline));
  const cut = Math.max(0, before - EXCERPT_MAX / 2);
  const excerpt = whole
    .slice(cut, cut + EXCERPT_MAX)
    .join("")
    .replaceAll("\t", " ");
  const head = `ERROR: <input>:${line}:${before + 1}: ${message}`;
  return {
    message,
    offset: at,
    line,
    column: before + 1,
    text: `${head}\n | ${excerpt}\n | ${".".repeat(before - cut)}^`,
  };
}
