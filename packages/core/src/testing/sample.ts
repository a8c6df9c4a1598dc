import { DeclarationError, unreachable } from "../error/index.ts";
import { canonicalJson, isJsonObject } from "../json/index.ts";
import type { JsonObject, JsonValue } from "../json/index.ts";
import { apiVersionOf } from "../kind/index.ts";
import type { Kind, NewObject } from "../kind/index.ts";
import { applyDefaults, childPath, propertySchema, validate } from "../schema/index.ts";
import type { StructuralSchema } from "../schema/index.ts";
import { randomInt, randomString } from "../time/index.ts";
import type { Random } from "../time/index.ts";
import { narrowSchema } from "./narrow.ts";
import { chance, pick } from "./pick.ts";
import { sampleAny, sampleInteger, sampleKey, sampleNumber, sampleString } from "./sample-scalar.ts";

/** Attempts per value before giving up on a schema. */
const ATTEMPTS_MAX = 200;
/** Depth of values whose schema has no type. */
const ANY_DEPTH_MAX = 2;
/** Probability of optional fields. One entry per attempt, so that "none" and "all" are tried too. */
const PRESENCE: readonly number[] = [0.5, 0.5, 0.5, 0, 1, 0.25, 0.75, 0.1];

/**
 * Returns a random value that is valid under the schema, before and after defaulting. Equal states of `random` give
 * equal values. CEL rules are not evaluated. An `example` or default of a field is used if no value can be generated.
 * Throws a DeclarationError with the path of a field without a valid sample, such as a string with an unsupported
 * pattern.
 */
export function sampleValue(schema: StructuralSchema, random: Random): JsonValue {
  return sampleAt(schema, { random, path: "", depth: 0 });
}

/** A generated object. */
export type SampleObject = JsonObject & NewObject & { readonly apiVersion: string; readonly kind: string };

/**
 * Returns a random object that is valid under the schema of its kind, with a name and, if namespaced, the namespace
 * `default`.
 */
export function sampleObject(kind: Kind, random: Random): SampleObject {
  const parts = sampleAt({ ...kind.schema, nullable: false }, { random, path: "", depth: 0 });
  const name = `${kind.singular}-${randomString(random, 5, "bcdfghjklmnpqrstvwxz2456789")}`;
  const metadata = kind.scope === "Namespaced" ? { name, namespace: "default" } : { name };
  return { ...(isJsonObject(parts) ? parts : {}), apiVersion: apiVersionOf(kind), kind: kind.kind, metadata };
}

interface Place {
  readonly random: Random;
  readonly path: string;
  readonly depth: number;
}

function sampleAt(schema: StructuralSchema, place: Place): JsonValue {
  const { random } = place;
  // The API server rejects null for a field with an enum.
  const mayBeNull = schema.nullable === true && schema.enum === undefined;
  if (mayBeNull && chance(random, 0.1)) return null;
  const known = [schema.example, schema.default].find((value) => value !== undefined && fits(schema, value));
  if (known !== undefined && chance(random, 0.1)) return known;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const candidate = candidateOf(narrowSchema(schema, random), place, attempt);
    if (candidate !== undefined && fits(schema, candidate)) return candidate;
  }
  if (known !== undefined) return known;
  if (mayBeNull) return null;
  throw new DeclarationError(
    `${place.path === "" ? "the value" : place.path}: no sample fits ${reason(schema)}: give the field a default, ` +
      "or an example in its schema",
  );
}

/** Before defaulting, as sent by a writer, and after it, as validated by the server. */
function fits(schema: StructuralSchema, value: JsonValue): boolean {
  return validate(schema, value).length === 0 && validate(schema, applyDefaults(schema, value)).length === 0;
}

function reason(schema: StructuralSchema): string {
  if (schema.pattern !== undefined) return `the pattern ${schema.pattern}`;
  if (schema.format !== undefined && schema.type === "string") return `the format ${schema.format}`;
  return "its bounds and rules";
}

