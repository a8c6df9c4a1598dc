import { defineScalarTag, dump, DUMP_SCHEMA, intCoreTag } from "js-yaml";
import type { JsonValue } from "@levelset/core";

/** Integers beyond 2^53 are bigints. */
const exactInteger = defineScalarTag<number | bigint>(intCoreTag.tagName, {
  ...intCoreTag,
  identify: (value: unknown) => typeof value === "bigint" || Number.isInteger(value),
  represent: (value: number | bigint) => value.toString(),
});

/** Encodes a value as YAML with sorted keys, like sigs.k8s.io/yaml. */
export function stringifyYaml(value: JsonValue): string {
  return dump(value, { schema: DUMP_SCHEMA.withTags(exactInteger), sortKeys: true, noRefs: true, lineWidth: -1 });
}
