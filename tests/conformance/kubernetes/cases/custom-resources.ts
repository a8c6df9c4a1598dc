import assert from "node:assert/strict";
import { expectError } from "../suite/case-response.ts";
import { group } from "../suite/case.ts";
import type { Case } from "../suite/case.ts";
import { match } from "../suite/match.ts";
import { installCrd } from "../suite/objects.ts";
import { eventually } from "../../../support/eventually.ts";

const string = { type: "string" };

const integer = { type: "integer" };

const CRDS = "customresourcedefinitions";

/** Custom resources. */
export const CUSTOM_RESOURCES: readonly Case[] = group("custom objects", "requests", [
  [
    "types, bounds, patterns and enums are validated, each with a cause",
    "docs: custom resources, validation",
    async (t) => {
      await installCrd(t, {
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
      const response = await expectError(t.create("widgets", { metadata: { name: "a" }, spec }), 422, "Invalid", {
        causes: [
          "spec.must: FieldValueRequired",
          "spec.count: FieldValueInvalid",
          "spec.name: FieldValueTooLong",
          "spec.color: FieldValueNotSupported",
          "spec.list: FieldValueTooMany",
          "spec.on: FieldValueTypeInvalid",
        ],
      });
      response.expectShape({ details: { name: "a", group: `${t.stage.id}.example.com`, kind: "Widget" } });
      response.expectShape({
        message: /spec\.count: Invalid value: 9: spec\.count in body should be less than or equal to 5/u,
      });
      response.expectShape({ message: /spec\.color: Unsupported value: "blue": supported values: "red", "green"/u });
    },
  ],
  [
    "defaults are set on writes, at every existing depth",
    "docs: custom resources, defaulting",
    async (t) => {
      const inner = { type: "object", default: {}, properties: { y: { type: "string", default: "why" } } };
      await installCrd(t, {
        spec: {
          default: {},
          properties: {
            x: { type: "integer", default: 5 },
            inner,
            other: { type: "object", properties: { z: { type: "integer", default: 1 } } },
          },
        },
      });
      const response = await t.create("widgets", { metadata: { name: "a" } });
      assert.deepEqual(response.at("spec"), { inner: { y: "why" }, x: 5 });
      assert.deepEqual((await t.create("widgets", { metadata: { name: "b" }, spec: { other: {} } })).at("spec.other"), {
        z: 1,
      });
    },
  ],
  [
    "defaults of a later schema appear on reads",
    "docs: custom resources, defaulting on reads",
    async (t) => {
      const { name } = await installCrd(t, { spec: { properties: { x: integer } } });
      await t.create("widgets", { metadata: { name: "a" }, spec: {} });
      await t.patch("json", `${CRDS}/${name}`, [
        { op: "add", path: "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/x/default", value: 7 },
      ]);
      await eventually("the default is read", async () => (await t.get("widgets/a")).at("spec.x") === 7);
      await eventually("lists have it too", async () => (await t.get("widgets")).at("items.0.spec.x") === 7);
    },
  ],
  [
    "a null is replaced by the default unless the field is nullable",
    "docs: custom resources, defaulting and nullable",
    async (t) => {
      await installCrd(t, {
        spec: {
          properties: {
            x: { type: "string", default: "d" },
            y: { type: "string", nullable: true, default: "d" },
            z: { type: "string" },
          },
        },
      });
      const response = await t.create("widgets", { metadata: { name: "a" }, spec: { x: null, y: null, z: null } });
      assert.deepEqual(response.at("spec"), { x: "d", y: null });
    },
  ],
  [
    "unknown fields are pruned unless they are preserved",
    "docs: custom resources, field pruning",
    async (t) => {
      const open = {
        type: "object",
        "x-kubernetes-preserve-unknown-fields": true,
        properties: { known: { type: "object", properties: { x: integer } } },
      };
      await installCrd(t, { spec: { properties: { open } } });
      const response = await t.create("widgets", {
        metadata: { name: "a" },
        spec: { gone: 1, open: { kept: { deep: true }, known: { x: 1, gone: 1 } } },
        gone: 1,
      });
      assert.deepEqual(response.at("spec"), { open: { kept: { deep: true }, known: { x: 1 } } });
      assert.equal(response.at("gone"), undefined);
    },
  ],
  [
    "int-or-string accepts integers and strings only",
    "docs: custom resources, x-kubernetes-int-or-string",
    async (t) => {
      await installCrd(t, { spec: { properties: { port: { "x-kubernetes-int-or-string": true } } } });
      (await t.create("widgets", { metadata: { name: "a" }, spec: { port: 80 } })).expectShape({ spec: { port: 80 } });
      (await t.create("widgets", { metadata: { name: "b" }, spec: { port: "http" } })).expectShape({
        spec: { port: "http" },
      });
      await expectError(t.create("widgets", { metadata: { name: "c" }, spec: { port: true } }), 422, "Invalid", {
        causes: ["spec.port: FieldValueTypeInvalid"],
      });
    },
  ],
  [
    "an embedded resource has apiVersion, kind and validated metadata",
    "docs: custom resources, x-kubernetes-embedded-resource",
    async (t) => {
      const embedded = {
        type: "object",
        "x-kubernetes-embedded-resource": true,
        "x-kubernetes-preserve-unknown-fields": true,
      };
      await installCrd(t, { spec: { properties: { object: embedded } } });
      await expectError(
        t.create("widgets", { metadata: { name: "a" }, spec: { object: { metadata: {} } } }),
        422,
        "Invalid",
        {
          causes: ["spec.object.apiVersion: FieldValueRequired", "spec.object.kind: FieldValueRequired"],
        },
      );
      const object = { apiVersion: "v1", kind: "Pod", metadata: { name: "x", unknown: 1 }, spec: { any: 1 } };
      (await t.create("widgets", { metadata: { name: "a" }, spec: { object } })).expectShape({
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
      await installCrd(t, {
        spec: { properties: { map, set: { type: "array", items: string, "x-kubernetes-list-type": "set" } } },
      });
      await expectError(
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
    "one object is served in all versions with the requested apiVersion",
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
      const { group: name } = await installCrd(t, { versions });
      await t.create("widgets", { metadata: { name: "a" }, spec: { x: 1 } });
      const path = `/apis/${name}/v2/namespaces/${t.namespace}/widgets`;
      (await t.get(`${path}/a`)).expectShape({ apiVersion: `${name}/v2`, spec: { x: 1 } });
      await t.patch("merge", `${path}/a`, { spec: { x: 2 } });
      (await t.get("widgets/a")).expectShape({ apiVersion: `${name}/v1`, spec: { x: 2 } });
      assert.equal((await t.send("GET", `/apis/${name}/v3/namespaces/${t.namespace}/widgets`)).status, 404);
      (await t.get(`/apis/${name}`)).expectShape({ preferredVersion: { version: "v2" } });
    },
  ],
  [
    "selectable fields can be used in field selectors",
    "docs: custom resources, selectable fields",
    async (t) => {
      await installCrd(t, {
        spec: { properties: { color: string, size: integer } },
        version: { selectableFields: [{ jsonPath: ".spec.color" }, { jsonPath: ".spec.size" }] },
      });
      await t.create("widgets", { metadata: { name: "a" }, spec: { color: "red", size: 1 } });
      await t.create("widgets", { metadata: { name: "b" }, spec: { color: "blue", size: 2 } });
      const names = async (fieldSelector: string): Promise<unknown> =>
        (await t.get("widgets", { fieldSelector })).names;
      assert.deepEqual(await names("spec.color=red"), ["a"]);
      assert.deepEqual(await names("spec.size=2,spec.color!=red"), ["b"]);
      await expectError(t.get("widgets", { fieldSelector: "spec.other=x" }), 400, "BadRequest", {
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
      await installCrd(t, {
        spec: { properties: { replicas: integer } },
        version: { subresources: { status: {}, scale } },
      });
      await t.create("widgets", { metadata: { name: "a" }, spec: { replicas: 2 } });
      await t.patch("merge", "widgets/a/status", { status: { replicas: 1, selector: "app=x" } });
      (await t.get("widgets/a/scale")).expectShape({
        kind: "Scale",
        apiVersion: "autoscaling/v1",
        metadata: { name: "a" },
        spec: { replicas: 2 },
        status: { replicas: 1, selector: "app=x" },
      });
      (await t.patch("merge", "widgets/a/scale", { spec: { replicas: 5 } })).expectShape({
        kind: "Scale",
        spec: { replicas: 5 },
      });
      (await t.get("widgets/a")).expectShape({ spec: { replicas: 5 }, metadata: { generation: 2 } });
    },
  ],
  [
    "a cluster-scoped kind has no namespaces in its paths",
    "docs: custom resource definitions, scope",
    async (t) => {
      const { group: name } = await installCrd(t, { scope: "Cluster" });
      (await t.create("widgets", { metadata: { name: "a" } })).expectShape({ metadata: { namespace: undefined } });
      assert.equal((await t.send("GET", `/apis/${name}/v1/namespaces/${t.namespace}/widgets`)).status, 404);
    },
  ],
  [
    "formats are validated",
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
      await installCrd(t, { spec: { properties } });
      const bad = Object.fromEntries(Object.keys(formats).map((field) => [field, "!? not it"]));
      await expectError(t.create("widgets", { metadata: { name: "a" }, spec: bad }), 422, "Invalid", {
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
      (await t.create("widgets", { metadata: { name: "a" }, spec: good })).expectStatus(201);
    },
  ],
  [
    "an integer beyond 2^53 is preserved exactly",
    "apimachinery: int64 in unstructured objects",
    async (t) => {
      await installCrd(t, { spec: { properties: { big: { type: "integer", format: "int64" } } } });
      const { apiVersion, kind } = t.facts("widgets");
      const body = `{"apiVersion":"${apiVersion}","kind":"${kind}","metadata":{"name":"a"},"spec":{"big":9007199254740993}}`;
      await t.send("POST", "widgets", { body }).then((response) => response.expectStatus(201));
      match((await t.get("widgets/a")).text, /"big":9007199254740993/u);
    },
  ],
  [
    "the status of a custom resource is validated on the status subresource",
    "docs: custom resources, status subresource",
    async (t) => {
      await installCrd(t, {
        status: { type: "object", properties: { count: integer } },
        version: { subresources: { status: {} } },
      });
      await t.create("widgets", { metadata: { name: "a" } });
      await expectError(t.patch("merge", "widgets/a/status", { status: { count: "many" } }), 422, "Invalid", {
        causes: ["status.count: FieldValueTypeInvalid"],
      });
      (await t.patch("merge", "widgets/a/status", { status: { count: 1, extra: 1 } })).expectShape({
        status: { count: 1, extra: undefined },
      });
    },
  ],
]);
