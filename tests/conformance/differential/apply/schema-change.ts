import type { JsonObject, JsonValue } from "@levelset/core";
import type { StructuralSchema } from "@levelset/core/schema";
import type { Case, CaseOperation } from "./operation.ts";

const GROUP = "change.levelset.dev";
const text: StructuralSchema = { type: "string" };

function crd(fields: Readonly<Record<string, StructuralSchema>>, marker: string): JsonObject {
  const spec = { type: "object", properties: { ...fields, [marker]: text } };
  const schema = { openAPIV3Schema: { type: "object", properties: { spec } } };
  const made = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `changes.${GROUP}` },
    spec: {
      group: GROUP,
      scope: "Namespaced",
      names: { plural: "changes", kind: "Change", singular: "change" },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  };
  // Schemas consist of JSON only.
  return made as unknown as JsonObject;
}

const map: StructuralSchema = { type: "object", additionalProperties: text };
const object: StructuralSchema = { type: "object", properties: { a: text, b: text, c: text } };
const set: StructuralSchema = { type: "array", items: text };
const keyed: StructuralSchema = {
  type: "array",
  items: { type: "object", required: ["key"], properties: { key: text, value: text } },
};

const PARTS: Readonly<Record<string, StructuralSchema>> = {
  map,
  object,
  set: { ...set, "x-kubernetes-list-type": "set" },
  keyed: { ...keyed, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["key"] },
};

const WHOLES: Readonly<Record<string, StructuralSchema>> = {
  map: { ...map, "x-kubernetes-map-type": "atomic" },
  object: { ...object, "x-kubernetes-map-type": "atomic" },
  set: { ...set, "x-kubernetes-list-type": "atomic" },
  keyed: { ...keyed, "x-kubernetes-list-type": "atomic" },
};

const NAMES = ["one", "two", "three"];

function apply(manager: string, name: string, spec: JsonObject, force = false): CaseOperation {
  const body = { apiVersion: `${GROUP}/v1`, kind: "Change", metadata: { name }, spec };
  return { kind: "apply", manager, force, body };
}

function fields(key: string, value: string): JsonObject {
  const items: readonly JsonValue[] = [{ key, value }];
  return { map: { [key]: value }, object: { [key]: value }, set: [key], keyed: items };
}

function histories(operations: (name: string) => readonly CaseOperation[]): readonly Case[] {
  return NAMES.map((name) => ({
    title: "Change",
    collection: `/apis/${GROUP}/v1/namespaces/default/changes`,
    name,
    operations: operations(name),
  }));
}

/** A sequence of CRD changes with the writes under each. The same objects persist through all of them. */
export function schemaChange(): readonly { readonly crd: JsonObject; readonly histories: readonly Case[] }[] {
  return [
    {
      crd: crd(PARTS, "first"),
      histories: histories((name) => [
        apply("alpha", name, fields("a", "1")),
        apply("beta", name, fields("b", "1")),
        { kind: "update", manager: "gamma", change: { spec: { object: { c: "1" } } } },
      ]),
    },
    {
      crd: crd(WHOLES, "second"),
      histories: [
        ...histories((name) => (name === "one" ? [apply("alpha", name, fields("a", "2"))] : [])),
        ...histories((name) => (name === "two" ? [apply("beta", name, fields("b", "2"), true)] : [])),
        ...histories((name) =>
          name === "three" ? [{ kind: "update", manager: "gamma", change: { spec: { map: { c: "1" } } } }] : [],
        ),
      ],
    },
    {
      crd: crd(PARTS, "third"),
      histories: histories((name) => [
        { kind: "patch", manager: "gamma", type: "merge-patch", patch: { spec: { map: { d: "1" } } } },
        apply("alpha", name, fields("a", "3"), true),
        apply("beta", name, { set: ["z"] }),
      ]),
    },
  ];
}
