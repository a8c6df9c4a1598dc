import type { JsonValue } from "@levelset/core";

/** Texts that YAML takes for themselves: neither numbers nor words of its own, nor anything with a meaning. */
const PLAIN = /^[A-Za-z_/][\w./ @+%-]*$/u;
const WORDS = /^(?:true|false|yes|no|on|off|y|n|null|nan|inf|infinity)$/iu;

/** A value that holds no others, as YAML on one line. */
export function yamlScalar(value: JsonValue | undefined): string {
  if (typeof value !== "string") return scalar(value);
  return PLAIN.test(value) && !WORDS.test(value) && !value.endsWith(" ") ? value : quoted(value);
}

/** A name before a colon. */
export function yamlKey(name: string): string {
  return yamlScalar(name);
}

/** The lines of a text as a block; undefined where a block would not say the same. */
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

/** JSON's quotes are YAML's; what cannot be seen is escaped. */
function quoted(value: string): string {
  return JSON.stringify(value).replaceAll(/[\p{Cf}\p{Zl}\p{Zp}\u007f-\u009f]/gu, escaped);
}

function escaped(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
}
