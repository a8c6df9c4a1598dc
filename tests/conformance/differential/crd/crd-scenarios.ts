import type { JsonObject } from "@levelset/core";
import { crdManifest } from "./crd-case.ts";
import { crdScenario, short, spec, text, updateSchema, version } from "./crd-scenario.ts";
import type { Fields, CrdScenario } from "./crd-scenario.ts";

const embedded = (metadata: JsonObject): JsonObject => ({ apiVersion: "v1", kind: "ConfigMap", metadata });

const SHAPES: readonly CrdScenario[] = [
  crdScenario(
    "defaults and nulls",
    "defaults",
    {
      a: { type: "string", default: "d" },
      n: { type: "string", nullable: true, default: "d" },
      o: { type: "object", default: {}, properties: { p: { type: "integer", default: 7 } } },
      q: text,
    },
    [
      { create: spec({}) },
      { create: spec({ a: null, n: null, o: null, q: null }, "b") },
      { create: spec({ l: 1, o: { z: 1 } }, "c") },
      { merge: { spec: { a: null, o: { p: null } } } },
    ],
  ),
  crdScenario("defaults added later", "laters", { a: text }, [
    { create: spec({ a: "x" }) },
    updateSchema({ a: text, b: { type: "string", default: "late" } }),
    { get: "/a" },
    { merge: { metadata: { labels: { x: "y" } } } },
  ]),
  crdScenario(
    "embedded objects",
    "embeddeds",
    { t: { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true } },
    [
      {
        create: spec({
          t: {
            apiVersion: "v1",
            kind: "Pod",
            metadata: { name: "x", labels: { a: "b" }, unknown: 1 },
            spec: { any: 1 },
          },
        }),
      },
      { create: spec({ t: { kind: "" } }, "b") },
      { create: spec({ t: { apiVersion: "a/b/c", kind: "P d", metadata: { name: "N_" } } }, "d") },
    ],
  ),
  crdScenario(
    "embedded objects with declared metadata",
    "metadatas",
    {
      t: {
        type: "object",
        "x-kubernetes-embedded-resource": true,
        properties: {
          metadata: { type: "object", properties: { name: short, generateName: text } },
          data: { type: "object" },
        },
      },
    },
    [
      { create: spec({ t: embedded({ name: "x", namespace: "n", labels: { a: "b" }, annotations: { c: "d" } }) }) },
      { create: spec({ t: embedded({ name: "x", owner: 1 }) }, "b") },
      { create: spec({ t: embedded({ name: "x", owner: 1 }) }, "c"), query: "?fieldValidation=Strict" },
      { create: spec({ t: { ...embedded({ name: "x" }), extra: 1 } }, "d"), query: "?fieldValidation=Strict" },
      { create: spec({ t: embedded({ name: "too-long" }) }, "e") },
      { merge: { spec: { t: { metadata: { labels: { more: "e" } } } } } },
    ],
  ),
  crdScenario("unknown fields", "unknowns", { a: text }, [
    { create: spec({ a: "x", z: 1 }) },
    { create: spec({ a: "x", z: 1 }, "b"), query: "?fieldValidation=Strict" },
    { create: { ...spec({}, "c"), other: 1 }, query: "?fieldValidation=Strict" },
  ]),
  crdScenario(
    "a status subresource",
    "statuses",
    { a: text },
    [
      { create: { ...spec({ a: "x" }), status: { s: 1 } } },
      { merge: { spec: { a: "y" }, status: { s: 2 } } },
      { merge: { spec: { a: "z" }, status: { s: 3 }, metadata: { labels: { x: "y" } } }, part: "/status" },
      { get: "/a/status" },
    ],
    { subresources: { status: {} } },
  ),
  crdScenario("a status without subresource", "plains", { a: text }, [
    { create: { ...spec({ a: "x" }), status: { s: 1 } } },
    { merge: { status: { s: 2 } } },
    { merge: { status: { s: 3 } }, part: "/status" },
  ]),
  crdScenario(
    "a scale",
    "scaleds",
    { replicas: { type: "integer" }, a: text },
    [
      { create: spec({ a: "x" }) },
      { get: "/a/scale" },
      { merge: { spec: { replicas: 3 } }, part: "/scale" },
      { put: { metadata: { name: "a" }, spec: { replicas: 5 } }, part: "/scale" },
      { get: "/a" },
      { merge: { status: { n: 4, sel: "a=b" } }, part: "/status" },
      { get: "/a/scale" },
      { merge: { spec: { replicas: -1 } }, part: "/scale" },
      { merge: { spec: { replicas: -2 } } },
      { put: { metadata: { name: "b" }, spec: { replicas: 1 } }, part: "/scale" },
    ],
    {
      subresources: {
        status: {},
        scale: {
          specReplicasPath: ".spec.replicas",
          statusReplicasPath: ".status.n",
          labelSelectorPath: ".status.sel",
        },
      },
    },
  ),
  crdScenario(
    "selectable fields",
    "selecteds",
    { color: text, n: { type: "integer" }, flag: { type: "boolean" } },
    [
      { create: spec({ color: "red", n: 1 }) },
      { create: spec({ color: "blue", flag: true }, "b") },
      { get: "?fieldSelector=spec.color%3Dred" },
      { get: "?fieldSelector=spec.color!%3Dred" },
      { get: "?fieldSelector=spec.n%3D1" },
      { get: "?fieldSelector=spec.flag%3Dtrue,spec.n%3D" },
      { get: "?fieldSelector=spec.other%3Dx" },
    ],
    { selectableFields: [{ jsonPath: ".spec.color" }, { jsonPath: ".spec.n" }, { jsonPath: ".spec.flag" }] },
  ),
  crdScenario("another kind and version in the body", "kinds", { a: text }, [
    { create: { ...spec({}), kind: "Other" } },
    { create: { ...spec({}), apiVersion: "differential.example.com/v9" } },
    { create: { metadata: { name: "b" } } },
  ]),
];

