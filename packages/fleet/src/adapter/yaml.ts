import { CORE_SCHEMA, load, mergeTag } from "js-yaml";
import type { JsonValue } from "@levelset/core";

const SCHEMA = CORE_SCHEMA.withTags(mergeTag);

/**
 * Parses a single-document YAML text as JSON data: dates stay strings, `<<` merges. Throws if the text is not valid
 * YAML.
 */
export function parseYaml(text: string): JsonValue {
  // The schema only yields JSON values.
  return (load(text, { schema: SCHEMA }) ?? null) as JsonValue;
}
