import {
  boolYaml11Tag,
  CORE_SCHEMA,
  defineScalarTag,
  dump,
  DUMP_SCHEMA,
  intCoreTag,
  loadAll,
  mergeTag,
  NOT_RESOLVED,
  nullYaml11Tag,
} from "js-yaml";

/** Integers of any size: what a double cannot hold exactly is a bigint, as everywhere else in levelset. */
const exactInteger = defineScalarTag<number | bigint>(intCoreTag.tagName, {
  ...intCoreTag,
  resolve: (source, isExplicit, tagName) => {
    const value = intCoreTag.resolve(source, isExplicit, tagName);
    if (value === NOT_RESOLVED || Number.isSafeInteger(value) || !/^[-+]?\d+$/u.test(source)) return value;
    return BigInt(source.replace(/^\+/u, ""));
  },
  identify: (value: unknown) => typeof value === "bigint" || Number.isInteger(value),
  represent: (value: number | bigint) => value.toString(),
});

/** Manifests are read as kubectl reads them: `yes` and `on` are booleans, dates are texts, `<<` merges. */
const MANIFEST_SCHEMA = CORE_SCHEMA.withTags(boolYaml11Tag, nullYaml11Tag, mergeTag, exactInteger);

/** The documents of a YAML text, as JSON data. Throws when it is not YAML. */
export function parseYaml(text: string): readonly unknown[] {
  return loadAll(text, { schema: MANIFEST_SCHEMA });
}

/** Documents as YAML that every reader understands alike: what could be mistaken for something else is quoted. */
export function formatYaml(documents: readonly unknown[]): string {
  const options = { schema: DUMP_SCHEMA.withTags(exactInteger), noRefs: true, lineWidth: -1 };
  return documents.map((document) => dump(document, options)).join("---\n");
}