function candidateOf(schema: StructuralSchema, place: Place, attempt: number): JsonValue | undefined {
  const { random } = place;
  if (schema.enum !== undefined) return pick(random, schema.enum);
  if (schema["x-kubernetes-int-or-string"] === true) {
    return chance(random, 0.5) ? sampleInteger(schema, random) : sampleString(schema, random, attempt);
  }
  switch (schema.type) {
    case "object":
      return objectOf(schema, place, attempt);
    case "array":
      return listOf(schema, place);
    case "string":
      return sampleString(schema, random, attempt);
    case "integer":
      return sampleInteger(schema, random);
    case "number":
      return sampleNumber(schema, random);
    case "boolean":
      return chance(random, 0.5);
    case undefined:
      return sampleAny(random, ANY_DEPTH_MAX);
    default:
      return unreachable(schema.type);
  }
}

function objectOf(schema: StructuralSchema, place: Place, attempt: number): JsonObject {
  const { random, path, depth } = place;
  const presence = (PRESENCE[attempt % PRESENCE.length] ?? 0.5) * (depth > 4 ? 0.5 : 1);
  const required = schema.required ?? [];
  const optional = Object.keys(schema.properties ?? {}).filter((name) => !required.includes(name));
  const embedded = schema["x-kubernetes-embedded-resource"] === true ? Object.entries(embeddedObject(random)) : [];
  const names = [...new Set([...required, ...optional.filter(() => chance(random, presence))])];
  const members = names.map((name): [string, JsonValue] => {
    const field = propertySchema(schema, name) ?? {};
    return [name, sampleAt(field, { random, path: childPath(path, name), depth: depth + 1 })];
  });
  return Object.fromEntries([...embedded, ...members, ...extraMembers(schema, place, members.length)]);
}

/**
 * Returns keys that are not properties of the schema: the required number for a map, a few if unknown fields are
 * preserved, else none.
 */
function extraMembers(schema: StructuralSchema, place: Place, present: number): readonly [string, JsonValue][] {
  const { random, path, depth } = place;
  const { additionalProperties, properties = {}, minProperties = 0, maxProperties } = schema;
  const keepsUnknown = schema["x-kubernetes-preserve-unknown-fields"] === true;
  if (additionalProperties === undefined && !keepsUnknown) return [];
  const least = Math.max(0, minProperties - present);
  const most = Math.min(least + 3, Math.max(0, (maxProperties ?? Number.POSITIVE_INFINITY) - present));
  const length = most < least ? least : randomInt(random, least, most);
  const keys = Array.from({ length }, () => sampleKey(random)).filter((key) => !Object.hasOwn(properties, key));
  return keys.map((key) => {
    if (additionalProperties === undefined) return [key, sampleAny(random, ANY_DEPTH_MAX)];
    return [key, sampleAt(additionalProperties, { random, path: childPath(path, key), depth: depth + 1 })];
  });
}

function embeddedObject(random: Random): JsonObject {
  const name = randomString(random, 5, "bcdfghjklmnpqrstvwxz");
  const [apiVersion, kind] = pick(random, [
    ["v1", "ConfigMap"],
    ["apps/v1", "Deployment"],
  ] as const) ?? ["v1", "Secret"];
  return { apiVersion, kind, metadata: { name } };
}

function listOf(schema: StructuralSchema, place: Place): readonly JsonValue[] {
  const { random, path, depth } = place;
  const { minItems = 0, maxItems, items = {} } = schema;
  const most = Math.min(maxItems ?? Number.POSITIVE_INFINITY, minItems + (depth > 4 ? 1 : 3));
  const length = most < minItems ? minItems : randomInt(random, minItems, most);
  const out = new Map<string, JsonValue>();
  for (let tries = 0; out.size < length && tries < length * 20; tries += 1) {
    const item = sampleAt(items, { random, path: childPath(path, out.size), depth: depth + 1 });
    out.set(identityOf(schema, item, tries), item);
  }
  return [...out.values()];
}

/**
 * Returns the identity of a list item: the value in a set, the keys (defaults included) in a keyed list, else the
 * index.
 */
function identityOf(schema: StructuralSchema, item: JsonValue, index: number): string {
  const listType = schema["x-kubernetes-list-type"];
  if (listType === "set") return canonicalJson(item);
  const whole = applyDefaults(schema.items ?? {}, item);
  if (listType !== "map" || !isJsonObject(whole)) return String(index);
  return canonicalJson(
    (schema["x-kubernetes-list-map-keys"] ?? []).map((key) => (Object.hasOwn(whole, key) ? whole[key] : null)),
  );
}
