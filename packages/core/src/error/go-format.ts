import { canonicalJson, isJsonObject } from "../json/index.ts";
import type { JsonValue } from "../json/index.ts";

// The messages of kube-apiserver print values with the format verbs of Go's package fmt.

/** Formats the type of a value as Go's `%T`. */
export function formatGoType(value: JsonValue): string {
  if (value === null) return "<nil>";
  if (Array.isArray(value)) return "[]interface {}";
  if (typeof value === "object") return "map[string]interface {}";
  if (typeof value === "boolean") return "bool";
  return typeof value === "string" ? "string" : "float64";
}

/** Formats a value as Go's `%#v`. */
export function formatGoSyntax(value: JsonValue): string {
  if (value === null) return "interface {}(nil)";
  if (Array.isArray(value)) return `[]interface {}{${value.map((item: JsonValue) => formatGoSyntax(item)).join(", ")}}`;
  if (!isJsonObject(value)) return canonicalJson(value);
  const members = sorted(value).map(([name, child]) => `${JSON.stringify(name)}:${formatGoSyntax(child)}`);
  return `map[string]interface {}{${members.join(", ")}}`;
}

/** Formats a value as Go's `%v`. */
export function formatGoValue(value: JsonValue): string {
  if (value === null) return "<nil>";
  if (Array.isArray(value)) return `[${value.map((item: JsonValue) => formatGoValue(item)).join(" ")}]`;
  if (!isJsonObject(value)) return typeof value === "string" ? value : canonicalJson(value);
  const members = sorted(value).map(([name, child]) => `${name}:${formatGoValue(child)}`);
  return `map[${members.join(" ")}]`;
}

function sorted(value: Readonly<Record<string, JsonValue>>): [string, JsonValue][] {
  return Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
}
