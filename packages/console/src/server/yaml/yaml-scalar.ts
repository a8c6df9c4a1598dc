import type { JsonValue } from "@levelset/core";

/** Strings that need no quotes in YAML, unless they are one of the keywords. */
const PLAIN = /^[A-Za-z_/][\w./ @+%-]*$/u;
const KEYWORDS = /^(?:true|false|yes|no|on|off|y|n|null|nan|inf|infinity)$/iu;

/** Formats a scalar, or an empty map or list, as YAML on one line. */
export function yamlScalar(value: JsonValue | undefined): string {
  if (typeof value !== "string") return scalar(value);
  return PLAIN.test(value) && !KEYWORDS.test(value) && !value.endsWith(" ") ? value : quoted(value);
}

/** Formats the key of a map entry. */
export function yamlKey(name: string): string {
  return yamlScalar(name);
}

/** Formats a multi-line string as a block scalar; returns undefined if a block scalar cannot represent it. */
export function yamlBlock(value: string): readonly string[] | undefined {
  if (!value.includes("\n") || /[^\n\t\P{Cc}]|[\p{Cf}\p{Zl}\p{Zp}]/u.test(value) || /^\s/u.test(value))
    return undefined;
  if (value.endsWith("\n\n")) return undefined;
  const isClosed = value.endsWith("\n");
  return [isClosed ? "|" : "|-", ...(isClosed ? value.slice(0, -1) : value).split("\n")];
}

function scalar(value: unknown): string {
  if (typeof value === "bigint" || typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return "[]";
  return value === null || value === undefined ? "null" : "{}";
}

/** Formats a double-quoted scalar, which has the syntax of JSON strings. Invisible characters are escaped. */
function quoted(value: string): string {
  return JSON.stringify(value).replaceAll(/[\p{Cf}\p{Zl}\p{Zp}\u007f-\u009f]/gu, escaped);
}

function escaped(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
}
