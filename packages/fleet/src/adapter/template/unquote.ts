import { TemplateError } from "./template-error.ts";

const SIMPLE: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
};

const ESCAPE = /\\(?:x(?<x>[0-9a-fA-F]{2})|u(?<u>[0-9a-fA-F]{4})|U(?<U>[0-9a-fA-F]{8})|(?<o>[0-7]{3})|(?<one>.))/gsu;

/**
 * Returns the value of a quoted string: Go's escapes between double or single quotes, none between backquotes. Throws
 * a TemplateError.
 */
export function unquote(quoted: string, line: number): string {
  const inner = quoted.slice(1, -1);
  if (quoted.startsWith("`")) return inner.replaceAll("\r", "");
  return inner.replace(ESCAPE, (...match) => {
    // The last argument of a replacer is the named groups.
    const groups = match.at(-1) as Readonly<Record<string, string | undefined>>;
    const code = groups["x"] ?? groups["u"] ?? groups["U"];
    if (code !== undefined) return fromCode(Number.parseInt(code, 16), line);
    if (groups["o"] !== undefined) return fromCode(Number.parseInt(groups["o"], 8), line);
    const simple = SIMPLE[groups["one"] ?? ""];
    if (simple === undefined) throw new TemplateError(`unknown escape \\${groups["one"] ?? ""} in a string`, line);
    return simple;
  });
}

function fromCode(code: number, line: number): string {
  if (code > 0x10_ff_ff) throw new TemplateError("an escape in a string is not a valid Unicode code point", line);
  return String.fromCodePoint(code);
}