const two = (plural: string, first: Fields, second: Fields): JsonObject =>
  crdManifest(plural, { versions: [version("v1", true, first), version("v2", false, second)] });

const VERSIONS: readonly CrdScenario[] = [
  {
    name: "two versions of one object",
    plural: "twos",
    crd: two(
      "twos",
      { a: text, o: { type: "string", default: "one" } },
      { a: text, t: { type: "string", default: "two" } },
    ),
    steps: [
      { create: spec({ a: "x", t: "lost" }) },
      { get: "/a", version: "v2" },
      { create: spec({ a: "y", o: "lost", t: "kept?" }, "b"), version: "v2" },
      { get: "/b" },
      { get: "/b", version: "v2" },
      { merge: { spec: { t: "changed" } }, name: "a", version: "v2" },
      { get: "/a" },
    ],
  },
  {
    name: "a change of the storage version",
    plural: "moves",
    crd: two("moves", { a: text }, { a: text, b: { type: "string", default: "new" } }),
    steps: [
      { create: spec({ a: "x" }) },
      {
        declare: {
          spec: {
            versions: [
              version("v1", false, { a: text }),
              version("v2", true, { a: text, b: { type: "string", default: "new" } }),
            ],
          },
        },
      },
      { get: "/a", version: "v2" },
      { merge: { spec: { a: "y" } } },
      { get: "/a", version: "v2" },
    ],
  },
  {
    name: "rules of one version only",
    plural: "stricts",
    crd: two("stricts", { a: text }, { a: short }),
    steps: [
      { create: spec({ a: "long" }) },
      { create: spec({ a: "long" }, "b"), version: "v2" },
      { merge: { metadata: { labels: { x: "y" } } }, version: "v2" },
      { merge: { spec: { a: "longer" } }, version: "v2" },
    ],
  },
];

/** Scenarios about custom resources. */
export const CRD_SCENARIOS: readonly CrdScenario[] = [...SHAPES, ...VERSIONS];
