import { CORE_SCHEMA, load, mergeTag } from "js-yaml";
import type { JsonValue } from "@levelset/core";

const SCHEMA = CORE_SCHEMA.withTags(mergeTag);

/** The one document of a YAML text, as JSON data: dates are texts, `<<` merges. Throws when it is not YAML. */
export function parseYaml(text: string): JsonValue {
  // The schema yields nothing that JSON does not have.
  return (load(text, { schema: SCHEMA }) ?? null) as JsonValue;
}
