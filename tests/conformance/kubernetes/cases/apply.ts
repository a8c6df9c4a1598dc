import assert from "node:assert/strict";
import { expectError } from "../suite/case-response.ts";
import type { CaseResponse } from "../suite/case-response.ts";
import { group } from "../suite/case.ts";
import type { Case } from "../suite/case.ts";
import { valueAt } from "../suite/match.ts";
import { installCrd, template } from "../suite/objects.ts";

/** Field managers with operation and fields. */
function managers(response: CaseResponse): Readonly<Record<string, unknown>> {
  const entries = response.list("metadata.managedFields").map((entry) => {
    const subresource = valueAt(entry, "subresource");
    const suffix = typeof subresource === "string" ? `/${subresource}` : "";
    const manager = `${String(valueAt(entry, "manager"))} ${String(valueAt(entry, "operation"))}${suffix}`;
    return [manager, valueAt(entry, "fieldsV1")];
  });
  return Object.fromEntries(entries) as Readonly<Record<string, unknown>>; // keys are texts
}

const deployment = (containers: readonly object[]): object => ({
  spec: { replicas: 0, selector: { matchLabels: { app: "a" } }, template: { ...template("a"), spec: { containers } } },
});

/** Server-side apply. */
export const APPLY: readonly Case[] = group("server-side apply", "requests", [
  [
    "apply creates with 201 and owns the applied fields",
    "docs: server-side apply",
    async (t) => {
      const response = await t.apply("configmaps/a", "one", { data: { x: "1" } });
      const fields = { fieldsType: "FieldsV1", fieldsV1: { "f:data": { "f:x": {} } } };
      const owned = { apiVersion: "v1", time: /Z$/u, ...fields };
      response.expectStatus(201).expectShape({
        data: { x: "1" },
        metadata: { managedFields: [{ manager: "one", operation: "Apply", ...owned }] },
      });
    },
  ],
  [
    "applying the same configuration again does not change the object or its resourceVersion",
    "docs: server-side apply; managedfields: no-op applies",
    async (t) => {
      const first = await t.apply("configmaps/a", "one", { data: { x: "1" } });
      const second = await t.apply("configmaps/a", "one", { data: { x: "1" } });
      second.expectStatus(200);
      assert.equal(second.at("metadata.resourceVersion"), first.at("metadata.resourceVersion"));
    },
  ],
  [
    "a value of another manager is a conflict that names manager and field",
    "docs: server-side apply, conflicts",
    async (t) => {
      await t.apply("configmaps/a", "one", { data: { x: "1" } });
      await expectError(t.apply("configmaps/a", "two", { data: { x: "2" } }), 409, "Conflict", {
        message: 'Apply failed with 1 conflict: conflict with "one": .data.x',
        details: { causes: [{ reason: "FieldManagerConflict", message: 'conflict with "one"', field: ".data.x" }] },
      });
    },
  ],
  [
    "a conflict with an updater names its version",
    "docs: server-side apply, conflicts",
    async (t) => {
      await t.create("configmaps", { metadata: { name: "a" }, data: { x: "1" } }, { fieldManager: "updater" });
      await expectError(t.apply("configmaps/a", "two", { data: { x: "2" } }), 409, "Conflict", {
        message: 'Apply failed with 1 conflict: conflict with "updater" using v1: .data.x',
      });
    },
  ],
  [
    "several conflicts are counted and listed",
    "structured-merge-diff: merge.Conflicts",
    async (t) => {
      await t.apply("configmaps/a", "one", { data: { x: "1", y: "1" } });
      await expectError(t.apply("configmaps/a", "two", { data: { x: "2", y: "2" } }), 409, "Conflict", {
        message: 'Apply failed with 2 conflicts: conflicts with "one":\n- .data.x\n- .data.y',
        causes: [".data.x: FieldManagerConflict", ".data.y: FieldManagerConflict"],
      });
    },
  ],
  [
    "force takes over the field",
    "docs: server-side apply, conflicts",
    async (t) => {
      await t.apply("configmaps/a", "one", { data: { x: "1", y: "1" } });
      const response = await t.apply("configmaps/a", "two", { data: { x: "2" } }, { force: true });
      response.expectShape({ data: { x: "2", y: "1" } });
      assert.deepEqual(managers(response), {
        "one Apply": { "f:data": { "f:y": {} } },
        "two Apply": { "f:data": { "f:x": {} } },
      });
    },
  ],
  [
    "equal values are shared without a conflict",
    "docs: server-side apply, sharing",
    async (t) => {
      await t.apply("configmaps/a", "one", { data: { x: "1" } });
      const response = await t.apply("configmaps/a", "two", { data: { x: "1" } });
      const fields = { "f:data": { "f:x": {} } };
      assert.deepEqual(managers(response), { "one Apply": fields, "two Apply": fields });
    },
  ],
  [
    "a field that its only manager no longer applies is removed",
    "docs: server-side apply, field management",
    async (t) => {
      await t.apply("configmaps/a", "one", { data: { x: "1", y: "1" } });
      const response = await t.apply("configmaps/a", "one", { data: { y: "1" } });
      assert.deepEqual(response.at("data"), { y: "1" });
      assert.deepEqual(managers(response), { "one Apply": { "f:data": { "f:y": {} } } });
    },
  ],
  [
    "a shared field stays when one manager gives it up",
    "docs: server-side apply, field management",
    async (t) => {
      await t.apply("configmaps/a", "one", { data: { x: "1", y: "1" } });
      await t.apply("configmaps/a", "two", { data: { x: "1" } });
      const response = await t.apply("configmaps/a", "one", { data: { y: "1" } });
      assert.deepEqual(response.at("data"), { x: "1", y: "1" });
      assert.deepEqual(managers(response), {
        "one Apply": { "f:data": { "f:y": {} } },
        "two Apply": { "f:data": { "f:x": {} } },
      });
    },
  ],
  [
    "an update takes ownership of the changed fields only",
    "docs: server-side apply, field management of updates",
    async (t) => {
      await t.apply("configmaps/a", "one", { data: { x: "1", y: "1" } });
      const response = await t.patch("merge", "configmaps/a", { data: { x: "2" } }, { fieldManager: "two" });
      assert.deepEqual(managers(response), {
        "one Apply": { "f:data": { "f:y": {} } },
        "two Update": { "f:data": { "f:x": {} } },
      });
    },
  ],
  [
    "a create owns all set fields, including the maps",
    "docs: server-side apply, managedFields of creates",
    async (t) => {
      const response = await t.create(
        "configmaps",
        { metadata: { name: "a", labels: { l: "1" } }, data: { x: "1" } },
        { fieldManager: "maker" },
      );
      assert.deepEqual(managers(response), {
        "maker Update": { "f:data": { ".": {}, "f:x": {} }, "f:metadata": { "f:labels": { ".": {}, "f:l": {} } } },
      });
    },
  ],
  [
    "without fieldManager a write is managed by the first part of the User-Agent",
    "apiserver: managerOrUserAgent",
    async (t) => {
      const response = await t.send("POST", "configmaps", {
        body: { metadata: { name: "a" }, data: { x: "1" } },
        headers: { "user-agent": "my-tool/1.2 (x)" },
      });
      response.expectShape({ metadata: { managedFields: [{ manager: "my-tool", operation: "Update" }] } });
    },
  ],
  [
    "apply needs a fieldManager",
    "apimachinery: validation.ValidatePatchOptions",
    async (t) => {
      const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };
      await expectError(t.patch("apply", "configmaps/a", body), 422, "Invalid", {
        causes: ["fieldManager: FieldValueRequired"],
        message: /is required for apply patch/u,
      });
    },
  ],
  [
    "apply needs apiVersion and kind",
    "apiserver: applyPatcher",
    async (t) => {
      await expectError(
        t.patch("apply", "configmaps/a", { metadata: { name: "a" } }, { fieldManager: "one" }),
        400,
        "BadRequest",
        { message: /[Kk]ind/u },
      );
    },
  ],
  [
    "apply with managedFields is a bad request",
    "docs: server-side apply; managedfields: metadata.managedFields must be nil",
    async (t) => {
      const metadata = {
        managedFields: [{ manager: "x", operation: "Apply", apiVersion: "v1", fieldsType: "FieldsV1", fieldsV1: {} }],
      };
      await expectError(t.apply("configmaps/a", "one", { metadata }), 400, "BadRequest", {
        message: "metadata.managedFields must be nil",
      });
    },
  ],
  [
    "apply with another name than in the path is a bad request",
    "apiserver: applyPatcher",
    async (t) =>
      void (await expectError(t.apply("configmaps/a", "one", { metadata: { name: "b" } }), 400, "BadRequest", {
        message: /does not match the name on the URL/u,
      })),
  ],
  [
    "apply with an outdated resourceVersion is a conflict",
    "docs: server-side apply; preconditions",
    async (t) => {
      const first = await t.apply("configmaps/a", "one", { data: { x: "1" } });
      await t.apply("configmaps/a", "one", { data: { x: "2" } });
      const metadata = { resourceVersion: first.str("metadata.resourceVersion") };
      await expectError(t.apply("configmaps/a", "one", { metadata, data: { x: "3" } }), 409, "Conflict", {
        message: /the object has been modified/u,
      });
    },
  ],
  [
    "list items are owned by key",
    "docs: server-side apply, list types; listMapKey",
    async (t) => {
      const response = await t.apply("deployments/a", "one", deployment([{ name: "x", image: "x:1" }]));
      const fields = managers(response)["one Apply"];
      const inner = valueAt(fields, "f:spec.f:template.f:spec.f:containers") as Readonly<Record<string, unknown>>; // fails below otherwise
      assert.deepEqual(inner, { 'k:{"name":"x"}': { ".": {}, "f:image": {}, "f:name": {} } });
    },
  ],
  [
    "two managers own different items of one list",
    "docs: server-side apply, list types",
    async (t) => {
      await t.apply("deployments/a", "one", deployment([{ name: "x", image: "x:1" }]));
      const spec = { template: { spec: { containers: [{ name: "y", image: "y:1" }] } } };
      const both = await t.apply("deployments/a", "two", { spec });
      both.expectShape({ spec: { template: { spec: { containers: [{ name: "x" }, { name: "y" }] } } } });
      const left = await t.apply("deployments/a", "two", {
        spec: { template: { metadata: { labels: { more: "1" } } } },
      });
      left.expectShape({ spec: { template: { spec: { containers: [{ name: "x" }] } } } });
    },
  ],
  [
    "container ports are keyed by port and protocol, including the default",
    "core: listMapKey of container ports",
    async (t) => {
      await t.apply("deployments/a", "one", deployment([{ name: "x", image: "x:1", ports: [{ containerPort: 80 }] }]));
      const spec = {
        template: { spec: { containers: [{ name: "x", ports: [{ containerPort: 80, protocol: "UDP" }] }] } },
      };
      const response = await t.apply("deployments/a", "two", { spec });
      const ports = response
        .list("spec.template.spec.containers.0.ports")
        .map((port) => `${String(valueAt(port, "containerPort"))} ${String(valueAt(port, "protocol"))}`);
      assert.deepEqual(ports.toSorted(), ["80 TCP", "80 UDP"]);
    },
  ],
  [
    "an atomic map is owned as a whole",
    "docs: server-side apply, mapType atomic; selectors",
    async (t) => {
      const response = await t.apply("deployments/a", "one", deployment([{ name: "x", image: "x:1" }]));
      assert.deepEqual(valueAt(managers(response)["one Apply"], "f:spec.f:selector"), {});
    },
  ],
  [
    "a status is applied through the subresource and has its own entry",
    "docs: server-side apply, subresources",
    async (t) => {
      await installCrd(t, {
        version: { subresources: { status: {} } },
        spec: { properties: { x: { type: "integer" } } },
      });
      await t.apply("widgets/a", "one", { spec: { x: 1 } });
      const response = await t.apply("widgets/a/status", "one", { status: { ready: true } });
      response.expectShape({ spec: { x: 1 }, status: { ready: true } });
      assert.deepEqual(managers(response), {
        "one Apply": { "f:spec": { "f:x": {} } },
        "one Apply/status": { "f:status": { "f:ready": {} } },
      });
    },
  ],
  [
    "a dry run of apply returns the result and does not store it",
    "docs: dry-run; server-side apply",
    async (t) => {
      (await t.apply("configmaps/a", "one", { data: { x: "1" } }, { dryRun: "All" }))
        .expectStatus(201)
        .expectShape({ data: { x: "1" } });
      await expectError(t.get("configmaps/a"), 404, "NotFound");
    },
  ],
  [
    "apply accepts YAML",
    "docs: server-side apply, content type",
    async (t) => {
      const body = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  x: |-\n    one\n    two\n";
      (await t.patch("apply", "configmaps/a", body, { fieldManager: "one" })).expectShape({ data: { x: "one\ntwo" } });
    },
  ],
  [
    "a custom list of type map is merged by its keys",
    "docs: custom resources, merge strategy",
    async (t) => {
      const item = {
        type: "object",
        required: ["name"],
        properties: { name: { type: "string" }, size: { type: "integer" } },
      };
      const list = {
        type: "array",
        items: item,
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["name"],
      };
      await installCrd(t, { spec: { properties: { parts: list } } });
      await t.apply("widgets/a", "one", { spec: { parts: [{ name: "x", size: 1 }] } });
      const response = await t.apply("widgets/a", "two", { spec: { parts: [{ name: "y", size: 2 }] } });
      response.expectShape({
        spec: {
          parts: [
            { name: "x", size: 1 },
            { name: "y", size: 2 },
          ],
        },
      });
      assert.deepEqual(managers(response)["two Apply"], {
        "f:spec": { "f:parts": { 'k:{"name":"y"}': { ".": {}, "f:name": {}, "f:size": {} } } },
      });
    },
  ],
  [
    "a custom list of type set is merged by value, one without type is atomic",
    "docs: custom resources, merge strategy",
    async (t) => {
      const strings = { type: "array", items: { type: "string" } };
      await installCrd(t, {
        spec: { properties: { tags: { ...strings, "x-kubernetes-list-type": "set" }, args: strings } },
      });
      await t.apply("widgets/a", "one", { spec: { tags: ["x"], args: ["1"] } });
      const response = await t.apply("widgets/a", "two", { spec: { tags: ["y"] } });
      response.expectShape({ spec: { tags: ["x", "y"], args: ["1"] } });
      assert.deepEqual(managers(response)["two Apply"], { "f:spec": { "f:tags": { 'v:"y"': {} } } });
      await expectError(t.apply("widgets/a", "two", { spec: { args: ["2"] } }), 409, "Conflict", {
        causes: [".spec.args: FieldManagerConflict"],
      });
    },
  ],
  [
    "managedFields can be cleared by an update with an empty entry",
    "docs: server-side apply, clearing managedFields",
    async (t) => {
      await t.apply("configmaps/a", "one", { data: { x: "1" } });
      const response = await t.patch("merge", "configmaps/a", { metadata: { managedFields: [{}] } });
      response.expectShape({ metadata: { managedFields: undefined } });
    },
  ],
  [
    "apply of a field that the schema does not declare is rejected",
    "managedfields: failed to create typed patch object",
    async (t) => {
      await expectError(t.apply("configmaps/a", "one", { nonsense: 1 }), 500, "", {
        message:
          "failed to create typed patch object (/a; /v1, Kind=ConfigMap): .nonsense: field not declared in schema",
      });
    },
  ],
  [
    "apply of YAML with a key twice is refused when strict",
    "apiserver: applyPatcher, strict decoding",
    async (t) => {
      const body = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  x: one\n  x: two\n";
      await expectError(
        t.patch("apply", "configmaps/a", body, { fieldManager: "one", fieldValidation: "Strict" }),
        400,
        "BadRequest",
        {
          message: /error strict decoding YAML: .*key "x" already set in map/su,
        },
      );
    },
  ],
  [
    "apply does not change fields of an updater that it omits",
    "docs: server-side apply, transferring ownership",
    async (t) => {
      await t.create("configmaps", { metadata: { name: "a" }, data: { x: "1" } }, { fieldManager: "updater" });
      const response = await t.apply("configmaps/a", "one", { data: { y: "1" } });
      assert.deepEqual(response.at("data"), { x: "1", y: "1" });
    },
  ],
]);
