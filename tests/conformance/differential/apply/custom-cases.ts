import { randomInt } from "@levelset/core/internal";
import type { JsonObject, JsonValue, Random } from "@levelset/core";
import type { StructuralSchema } from "@levelset/core/schema";
import { chance, oneOf, someOf } from "./chance.ts";
import type { Case, CaseOperation, PatchType } from "./operation.ts";

const GROUP = "apply.levelset.dev";
const VERSIONS = ["v1", "v2"];
const MANAGERS = ["alpha", "beta", "gamma"];
const NAMES = ["a", "b", "c"];
const DEPTH_MAX = 3;

/** A custom kind with a random schema. */
export interface RandomKind {
  readonly plural: string;
  readonly kind: string;
  readonly spec: StructuralSchema;
  readonly status: StructuralSchema;
  readonly crd: JsonObject;
}

const text: StructuralSchema = { type: "string" };

/** Returns a kind with a random schema: nested list-maps, sets, atomic and open parts. */
export function randomKind(random: Random, index: number): RandomKind {
  const plural = `things${index}`;
  const kind = `Thing${index}`;
  const spec = objectSchema(random, 0);
  const status = objectSchema(random, 1);
  const schema = { type: "object", properties: { spec, status } };
  const versions = VERSIONS.map((name) => ({
    name,
    served: true,
    storage: name === "v1",
    schema: { openAPIV3Schema: schema },
    subresources: { status: {} },
  }));
  const crd = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${GROUP}` },
    spec: { group: GROUP, scope: "Namespaced", names: { plural, kind, singular: kind.toLowerCase() }, versions },
  };
  // Schemas consist of JSON only.
  return { plural, kind, spec, status, crd: crd as unknown as JsonObject };
}

function objectSchema(random: Random, depth: number): StructuralSchema {
  const properties = Object.fromEntries(["p", "q", "r", "s", "t"].map((name) => [name, anySchema(random, depth + 1)]));
  return {
    type: "object",
    properties,
    ...(depth > 0 && chance(random, 0.1) ? { "x-kubernetes-map-type": "atomic" } : {}),
    ...(chance(random, 0.1) ? { "x-kubernetes-preserve-unknown-fields": true } : {}),
  };
}

function anySchema(random: Random, depth: number): StructuralSchema {
  if (depth >= DEPTH_MAX) return scalarSchema(random);
  switch (randomInt(random, 0, 9)) {
    case 0:
    case 1:
      return scalarSchema(random);
    case 2:
      return { type: "array", items: scalarSchema(random), ...maybeAtomic(random, "list") };
    case 3:
      return {
        type: "array",
        items: chance(random, 0.7) ? text : { type: "integer" },
        "x-kubernetes-list-type": "set",
      };
    case 4:
    case 5:
      return keyedSchema(random, depth);
    case 6:
      return { type: "object", additionalProperties: anySchema(random, depth + 1), ...maybeAtomic(random, "map") };
    case 7:
      return { type: "object", "x-kubernetes-preserve-unknown-fields": true };
    case 8:
      return { "x-kubernetes-preserve-unknown-fields": true };
    default:
      return objectSchema(random, depth);
  }
}

function maybeAtomic(random: Random, of: "list" | "map"): StructuralSchema {
  if (!chance(random, 0.3)) return {};
  return of === "list" ? { "x-kubernetes-list-type": "atomic" } : { "x-kubernetes-map-type": "atomic" };
}

function keyedSchema(random: Random, depth: number): StructuralSchema {
  const second: StructuralSchema = { type: "string", default: "x" };
  const isDouble = chance(random, 0.4);
  const items: StructuralSchema = {
    type: "object",
    required: ["key"],
    properties: {
      key: chance(random, 0.7) ? text : { type: "integer" },
      ...(isDouble ? { second } : {}),
      p: anySchema(random, depth + 1),
      q: anySchema(random, depth + 1),
    },
    ...(chance(random, 0.1) ? { "x-kubernetes-map-type": "atomic" } : {}),
  };
  const keys = isDouble ? ["key", "second"] : ["key"];
  return { type: "array", items, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys };
}

function scalarSchema(random: Random): StructuralSchema {
  return oneOf<StructuralSchema>(random, [
    text,
    text,
    { type: "integer" },
    { type: "number" },
    { type: "boolean" },
    { "x-kubernetes-int-or-string": true },
    { type: "string", default: "d" },
    { type: "string", nullable: true },
  ]);
}

/** Returns a random value that matches the schema. */
function valueOf(schema: StructuralSchema, random: Random): JsonValue {
  if (schema["x-kubernetes-int-or-string"] === true) return oneOf<JsonValue>(random, [1, "1", 2]);
  switch (schema.type) {
    case "string":
      return schema.nullable === true && chance(random, 0.2) ? null : oneOf(random, NAMES);
    case "integer":
      return randomInt(random, 0, 2);
    case "number":
      return oneOf(random, [0, 0.5, 1]);
    case "boolean":
      return chance(random, 0.5);
    case "array":
      return listOf(schema, random);
    case "object":
      return mapOf(schema, random);
    default:
      return openValue(random, 2);
  }
}

function listOf(schema: StructuralSchema, random: Random): readonly JsonValue[] {
  const items = schema.items ?? {};
  if (schema["x-kubernetes-list-type"] === "set") {
    return someOf<JsonValue>(random, items.type === "integer" ? [0, 1, 2] : NAMES);
  }
  if (schema["x-kubernetes-list-type"] !== "map") return someOf(random, NAMES).map(() => valueOf(items, random));
  const keys: readonly JsonValue[] = items.properties?.["key"]?.type === "integer" ? [1, 2, 3] : NAMES;
  return someOf(random, keys).map((key) => ({ ...mapOf(items, random), key }));
}

function mapOf(schema: StructuralSchema, random: Random): JsonObject {
  const { properties = {}, additionalProperties } = schema;
  const declared = Object.entries(properties)
    .filter(() => chance(random, 0.5))
    .map(([name, field]): [string, JsonValue] => [name, valueOf(field, random)]);
  const others =
    additionalProperties === undefined
      ? []
      : someOf(random, NAMES).map((name): [string, JsonValue] => [name, valueOf(additionalProperties, random)]);
  const isOpen = schema["x-kubernetes-preserve-unknown-fields"] === true;
  const open = isOpen
    ? someOf(random, ["u", "v"]).map((name): [string, JsonValue] => [name, openValue(random, 2)])
    : [];
  return Object.fromEntries([...declared, ...others, ...open]);
}

function openValue(random: Random, depth: number): JsonValue {
  if (depth === 0 || chance(random, 0.4)) return oneOf<JsonValue>(random, ["1", 1, true]);
  if (chance(random, 0.3)) return someOf(random, NAMES).map(() => openValue(random, depth - 1));
  return Object.fromEntries(someOf(random, NAMES).map((name) => [name, openValue(random, depth - 1)]));
}

/** Returns a random case about a custom kind. Most cases use one version, some alternate. */
export function customCase(random: Random, kind: RandomKind, name: string): Case {
  const versions = chance(random, 0.8) ? [oneOf(random, VERSIONS)] : VERSIONS;
  const collectionIn = (version: string): string => `/apis/${GROUP}/${version}/namespaces/default/${kind.plural}`;
  const collections: string[] = [];
  const operations: CaseOperation[] = [];
  for (let left = randomInt(random, 3, 8); left > 0; left--) {
    const version = oneOf(random, versions);
    const type = { apiVersion: `${GROUP}/${version}`, kind: kind.kind, metadata: { name } };
    collections.push(collectionIn(version));
    operations.push((operations.length === 0 ? first : operation)(random, kind, type));
  }
  return {
    title: `${kind.kind} ${versions.join(" and ")}`,
    collection: collectionIn("v1"),
    name,
    operations,
    collections,
  };
}

function first(random: Random, kind: RandomKind, type: JsonObject): CaseOperation {
  const manager = oneOf(random, MANAGERS);
  const body = { ...type, spec: valueOf(kind.spec, random) };
  return chance(random, 0.4) ? { kind: "create", manager, body } : { kind: "apply", manager, force: false, body };
}

function operation(random: Random, kind: RandomKind, type: JsonObject): CaseOperation {
  const manager = oneOf(random, MANAGERS);
  const onStatus = chance(random, 0.2);
  const body: JsonObject = onStatus
    ? { status: valueOf(kind.status, random) }
    : { ...labels(random), ...(chance(random, 0.9) ? { spec: valueOf(kind.spec, random) } : {}) };
  const subresource = onStatus ? ({ subresource: "status" } as const) : {};
  if (chance(random, 0.65)) {
    const metadata = { ...(body["metadata"] as JsonObject | undefined), ...(type["metadata"] as JsonObject) };
    return { kind: "apply", manager, force: chance(random, 0.4), body: { ...type, ...body, metadata }, ...subresource };
  }
  if (chance(random, 0.5)) return { kind: "update", manager, change: body, ...subresource };
  const isRemoval = chance(random, 0.3);
  const patch = isRemoval ? [{ op: "remove", path: onStatus ? "/status" : "/spec" }] : body;
  const patchType: PatchType = isRemoval ? "json-patch" : "merge-patch";
  return { kind: "patch", manager, type: patchType, patch, ...subresource };
}

function labels(random: Random): JsonObject {
  if (!chance(random, 0.3)) return {};
  return {
    metadata: { labels: Object.fromEntries(someOf(random, NAMES).map((name) => [name, oneOf(random, NAMES)])) },
  };
}
