import type { JsonObject, JsonValue } from "@levelset/core";
import { SCHEMA, GO_STRUCT_MESSAGE, withVersion } from "./crd-case.ts";
import type { CrdCase } from "./crd-case.ts";

const withSchema = (schema: JsonObject, fields: JsonObject = {}): JsonObject =>
  withVersion({ ...fields, schema: { openAPIV3Schema: schema } });
const withField = (field: JsonObject, more: JsonObject = {}): JsonObject =>
  withSchema({ type: "object", properties: { spec: { type: "object", properties: { a: field, ...more } } } });
const withRule = (rule: JsonValue, field: JsonObject = { type: "string", maxLength: 10 }): JsonObject =>
  withField({ ...field, "x-kubernetes-validations": [rule] });
const COMPILER = "the compilers use different messages";

const SCHEMAS: readonly CrdCase[] = [
  { name: "a root that is not an object", body: withSchema({ type: "string" }) },
  { name: "a root without a type", body: withSchema({ properties: {} }) },
  { name: "a nullable root", body: withSchema({ ...SCHEMA, nullable: true }) },
  {
    name: "a root with alternatives beside a status",
    body: withSchema({ ...SCHEMA, anyOf: [{ required: ["spec"] }] }, { subresources: { status: {} } }),
    messageDifference: GO_STRUCT_MESSAGE,
  },
  {
    name: "a root with other properties",
    body: withSchema({ type: "object", additionalProperties: { type: "string" } }),
  },
  { name: "a field without a type", body: withField({}) },
  { name: "a field of an unknown type", body: withField({ type: "money" }) },
  { name: "a field of type null", body: withField({ type: "null" }) },
  { name: "a list without items", body: withField({ type: "array" }) },
  { name: "a list of untyped items", body: withField({ type: "array", items: {} }) },
  {
    name: "properties and others",
    body: withField({
      type: "object",
      properties: { b: { type: "string" } },
      additionalProperties: { type: "string" },
    }),
  },
  {
    name: "keywords that are not supported",
    body: withField({
      type: "string",
      id: "x",
      $ref: "#/y",
      definitions: { z: { type: "string" } },
      patternProperties: { w: { type: "string" } },
      uniqueItems: true,
    }),
  },
  {
    name: "a bad pattern",
    body: withField({ type: "string", pattern: "(" }),
    messageDifference: "the engines use different messages",
  },
  {
    name: "unknown fields that are dropped",
    body: withField({ type: "object", "x-kubernetes-preserve-unknown-fields": false }),
    messageDifference: "kube-apiserver prints a pointer",
  },
  {
    name: "a number or a text",
    body: withField({ "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] }),
  },
  {
    name: "a number or a text with unknown fields",
    body: withField({ "x-kubernetes-int-or-string": true, "x-kubernetes-preserve-unknown-fields": true }),
  },
  {
    name: "types in alternatives",
    body: withField({ type: "string", anyOf: [{ type: "string", description: "x", default: "y", nullable: true }] }),
  },
  {
    name: "alternatives about unknown fields",
    body: withField({ type: "object", properties: {}, anyOf: [{ properties: { z: { minLength: 1 } } }] }),
  },
  {
    name: "an embedded object",
    body: withField({
      type: "object",
      "x-kubernetes-embedded-resource": true,
      "x-kubernetes-preserve-unknown-fields": true,
    }),
  },
  {
    name: "an embedded object without fields",
    body: withField({ type: "object", "x-kubernetes-embedded-resource": true }),
  },
  {
    name: "an embedded text",
    body: withField({
      type: "string",
      "x-kubernetes-embedded-resource": true,
      "x-kubernetes-preserve-unknown-fields": true,
    }),
  },
  {
    name: "metadata that is not an object",
    body: withSchema({ type: "object", properties: { metadata: { type: "string" }, kind: { type: "integer" } } }),
  },
  {
    name: "metadata with more than a name",
    body: withSchema({
      type: "object",
      properties: { metadata: { type: "object", properties: { labels: { type: "object" } } } },
    }),
  },
  {
    name: "metadata with a name",
    body: withSchema({
      type: "object",
      properties: { metadata: { type: "object", properties: { name: { type: "string", maxLength: 3 } } } },
    }),
  },
  {
    name: "a set of texts",
    body: withField({ type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } }),
  },
  {
    name: "a set of objects",
    body: withField({ type: "array", "x-kubernetes-list-type": "set", items: { type: "object" } }),
    messageDifference: "kube-apiserver prints a pointer",
  },
  {
    name: "an unknown type of list",
    body: withField({ type: "array", "x-kubernetes-list-type": "bag", items: { type: "string" } }),
  },
  {
    name: "a type of list for a text",
    body: withField({ type: "string", "x-kubernetes-list-type": "set", "x-kubernetes-map-type": "atomic" }),
  },
  {
    name: "a keyed list",
    body: withField({
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["k"],
      items: { type: "object", required: ["k"], properties: { k: { type: "string" } } },
    }),
  },
  {
    name: "a keyed list without keys",
    body: withField({ type: "array", "x-kubernetes-list-type": "map", items: { type: "object" } }),
  },
  {
    name: "a keyed list of texts",
    body: withField({
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["k"],
      items: { type: "string" },
    }),
  },
  {
    name: "keys that are not fields, or not required",
    body: withField({
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["k", "k", "z"],
      items: { type: "object", nullable: true, properties: { k: { type: "string", nullable: true } } },
    }),
  },
  {
    name: "keys without a keyed list",
    body: withField({ type: "array", "x-kubernetes-list-map-keys": ["k"], items: { type: "string" } }),
  },
  { name: "a default", body: withField({ type: "string", default: "x" }) },
  { name: "a default of another type", body: withField({ type: "string", default: 7 }) },
  {
    name: "a default with unknown fields",
    body: withField({ type: "object", default: { z: 1 }, properties: { y: { type: "integer" } } }),
  },
  { name: "a default that breaks a bound", body: withField({ type: "integer", default: 7, maximum: 5 }) },
  {
    name: "a default of the metadata",
    body: withSchema({
      type: "object",
      properties: { metadata: { type: "object", default: {} }, kind: { type: "string", default: "X" } },
    }),
  },
  { name: "unknown keywords", body: withField({ type: "string", "x-other": 1 }) },
];

const RULES: readonly CrdCase[] = [
  { name: "a rule", body: withRule({ rule: "self != 'x'", message: "not x" }) },
  { name: "an empty rule", body: withRule({ rule: " " }) },
  { name: "a rule that does not compile", body: withRule({ rule: "self +" }), messageDifference: COMPILER },
  { name: "a rule about unknown names", body: withRule({ rule: "other == 1" }), messageDifference: COMPILER },
  { name: "a rule that is not a boolean", body: withRule({ rule: "'text'" }), messageDifference: COMPILER },
  {
    name: "a rule with an empty message",
    body: withRule({ rule: "true", message: " ", messageExpression: " ", reason: "Because", fieldPath: " " }),
  },
  { name: "a rule of two lines without a message", body: withRule({ rule: "true &&\ntrue" }) },
  { name: "a message of two lines", body: withRule({ rule: "true", message: "a\nb" }) },
  {
    name: "a message that is not a string",
    body: withRule({ rule: "true", messageExpression: "1" }),
    messageDifference: COMPILER,
  },
  {
    name: "a field path that does not exist",
    body: withRule({ rule: "true", fieldPath: ".z" }, { type: "object", properties: { y: { type: "string" } } }),
  },
  {
    name: "a path to a field",
    body: withRule({ rule: "true", fieldPath: ".y" }, { type: "object", properties: { y: { type: "string" } } }),
  },
  {
    name: "a transition rule in a list",
    body: withField({
      type: "array",
      maxItems: 3,
      items: { type: "string", maxLength: 3, "x-kubernetes-validations": [{ rule: "self == oldSelf" }] },
    }),
    messageDifference: COMPILER,
  },
  {
    name: "a transition rule in an atomic map",
    body: withField({
      type: "object",
      "x-kubernetes-map-type": "atomic",
      properties: { y: { type: "string", maxLength: 3, "x-kubernetes-validations": [{ rule: "self == oldSelf" }] } },
    }),
    messageDifference: COMPILER,
  },
  { name: "optionalOldSelf without oldSelf", body: withRule({ rule: "true", optionalOldSelf: true }) },
  {
    name: "a rule that costs too much",
    body: withField({
      type: "array",
      items: { type: "array", items: { type: "string", "x-kubernetes-validations": [{ rule: "self.contains('x')" }] } },
    }),
    messageDifference: "the costs are worded differently",
  },
  {
    name: "rules in alternatives",
    body: withField({ type: "string", anyOf: [{ "x-kubernetes-validations": [{ rule: "true" }] }] }),
  },
];

/** Valid and invalid schemas and rules. */
export const CRD_SCHEMA_CASES: readonly CrdCase[] = [...SCHEMAS, ...RULES];
