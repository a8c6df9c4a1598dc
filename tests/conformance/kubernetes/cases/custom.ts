import assert from "node:assert/strict";
import { refused } from "../suite/answer.ts";
import { group } from "../suite/case.ts";
import type { Case } from "../suite/case.ts";
import { match } from "../suite/match.ts";
import { declareKind } from "../suite/objects.ts";
import { until } from "../suite/until.ts";

const string = { type: "string" };

const integer = { type: "integer" };

const CRDS = "customresourcedefinitions";

/** Objects of declared kinds. */
export const CUSTOM: readonly Case[] = group("custom objects", "requests", [
  [
    "types, bounds, patterns and enums are checked, each with a cause",
    "docs: custom resources, validation",
    async (t) => {
      await declareKind(t, {
        spec: {
          required: ["must"],
          properties: {
            must: string,
            count: { type: "integer", minimum: 1, maximum: 5 },
            name: { type: "string", pattern: "^[a-z]+$", maxLength: 4 },
            color: { type: "string", enum: ["red", "green"] },
            list: { type: "array", items: string, maxItems: 1 },
            on: { type: "boolean" },
          },
        },
      });
      const spec = { count: 9, name: "ABCDEF", color: "blue", list: ["a", "b"], on: "yes" };
      const answer = await refused(t.create("widgets", { metadata: { name: "a" }, spec }), 422, "Invalid", {
        causes: [
          "spec.must: FieldValueRequired",
          "spec.count: FieldValueInvalid",
          "spec.name: FieldValueTooLong",
          "spec.color: FieldValueNotSupported",
          "spec.list: FieldValueTooMany",
          "spec.on: FieldValueTypeInvalid",
        ],
      });
      answer.is({ details: { name: "a", group: `${t.stage.id}.example.com`, kind: "Widget" } });
      answer.is({ message: /spec\.count: Invalid value: 9: spec\.count in body should be less than or equal to 5/u });
      answer.is({ message: /spec\.color: Unsupported value: "blue": supported values: "red", "green"/u });
    },
  ],
  [
    "defaults are added on writes, at every depth that is there",
    "docs: custom resources, defaulting",
    async (t) => {
      const inner = { type: "object", default: {}, properties: { y: { type: "string", default: "why" } } };
      await declareKind(t, {
        spec: {
          default: {},
          properties: {
            x: { type: "integer", default: 5 },
            inner,
            other: { type: "object", properties: { z: { type: "integer", default: 1 } } },
          },
        },
      });
      const answer = await t.create("widgets", { metadata: { name: "a" } });
      assert.deepEqual(answer.at("spec"), { inner: { y: "why" }, x: 5 });
      assert.deepEqual((await t.create("widgets", { metadata: { name: "b" }, spec: { other: {} } })).at("spec.other"), {
        z: 1,
      });
    },
  ],
  [
    "defaults that a later schema has appear on reads",
    "docs: custom resources, defaulting on reads",
    async (t) => {
      const { name } = await declareKind(t, { spec: { properties: { x: integer } } });
      await t.create("widgets", { metadata: { name: "a" }, spec: {} });
      await t.patch("json", `${CRDS}/${name}`, [
        { op: "add", path: "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/x/default", value: 7 },
      ]);
      await until("the default is read", async () => (await t.get("widgets/a")).at("spec.x") === 7);
      await until("lists have it too", async () => (await t.get("widgets")).at("items.0.spec.x") === 7);
    },
  ],
  [
    "a null is replaced by the default unless it is nullable",
    "docs: custom resources, defaulting and nullable",
    async (t) => {
      await declareKind(t, {
        spec: {
          properties: {
            x: { type: "string", default: "d" },
            y: { type: "string", nullable: true, default: "d" },
            z: { type: "string" },
          },
        },
      });
      const answer = await t.create("widgets", { metadata: { name: "a" }, spec: { x: null, y: null, z: null } });
      assert.deepEqual(answer.at("spec"), { x: "d", y: null });
    },
  ],
  [
    "unknown fields are pruned, but not where they are preserved",
    "docs: custom resources, field pruning",
    async (t) => {
      const open = {
        type: "object",
        "x-kubernetes-preserve-unknown-fields": true,
        properties: { known: { type: "object", properties: { x: integer } } },
      };
      await declareKind(t, { spec: { properties: { open } } });
      const answer = await t.create("widgets", {
        metadata: { name: "a" },
        spec: { gone: 1, open: { kept: { deep: true }, known: { x: 1, gone: 1 } } },
        gone: 1,
      });
      assert.deepEqual(answer.at("spec"), { open: { kept: { deep: true }, known: { x: 1 } } });
      assert.equal(answer.at("gone"), undefined);
    },
  ],
  [
    "int-or-string takes both and nothing else",
    "docs: custom resources, x-kubernetes-int-or-string",
    async (t) => {
      await declareKind(t, { spec: { properties: { port: { "x-kubernetes-int-or-string": true } } } });
      (await t.create("widgets", { metadata: { name: "a" }, spec: { port: 80 } })).is({ spec: { port: 80 } });
      (await t.create("widgets", { metadata: { name: "b" }, spec: { port: "http" } })).is({ spec: { port: "http" } });
      await refused(t.create("widgets", { metadata: { name: "c" }, spec: { port: true } }), 422, "Invalid", {
        causes: ["spec.port: FieldValueTypeInvalid"],
      });
    },
  ],
  [
    "an embedded resource has apiVersion, kind and checked metadata",
    "docs: custom resources, x-kubernetes-embedded-resource",
    async (t) => {
      const embedded = {
        type: "object",
        "x-kubernetes-embedded-resource": true,
        "x-kubernetes-preserve-unknown-fields": true,
      };
      await declareKind(t, { spec: { properties: { object: embedded } } });
      await refused(
        t.create("widgets", { metadata: { name: "a" }, spec: { object: { metadata: {} } } }),
        422,
        "Invalid",
        {
          causes: ["spec.object.apiVersion: FieldValueRequired", "spec.object.kind: FieldValueRequired"],
        },
      );
      const object = { apiVersion: "v1", kind: "Pod", metadata: { name: "x", unknown: 1 }, spec: { any: 1 } };
      (await t.create("widgets", { metadata: { name: "a" }, spec: { object } })).is({
        spec: { object: { metadata: { name: "x", unknown: undefined }, spec: { any: 1 } } },
      });
    },
  ],
  [
    "items of a list of type map or set are unique",
    "docs: custom resources, merge strategy",
    async (t) => {
      const item = { type: "object", required: ["name"], properties: { name: string } };
      const map = {
        type: "array",
        items: item,
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["name"],
      };
      await declareKind(t, {
        spec: { properties: { map, set: { type: "array", items: string, "x-kubernetes-list-type": "set" } } },
      });
      await refused(
        t.create("widgets", {
          metadata: { name: "a" },
          spec: { map: [{ name: "x" }, { name: "x" }], set: ["y", "y"] },
        }),
        422,
        "Invalid",
        {
          causes: ["spec.map[1]: FieldValueDuplicate", "spec.set[1]: FieldValueDuplicate"],
        },
      );
    },
  ],
  [
    "one object is served in all versions, apiVersion rewritten",
    "docs: custom resources, versions; conversion None",
    async (t) => {
      const schema = {
        openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties: { x: integer } } } },
      };
      const versions = [
        { name: "v1", served: true, storage: true, schema },
        { name: "v2", served: true, storage: false, schema },
        { name: "v3", served: false, storage: false, schema },
      ];
      const { group: name } = await declareKind(t, { versions });
      await t.create("widgets", { metadata: { name: "a" }, spec: { x: 1 } });
      const path = `/apis/${name}/v2/namespaces/${t.namespace}/widgets`;
      (await t.get(`${path}/a`)).is({ apiVersion: `${name}/v2`, spec: { x: 1 } });
      await t.patch("merge", `${path}/a`, { spec: { x: 2 } });
      (await t.get("widgets/a")).is({ apiVersion: `${name}/v1`, spec: { x: 2 } });
      assert.equal((await t.send("GET", `/apis/${name}/v3/namespaces/${t.namespace}/widgets`)).status, 404);
      (await t.get(`/apis/${name}`)).is({ preferredVersion: { version: "v2" } });
    },
  ],
  [
    "selectable fields are field selectors",
    "docs: custom resources, selectable fields",
    async (t) => {
      await declareKind(t, {
        spec: { properties: { color: string, size: integer } },
        version: { selectableFields: [{ jsonPath: ".spec.color" }, { jsonPath: ".spec.size" }] },
      });
      await t.create("widgets", { metadata: { name: "a" }, spec: { color: "red", size: 1 } });
      await t.create("widgets", { metadata: { name: "b" }, spec: { color: "blue", size: 2 } });
      const names = async (fieldSelector: string): Promise<unknown> =>
        (await t.get("widgets", { fieldSelector })).names;
      assert.deepEqual(await names("spec.color=red"), ["a"]);
      assert.deepEqual(await names("spec.size=2,spec.color!=red"), ["b"]);
      await refused(t.get("widgets", { fieldSelector: "spec.other=x" }), 400, "BadRequest", {
        message: /field label not supported: spec\.other/u,
      });
    },
  ],
  [
    "the scale subresource reads and writes the declared paths",
    "docs: custom resources, scale subresource",
    async (t) => {
      const scale = {
        specReplicasPath: ".spec.replicas",
        statusReplicasPath: ".status.replicas",
        labelSelectorPath: ".status.selector",
      };
      await declareKind(t, {
        spec: { properties: { replicas: integer } },
        version: { subresources: { status: {}, scale } },
      });
      await t.create("widgets", { metadata: { name: "a" }, spec: { replicas: 2 } });
      await t.patch("merge", "widgets/a/status", { status: { replicas: 1, selector: "app=x" } });
      (await t.get("widgets/a/scale")).is({
        kind: "Scale",
        apiVersion: "autoscaling/v1",
        metadata: { name: "a" },
        spec: { replicas: 2 },
        status: { replicas: 1, selector: "app=x" },
      });
      (await t.patch("merge", "widgets/a/scale", { spec: { replicas: 5 } })).is({
        kind: "Scale",
        spec: { replicas: 5 },
      });
      (await t.get("widgets/a")).is({ spec: { replicas: 5 }, metadata: { generation: 2 } });
    },
  ],
  [
    "a cluster-scoped kind has no namespaces in its paths",
    "docs: custom resource definitions, scope",
    async (t) => {
      const { group: name } = await declareKind(t, { scope: "Cluster" });
      (await t.create("widgets", { metadata: { name: "a" } })).is({ metadata: { namespace: undefined } });
      assert.equal((await t.send("GET", `/apis/${name}/v1/namespaces/${t.namespace}/widgets`)).status, 404);
    },
  ],
  [
    "formats are checked",
    "docs: custom resources, formats",
    async (t) => {
      const formats = {
        day: "date",
        at: "date-time",
        host: "hostname",
        ip: "ipv4",
        raw: "byte",
        id: "uuid",
        mail: "email",
      };
      const properties = Object.fromEntries(
        Object.entries(formats).map(([field, format]) => [field, { type: "string", format }]),
      );
      await declareKind(t, { spec: { properties } });
      const bad = Object.fromEntries(Object.keys(formats).map((field) => [field, "!? not it"]));
      await refused(t.create("widgets", { metadata: { name: "a" }, spec: bad }), 422, "Invalid", {
        causes: Object.keys(formats).map((field) => `spec.${field}: FieldValueTypeInvalid`),
      });
      const good = {
        day: "2026-01-02",
        at: "2026-01-02T03:04:05Z",
        host: "a.example.com",
        ip: "1.2.3.4",
        raw: "YQ==",
        id: "11111111-1111-4111-8111-111111111111",
        mail: "a@example.com",
      };
      (await t.create("widgets", { metadata: { name: "a" }, spec: good })).has(201);
    },
  ],
  [
    "an integer beyond 2^53 is kept exactly",
    "apimachinery: int64 in unstructured objects",
    async (t) => {
      await declareKind(t, { spec: { properties: { big: { type: "integer", format: "int64" } } } });
      const { apiVersion, kind } = t.facts("widgets");
      const body = `{"apiVersion":"${apiVersion}","kind":"${kind}","metadata":{"name":"a"},"spec":{"big":9007199254740993}}`;
      await t.send("POST", "widgets", { body }).then((answer) => answer.has(201));
      match((await t.get("widgets/a")).text, /"big":9007199254740993/u);
    },
  ],
  [
    "status of a declared kind is validated on its own path",
    "docs: custom resources, status subresource",
    async (t) => {
      await declareKind(t, {
        status: { type: "object", properties: { count: integer } },
        version: { subresources: { status: {} } },
      });
      await t.create("widgets", { metadata: { name: "a" } });
      await refused(t.patch("merge", "widgets/a/status", { status: { count: "many" } }), 422, "Invalid", {
        causes: ["status.count: FieldValueTypeInvalid"],
      });
      (await t.patch("merge", "widgets/a/status", { status: { count: 1, extra: 1 } })).is({
        status: { count: 1, extra: undefined },
      });
    },
  ],
]);
