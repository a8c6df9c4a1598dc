import { isJsonObject } from "@levelset/core";
import type { FieldError } from "@levelset/core/schema";
import {
  forbiddenField,
  invalidField,
  requiredField,
  unsupportedField,
  asArray,
  asRecord,
} from "../../../resource/index.ts";

type Errors = Generator<FieldError, void>;

/** An unvalidated schema from a request. */
export type RawSchema = Readonly<Record<string, unknown>>;

const TYPES = ["array", "boolean", "integer", "number", "object", "string"];
const UNSUPPORTED = ["id", "additionalItems", "patternProperties", "definitions", "dependencies", "$ref"];
const META = ["metadata", "kind", "apiVersion"];

/** Position in a schema during validation. */
interface Place {
  readonly isRoot: boolean;
  /** Inside `apiVersion`, `kind` or `metadata`. */
  readonly isInsideMeta: boolean;
  /** Why defaults are forbidden here; undefined if they are allowed. */
  readonly noDefaults: string | undefined;
}

const ROOT: Place = { isRoot: true, isInsideMeta: false, noDefaults: undefined };

/** Validates the keywords of a schema, structural or not. */
export function* keywordErrors(path: string, schema: RawSchema): Errors {
  yield* nodeErrors(path, schema, ROOT);
}

function* nodeErrors(path: string, schema: RawSchema, place: Place): Errors {
  yield* standardErrors(path, schema, place);
  if (schema["uniqueItems"] === true) {
    const why = "uniqueItems cannot be set to true since the runtime complexity becomes quadratic";
    yield forbiddenField(`${path}.uniqueItems`, why);
  }
  yield* fieldsErrors(path, schema, place);
  const inside: Place = { ...place, isRoot: false };
  for (const name of ["not", "items"]) {
    const child = schema[name];
    if (isJsonObject(child)) yield* nodeErrors(`${path}.${name}`, child, inside);
  }
  for (const name of ["allOf", "oneOf", "anyOf"]) {
    for (const [index, child] of asArray(schema[name]).entries()) {
      yield* nodeErrors(`${path}.${name}[${index}]`, asRecord(child), inside);
    }
  }
  if (schema["x-kubernetes-preserve-unknown-fields"] === false) {
    yield invalidField(`${path}.x-kubernetes-preserve-unknown-fields`, false, "must be true or undefined");
  }
  yield* mapTypeErrors(path, schema);
  yield* listTypeErrors(path, schema);
}

function* standardErrors(path: string, schema: RawSchema, place: Place): Errors {
  const { type } = schema;
  if (type !== undefined && type !== "" && !TYPES.some((known) => known === type)) {
    yield unsupportedField(`${path}.type`, type, TYPES);
  }
  if (schema["default"] !== undefined && place.noDefaults !== undefined) {
    yield forbiddenField(`${path}.default`, `must not be set ${place.noDefaults}`);
  }
  for (const name of UNSUPPORTED) {
    if (schema[name] !== undefined && schema[name] !== "")
      yield forbiddenField(`${path}.${name}`, `${name} is not supported`);
  }
  if (type === "null") {
    yield forbiddenField(`${path}.type`, "type cannot be set to null, use nullable as an alternative");
  }
  if (Array.isArray(schema["items"])) {
    yield forbiddenField(`${path}.items`, "items must be a schema object and not an array");
  }
  if (place.isInsideMeta && schema["x-kubernetes-embedded-resource"] === true) {
    yield forbiddenField(`${path}.x-kubernetes-embedded-resource`, "must not be used inside of resource meta");
  }
}

