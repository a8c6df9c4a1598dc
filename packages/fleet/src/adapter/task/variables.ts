import { isJsonObject } from "@levelset/core";
import type { JsonValue } from "@levelset/core";

const NAMED = /\benv\.([A-Za-z_][A-Za-z0-9_]*)/gu;

/** The environment variables that a configuration names anywhere, as `env.NAME`: those it may see. */
export function variablesIn(content: JsonValue): readonly string[] {
  return [...new Set(textsIn(content).flatMap((text) => [...text.matchAll(NAMED)].map(([, name = ""]) => name)))];
}

function textsIn(value: JsonValue): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap((item: JsonValue) => textsIn(item));
  return isJsonObject(value) ? Object.values(value).flatMap((item) => textsIn(item)) : [];
}
