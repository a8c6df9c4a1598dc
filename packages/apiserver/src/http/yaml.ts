import { defineScalarTag, dump, DUMP_SCHEMA, intCoreTag } from "js-yaml";
import type { JsonValue } from "@levelset/core";

/** Integers that a double cannot hold are bigints, here as everywhere. */
const exactInteger = defineScalarTag<number | bigint>(intCoreTag.tagName, {
  ...intCoreTag,
  identify: (value: unknown) => typeof value === "bigint" || Number.isInteger(value),
  represent: (value: number | bigint) => value.toString(),
});

/** Data as YAML, with sorted keys as the real server writes them. */
export function writeYaml(value: JsonValue): string {
  return dump(value, { schema: DUMP_SCHEMA.withTags(exactInteger), sortKeys: true, noRefs: true, lineWidth: -1 });
}
