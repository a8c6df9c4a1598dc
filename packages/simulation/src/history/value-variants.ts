import { isJsonObject } from "@levelset/core";
import type { JsonValue, Random } from "@levelset/core";
import { sampleValue } from "@levelset/core/testing";
import { validate } from "@levelset/core/schema";
import type { StructuralSchema } from "@levelset/core/schema";
import type { SchemaSite } from "./schema-site.ts";

/** Fields whose value is a number of simulated things. Large values are legal, and too slow to simulate. */
const COUNT_NAME = /replicas|count|instances|parallel|completions|workers|nodes|shards|members|size/iu;
const COUNT_MAX = 5;

/** Returns valid values that resemble the current one of a field, or the next ones that its schema allows. */
export function similarValues(site: SchemaSite, random: Random): readonly JsonValue[] {
  const { schema, value } = site;
  const sampled = sampleOf(schema, random);
  return allowed(site, [...variantsOf(site, sampled), ...(sampled === undefined ? [] : [sampled])]).filter(
    (candidate) => candidate !== value,
  );
}

/** Returns the valid values at the bounds of a field: the least, the greatest, the empty one. */
export function boundaryValues(site: SchemaSite): readonly JsonValue[] {
  const { schema } = site;
  const { minimum, maximum, minLength, maxLength, minItems = 0 } = schema;
  const numbers = [minimum, maximum, 0, 1].filter((number) => number !== undefined);
  const texts = ["", "a".repeat(minLength ?? 1), "a".repeat(Math.min(maxLength ?? 63, 253)), "0", "-", "a b", "Ä"];
  const lists = [[], Array.from({ length: minItems }, () => sampleFixed(schema.items ?? {}))];
  return allowed(site, [...numbers, ...texts, ...lists, {}, true, false, ...(schema.enum ?? [])]);
}

function allowed(site: SchemaSite, candidates: readonly JsonValue[]): readonly JsonValue[] {
  const isCount = COUNT_NAME.test(site.name) && site.schema.type === "integer";
  return candidates.filter((candidate) => {
    if (isCount && typeof candidate === "number" && candidate > Math.max(COUNT_MAX, Number(site.value ?? 0)))
      return false;
    return validate(site.schema, candidate).length === 0;
  });
}

function variantsOf({ schema, value, name }: SchemaSite, sampled: JsonValue | undefined): readonly JsonValue[] {
  if (schema.enum !== undefined) return schema.enum;
  if (typeof value === "boolean" || schema.type === "boolean") return [true, false];
  if (typeof value === "number") return [value + 1, value - 1, value * 2, Math.floor(value / 2), 0, 1, 2, 3];
  if (typeof value === "string") return [...textVariants(value, name), ...textVariants(value, name)];
  if (Array.isArray(value)) return listVariants(value, schema);
  if (isJsonObject(value) && schema.additionalProperties !== undefined) return mapVariants(value, schema);
  return sampled === undefined ? [] : [sampled];
}

function textVariants(value: string, name: string): readonly string[] {
  const tagged = /^(?<image>[^\s:]+(?::\d+\/[^\s:]+)?):(?<tag>[\w.-]+)$/u.exec(value)?.groups;
  const images = tagged === undefined ? [] : [`${tagged["image"]}:2`, `${tagged["image"]}:does-not-exist`];
  const image = /image/iu.test(name) && tagged === undefined ? [`${value}:2`, `${value}:does-not-exist`] : [];
  const quantities = /^\d+(?:\.\d+)?(?:m|[KMGT]i?)?$/u.test(value)
    ? ["1000m", "2000m", "0.5", "1024Mi", "2", "1Gi"]
    : [];
  return [...images, ...image, ...quantities, `${value}-2`, `${value}x`, "b", "default", "next", value.toUpperCase()];
}

function listVariants(value: readonly JsonValue[], schema: StructuralSchema): readonly JsonValue[] {
  const extra = sampleFixed(schema.items ?? {});
  return [value.slice(1), value.slice(0, -1), value.toReversed(), [...value, extra], [extra, ...value.slice(1)], []];
}

function mapVariants(value: Readonly<Record<string, JsonValue>>, schema: StructuralSchema): readonly JsonValue[] {
  const [first] = Object.keys(value);
  const extra = sampleFixed(schema.additionalProperties ?? {});
  const without = Object.fromEntries(Object.entries(value).filter(([key]) => key !== first));
  return [without, { ...value, extra }, { ...without, extra }, {}];
}

function sampleOf(schema: StructuralSchema, random: Random): JsonValue | undefined {
  try {
    return sampleValue(schema, random);
  } catch {
    // A field whose schema has no sample keeps its value.
    return undefined;
  }
}

function sampleFixed(schema: StructuralSchema): JsonValue {
  return sampleOf(schema, { next: () => 0.5 }) ?? null;
}
