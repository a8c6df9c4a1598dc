import { deepEqual, isJsonObject } from "../json/index.ts";
import type { JsonValue } from "../json/index.ts";
import { propertySchema } from "../schema/index.ts";
import type { StructuralSchema } from "../schema/index.ts";
import type { Random } from "../time/index.ts";
import { pick } from "./pick.ts";

/** The number of mutations tried before one that always works is used. */
const ATTEMPTS_MAX = 20;
/** Larger bounds are not exceeded: the value would be too large. */
const BOUND_MAX = 10_000;

/**
 * Returns the value with one random mutation at a random depth: another type, null, a missing or unknown field, a
 * number or length out of bounds, a duplicate, an empty value, an integer beyond the common types. The result always
 * differs from `value`, but may still be valid. The input is not changed.
 */
export function mutateValue(schema: StructuralSchema, value: JsonValue, random: Random): JsonValue {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const site = pick(
      random,
      sitesOf(schema, value, (changed) => changed),
    );
    const mutation = pick(random, MUTATIONS);
    if (site === undefined || mutation === undefined) continue;
    const changed = mutation(site, random);
    if (changed !== undefined && !deepEqual(changed, site.value)) return site.replace(changed);
  }
  return value === null ? "not null" : null;
}

/** A location in a value: its value, its schema, and a function that replaces it in the whole value. */
interface Site {
  readonly schema: StructuralSchema;
  readonly value: JsonValue;
  readonly replace: (changed: JsonValue) => JsonValue;
}

function sitesOf(schema: StructuralSchema, value: JsonValue, replace: Site["replace"]): readonly Site[] {
  const here: Site = { schema, value, replace };
  if (isList(value)) {
    const below = value.flatMap((item, index) =>
      sitesOf(schema.items ?? {}, item, (changed) => replace(value.with(index, changed))),
    );
    return [here, ...below];
  }
  if (!isJsonObject(value)) return [here];
  const below = Object.entries(value).flatMap(([name, child]) =>
    sitesOf(propertySchema(schema, name) ?? {}, child, (changed) =>
      replace(Object.fromEntries(Object.entries(value).map(([key, old]) => [key, key === name ? changed : old]))),
    ),
  );
  return [here, ...below];
}

/** Returns the replacement for a location, or undefined if the mutation does not apply. */
type Mutation = (site: Site, random: Random) => JsonValue | undefined;

const wrongType: Mutation = ({ value }, random) =>
  pick(
    random,
    ([true, 1, 1.5, "text", ["text"], { key: "text" }] as const).filter((other) => typeName(other) !== typeName(value)),
  );

const noValue: Mutation = () => null;

const missingField: Mutation = ({ value }, random) => {
  if (!isJsonObject(value)) return undefined;
  const dropped = pick(random, Object.keys(value));
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== dropped));
};

const unknownField: Mutation = ({ value }, random) => {
  if (!isJsonObject(value)) return undefined;
  const name = pick(random, ["unknownField", "__proto__", "constructor", "a.b", ""]) ?? "unknownField";
  const extra = pick<JsonValue>(random, [1, "text", { nested: true }, [null], null]) ?? 1;
  return Object.fromEntries([...Object.entries(value), [name, extra]]);
};

const emptied: Mutation = ({ value }) => {
  if (typeof value === "string") return "";
  if (isList(value)) return [];
  if (isJsonObject(value)) return {};
  return typeof value === "number" || typeof value === "bigint" ? 0 : undefined;
};

const outOfBounds: Mutation = ({ schema, value }, random) => {
  if (typeof value === "number" || typeof value === "bigint") return numberOutside(schema, random);
  if (typeof value === "string") return textOutside(schema, value, random);
  if (isList(value)) return listOutside(schema, value, random);
  return isJsonObject(value) ? mapOutside(schema, value) : undefined;
};

const oddInteger: Mutation = (_site, random) =>
  pick(random, [2 ** 31, -(2 ** 31) - 1, 2 ** 53, 2n ** 53n + 1n, 2n ** 63n - 1n, 2n ** 63n, -(2n ** 63n) - 1n, 1e300]);

const oddNumber: Mutation = ({ value }, random) =>
  typeof value === "number" ? pick(random, [value + 0.5, -value, value + 1, value - 1, 1e-9]) : undefined;

const oddText: Mutation = ({ value }, random) =>
  typeof value === "string"
    ? pick(random, [
        `${value} `,
        ` ${value}`,
        `${value}\n`,
        value.toUpperCase(),
        `${value}é`,
        "null",
        "0",
        "true",
        "{}",
      ])
    : undefined;

const duplicated: Mutation = ({ value }, random) => {
  if (!isList(value)) return undefined;
  const item = pick(random, value);
  return item === undefined ? undefined : [...value, item];
};

const notListed: Mutation = ({ schema }, random) =>
  schema.enum === undefined ? undefined : pick<JsonValue>(random, ["not-one-of-them", ...schema.enum]);

const wrapped: Mutation = ({ value }) => [value];

const MUTATIONS: readonly Mutation[] = [
  wrongType,
  noValue,
  missingField,
  unknownField,
  emptied,
  outOfBounds,
  oddInteger,
  oddNumber,
  oddText,
  duplicated,
  notListed,
  wrapped,
];

function numberOutside(schema: StructuralSchema, random: Random): JsonValue | undefined {
  const { minimum, maximum, multipleOf } = schema;
  return pick(random, [
    ...(minimum === undefined ? [] : [minimum, minimum - 1, minimum - 0.5]),
    ...(maximum === undefined ? [] : [maximum, maximum + 1, maximum + 0.5]),
    ...(multipleOf === undefined ? [] : [multipleOf / 2, multipleOf + 1]),
  ]);
}

function textOutside(schema: StructuralSchema, value: string, random: Random): JsonValue | undefined {
  const { minLength = 0, maxLength } = schema;
  const characters = Array.from(value);
  return pick(random, [
    ...(minLength > 0 ? [characters.slice(0, minLength - 1).join("")] : []),
    // One character too many, each of which takes two UTF-16 code units.
    ...(maxLength === undefined || maxLength > BOUND_MAX
      ? []
      : ["😀".repeat(maxLength), "😀".repeat(maxLength + 1), "a".repeat(maxLength + 1)]),
  ]);
}

function listOutside(schema: StructuralSchema, value: readonly JsonValue[], random: Random): JsonValue | undefined {
  const { minItems = 0, maxItems } = schema;
  const [first = null] = value;
  return pick(random, [
    ...(minItems > 0 ? [value.slice(0, minItems - 1)] : []),
    ...(maxItems === undefined || maxItems > BOUND_MAX
      ? []
      : [[...value, ...Array<JsonValue>(Math.max(0, maxItems + 1 - value.length)).fill(first)]]),
  ]);
}

function mapOutside(schema: StructuralSchema, value: Readonly<Record<string, JsonValue>>): JsonValue | undefined {
  const entries = Object.entries(value);
  const { minProperties = 0, maxProperties } = schema;
  if (minProperties > 0) return Object.fromEntries(entries.slice(0, minProperties - 1));
  if (maxProperties === undefined || maxProperties > BOUND_MAX) return undefined;
  const [first = ["a", null]] = entries;
  const missing = Math.max(0, maxProperties + 1 - entries.length);
  const more = Array.from({ length: missing }, (_, index): [string, JsonValue] => [`extra${index}`, first[1]]);
  return Object.fromEntries([...entries, ...more]);
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function typeName(value: JsonValue): string {
  if (value === null) return "null";
  if (isList(value)) return "array";
  return typeof value === "bigint" || Number.isInteger(value) ? "integer" : typeof value;
}