function* fieldsErrors(path: string, schema: RawSchema, place: Place): Errors {
  const properties = Object.entries(asRecord(schema["properties"]));
  const { additionalProperties: rest } = schema;
  if (rest !== undefined) {
    if (properties.length > 0 && rest !== true) {
      const why = "additionalProperties and properties are mutual exclusive";
      yield forbiddenField(`${path}.additionalProperties`, why);
    }
    const why = place.isInsideMeta ? "inside additionalProperties applying to object metadata" : place.noDefaults;
    if (isJsonObject(rest)) {
      yield* nodeErrors(`${path}.additionalProperties`, rest, { ...place, isRoot: false, noDefaults: why });
    }
  }
  const hasMeta = place.isRoot || schema["x-kubernetes-embedded-resource"] === true;
  for (const [name, child] of properties) {
    const isMeta = hasMeta && META.includes(name);
    const noDefaults = isMeta && place.isRoot ? `in top-level ${name}` : place.noDefaults;
    const inside: Place = { isRoot: false, isInsideMeta: place.isInsideMeta || isMeta, noDefaults };
    yield* nodeErrors(`${path}.properties[${name}]`, asRecord(child), inside);
  }
}

function* typeFor(path: string, schema: RawSchema, type: string, extension: string): Errors {
  const why = `must be ${type} if ${extension} is specified`;
  const given = schema["type"] ?? "";
  if (given === "") yield requiredField(`${path}.type`, why);
  else if (given !== type) yield invalidField(`${path}.type`, given, why);
}

function* mapTypeErrors(path: string, schema: RawSchema): Errors {
  const mapType = schema["x-kubernetes-map-type"];
  if (mapType === undefined) return;
  yield* typeFor(path, schema, "object", "x-kubernetes-map-type");
  if (mapType !== "atomic" && mapType !== "granular") {
    yield unsupportedField(`${path}.x-kubernetes-map-type`, mapType, ["atomic", "granular"]);
  }
}

function* listTypeErrors(path: string, schema: RawSchema): Errors {
  const listType = schema["x-kubernetes-list-type"];
  const keys = asArray(schema["x-kubernetes-list-map-keys"]);
  const items = isJsonObject(schema["items"]) ? schema["items"] : undefined;
  if (listType !== undefined) {
    yield* typeFor(path, schema, "array", "x-kubernetes-list-type");
    if (schema["type"] === "array" && listType === "set" && items !== undefined) yield* setErrors(path, items);
    if (!["atomic", "set", "map"].some((known) => known === listType)) {
      yield unsupportedField(`${path}.x-kubernetes-list-type`, listType, ["atomic", "set", "map"]);
    }
  }
  if (keys.length > 0 && listType !== "map") {
    const why = "must be map if x-kubernetes-list-map-keys is non-empty";
    const field = `${path}.x-kubernetes-list-type`;
    yield listType === undefined ? requiredField(field, why) : invalidField(field, listType, why);
  }
  if (listType === "map") yield* keyedErrors(path, keys, items);
  if ((listType === "map" || listType === "set") && items !== undefined) {
    yield* nullableErrors(path, listType, keys, items);
  }
}

function* setErrors(path: string, items: RawSchema): Errors {
  const why = "must be atomic as item of a list with x-kubernetes-list-type=set";
  const { type } = items;
  const listType = items["x-kubernetes-list-type"];
  if (type === "array" && listType !== undefined && listType !== "atomic") {
    yield invalidField(`${path}.items.x-kubernetes-list-type`, listType, why);
  }
  if (type === "object" && items["x-kubernetes-map-type"] !== "atomic") {
    yield invalidField(`${path}.items.x-kubernetes-map-type`, listType ?? null, why);
  }
}

