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

/** Integers of any size: those that a double cannot represent exactly are bigints, as in all levelset packages. */
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

/**
 * YAML schema of manifests, as in kubectl (sigs.k8s.io/yaml): `yes` and `on` are booleans, dates are strings, `<<`
 * merges.
 */
const MANIFEST_SCHEMA = CORE_SCHEMA.withTags(boolYaml11Tag, nullYaml11Tag, mergeTag, exactInteger);

/** Parses the documents of a YAML text to JSON data. Throws if it is not YAML. */
export function parseYamlDocuments(text: string): readonly unknown[] {
  return loadAll(text, { schema: MANIFEST_SCHEMA });
}

/** Formats documents as YAML; ambiguous scalars are quoted. */
export function formatYaml(documents: readonly unknown[]): string {
  const options = { schema: DUMP_SCHEMA.withTags(exactInteger), noRefs: true, lineWidth: -1 };
  return documents.map((document) => dump(document, options)).join("---\n");
}
