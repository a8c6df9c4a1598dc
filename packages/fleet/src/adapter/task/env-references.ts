import { isJsonObject } from "@levelset/core";
import type { JsonValue } from "@levelset/core";

const NAMED = /\benv\.([A-Za-z_][A-Za-z0-9_]*)/gu;

/** Returns the environment variables that a configuration references as `env.NAME`. Only these are visible to it. */
export function envReferences(content: JsonValue): readonly string[] {
  return [...new Set(textsIn(content).flatMap((text) => [...text.matchAll(NAMED)].map(([, name = ""]) => name)))];
}

function textsIn(value: JsonValue): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap((item: JsonValue) => textsIn(item));
  return isJsonObject(value) ? Object.values(value).flatMap((item) => textsIn(item)) : [];
}
