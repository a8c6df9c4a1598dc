import { canonicalJson, isJsonObject } from "../json/index.ts";
import type { JsonValue } from "../json/index.ts";

// How the real server's messages show values: the words of the language it is written in.

/** The type of a value. */
export function goType(value: JsonValue): string {
  if (value === null) return "<nil>";
  if (Array.isArray(value)) return "[]interface {}";
  if (typeof value === "object") return "map[string]interface {}";
  if (typeof value === "boolean") return "bool";
  return typeof value === "string" ? "string" : "float64";
}

/** A value as it would be written in a program. */
export function goSyntax(value: JsonValue): string {
  if (value === null) return "interface {}(nil)";
  if (Array.isArray(value)) return `[]interface {}{${value.map((item: JsonValue) => goSyntax(item)).join(", ")}}`;
  if (!isJsonObject(value)) return canonicalJson(value);
  const members = sorted(value).map(([name, child]) => `${JSON.stringify(name)}:${goSyntax(child)}`);
  return `map[string]interface {}{${members.join(", ")}}`;
}

/** A value as it would be printed. */
export function goText(value: JsonValue): string {
  if (value === null) return "<nil>";
  if (Array.isArray(value)) return `[${value.map((item: JsonValue) => goText(item)).join(" ")}]`;
  if (!isJsonObject(value)) return typeof value === "string" ? value : canonicalJson(value);
  const members = sorted(value).map(([name, child]) => `${name}:${goText(child)}`);
  return `map[${members.join(" ")}]`;
}

function sorted(value: Readonly<Record<string, JsonValue>>): [string, JsonValue][] {
  return Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
}
