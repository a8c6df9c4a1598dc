import { isJsonObject } from "@levelset/core";
import type { JsonValue } from "@levelset/core";

/** Width of a line of generated code. */
const WIDTH = 110;
const IDENTIFIER = /^[a-z_$][\w$]*$/iu;

/** Formats data as a TypeScript expression. `indent` is the indentation of the line that it begins in. */
export function formatLiteral(value: JsonValue, indent: string): string {
  const line = inline(value);
  if (indent.length + line.length <= WIDTH) return line;
  const deeper = `${indent}  `;
  if (Array.isArray(value)) {
    const items = value.map((item: JsonValue) => `${deeper}${formatLiteral(item, deeper)},\n`);
    return `[\n${items.join("")}${indent}]`;
  }
  if (!isJsonObject(value)) return line;
  const fields = entriesOf(value).map(([name, field]) => `${deeper}${keyOf(name)}: ${formatLiteral(field, deeper)},\n`);
  return `{\n${fields.join("")}${indent}}`;
}

function inline(value: JsonValue): string {
  if (typeof value === "number") return grouped(String(value));
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "string") return formatString(value);
  if (Array.isArray(value)) return `[${value.map((item: JsonValue) => inline(item)).join(", ")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const fields = entriesOf(value).map(([name, field]) => `${keyOf(name)}: ${inline(field)}`);
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}

/** Groups the digits of long numbers: `60_000`. */
function grouped(digits: string): string {
  return /^-?\d{5,}$/u.test(digits) ? digits.replaceAll(/(?<=\d)(?=(?:\d{3})+$)/gu, "_") : digits;
}

function entriesOf(value: Readonly<Record<string, JsonValue | undefined>>): readonly (readonly [string, JsonValue])[] {
  return Object.entries(value).flatMap(([name, field]) => (field === undefined ? [] : [[name, field] as const]));
}

/** A plain `__proto__` would set the prototype. */
function keyOf(name: string): string {
  if (name === "__proto__") return '["__proto__"]';
  return IDENTIFIER.test(name) ? name : formatString(name);
}

/** Formats a string. Characters that an editor does not show are escaped. */
export function formatString(text: string): string {
  return JSON.stringify(text).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, (char) => {
    return `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
  });
}