function* keyedErrors(path: string, keys: readonly unknown[], items: RawSchema | undefined): Errors {
  const field = `${path}.x-kubernetes-list-map-keys`;
  if (keys.length === 0) yield requiredField(field, "must not be empty if x-kubernetes-list-type is map");
  if (items === undefined) {
    yield requiredField(`${path}.items`, "must have a schema if x-kubernetes-list-type is map");
    return;
  }
  if (items["type"] !== "object") {
    const why = "must be object if parent array's x-kubernetes-list-type is map";
    yield invalidField(`${path}.items.type`, items["type"] ?? "", why);
    return;
  }
  const properties = asRecord(items["properties"]);
  for (const [index, key] of keys.map(String).entries()) {
    const { type } = asRecord(properties[key]);
    if (!Object.hasOwn(properties, key)) {
      yield invalidField(field, keys, "entries must all be names of item properties");
    } else if (type === "array" || type === "object") {
      const why = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      yield invalidField(`${path}.items.properties[${key}].type`, items["type"], why);
    }
    if (keys.indexOf(key) < index) yield invalidField(field, keys, "must not contain duplicate entries");
  }
}

function* nullableErrors(path: string, listType: string, keys: readonly unknown[], items: RawSchema): Errors {
  if (items["nullable"] === true) {
    yield forbiddenField(`${path}.items.nullable`, `cannot be nullable when x-kubernetes-list-type is ${listType}`);
  }
  if (listType !== "map") return;
  const properties = asRecord(items["properties"]);
  const required = asArray(items["required"]);
  for (const key of keys.map(String).filter((name) => Object.hasOwn(properties, name))) {
    const at = `${path}.items.properties[${key}]`;
    const field = asRecord(properties[key]);
    const start = "this property is in x-kubernetes-list-map-keys, so it";
    if (!required.includes(key) && field["default"] === undefined) {
      yield requiredField(`${at}.default`, `${start} must have a default or be a required property`);
    }
    if (field["nullable"] === true) yield forbiddenField(`${at}.nullable`, `${start} cannot be nullable`);
  }
}

/** Fields of JSONSchemaProps. */
const KEYWORDS: ReadonlySet<string> = new Set([
  ..."id $schema $ref description type format title default maximum exclusiveMaximum minimum exclusiveMinimum".split(
    " ",
  ),
  ..."maxLength minLength pattern maxItems minItems uniqueItems multipleOf enum maxProperties minProperties".split(" "),
  ..."required items allOf oneOf anyOf not properties additionalProperties patternProperties dependencies".split(" "),
  ..."additionalItems definitions externalDocs example nullable".split(" "),
  ..."preserve-unknown-fields embedded-resource int-or-string list-map-keys list-type map-type validations"
    .split(" ")
    .map((name) => `x-kubernetes-${name}`),
]);
const SCHEMAS = ["items", "not", "additionalProperties", "additionalItems"];
const LISTS = ["allOf", "oneOf", "anyOf"];
const MAPS = ["properties", "patternProperties", "definitions"];

/** Keywords that are dropped if empty. */
const OMITTED: ReadonlySet<string> = new Set([
  ..."id description type format title pattern exclusiveMaximum exclusiveMinimum uniqueItems nullable".split(" "),
  ..."enum required allOf oneOf anyOf properties patternProperties dependencies definitions".split(" "),
  ..."embedded-resource int-or-string list-map-keys validations".split(" ").map((name) => `x-kubernetes-${name}`),
]);

function isEmpty(value: unknown): boolean {
  return value === "" || value === false || (typeof value === "object" && Object.keys(value ?? {}).length === 0);
}

/** Recursively drops unknown keywords. */
export function pruneUnknownKeywords(schema: RawSchema): RawSchema {
  const inside = (value: unknown): unknown => (isJsonObject(value) ? pruneUnknownKeywords(value) : value);
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([name, value]) => KEYWORDS.has(name) && !(OMITTED.has(name) && isEmpty(value)))
      .map(([name, value]) => {
        if (SCHEMAS.includes(name)) return [name, inside(value)];
        if (LISTS.includes(name)) return [name, Array.isArray(value) ? value.map(inside) : value];
        if (!MAPS.includes(name) || !isJsonObject(value)) return [name, value];
        return [name, Object.fromEntries(Object.entries(value).map(([key, child]) => [key, inside(child)]))];
      }),
  );
}
