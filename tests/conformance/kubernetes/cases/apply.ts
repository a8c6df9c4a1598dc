import assert from "node:assert/strict";
import { refused } from "../suite/answer.ts";
import type { Answer } from "../suite/answer.ts";
import { group } from "../suite/case.ts";
import type { Case } from "../suite/case.ts";
import { at } from "../suite/match.ts";
import { declareKind, template } from "../suite/objects.ts";

/** Who owns what: manager and operation, then the fields. */
function managers(answer: Answer): Readonly<Record<string, unknown>> {
  const entries = answer.list("metadata.managedFields").map((entry) => {
    const subresource = at(entry, "subresource");
    const suffix = typeof subresource === "string" ? `/${subresource}` : "";
    return [`${String(at(entry, "manager"))} ${String(at(entry, "operation"))}${suffix}`, at(entry, "fieldsV1")];
  });
  return Object.fromEntries(entries) as Readonly<Record<string, unknown>>; // keys are texts
}

const deployment = (containers: readonly object[]): object => ({
  spec: { replicas: 0, selector: { matchLabels: { app: "a" } }, template: { ...template("a"), spec: { containers } } },
});

/** Server-side apply. */
export const APPLY: readonly Case[] = group("server-side apply", "requests", [
  [
    "apply creates with 201 and owns what it names",
    "docs: server-side apply",
    async (t) => {
      const answer = await t.apply("configmaps/a", "one", { data: { x: "1" } });
      answer.has(201).is({
        data: { x: "1" },
        metadata: {
          managedFields: [
            {
              manager: "one",
              operation: "Apply",
              apiVersion: "v1",
              time: /Z$/u,
              fieldsType: "FieldsV1",
              fieldsV1: { "f:data": { "f:x": {} } },
            },
          ],
        },
      });
    },
  ],
  [
    "apply of the same again changes nothing, not even the resourceVersion",
    "docs: server-side apply; managedfields: no-op applies",
    async (t) => {
      const first = await t.apply("configmaps/a", "one", { data: { x: "1" } });
      const second = await t.apply("configmaps/a", "one", { data: { x: "1" } });
      second.has(200);
      assert.equal(second.at("metadata.resourceVersion"), first.at("metadata.resourceVersion"));
    },
  ],
  [
    "another manager's value is a conflict that names manager and field",
    "docs: server-side apply, conflicts",
    async (t) => {
      await t.apply("configmaps/a", "one", { data: { x: "1" } });
      await refused(t.apply("configmaps/a", "two", { data: { x: "2" } }), 409, "Conflict", {
        message: 'Apply failed with 1 conflict: conflict with "one": .data.x',
        details: { causes: [{ reason: "FieldManagerConflict", message: 'conflict with "one"', field: ".data.x" }] },
      });
    },
  ],
  [
    "conflicts with an updater name its version",
    "docs: server-side apply, conflicts",
    async (t) => {
      await t.create("configmaps", { metadata: { name: "a" }, data: { x: "1" } }, { fieldManager: "updater" });
      await refused(t.apply("configmaps/a", "two", { data: { x: "2" } }), 409, "Conflict", {
        message: 'Apply failed with 1 conflict: conflict with "updater" using v1: .data.x',
      });
    },
  ],
  [
    "several conflicts are counted and listed",
    "structured-merge-diff: merge.Conflicts",
    async (t) => {
      await t.apply("configmaps/a", "one", { data: { x: "1", y: "1" } });
      await refused(t.apply("configmaps/a", "two", { data: { x: "2", y: "2" } }), 409, "Conflict", {
        message: 'Apply failed with 2 conflicts: conflicts with "one":\n- .data.x\n- .data.y',
        causes: [".data.x: FieldManagerConflict", ".data.y: FieldManagerConflict"],
      });
    },
  ],
  [
    "force takes the field over",
    "docs: server-side apply, conflicts",
    async (t) => {
      await t.apply("configmaps/a", "one", { data: { x: "1", y: "1" } });
      const answer = await t.apply("configmaps/a", "two", { data: { x: "2" } }, { force: true });
      answer.is({ data: { x: "2", y: "1" } });
      assert.deepEqual(managers(answer), {
        "one Apply": { "f:data": { "f:y": {} } },
        "two Apply": { "f:data": { "f:x": {} } },
      });
    },
  ],
  [
    "equal values are shared, without a conflict",
    "docs: server-side apply, sharing",
    async (t) => {
      await t.apply("configmaps/a", "one", { data: { x: "1" } });
      const answer = await t.apply("configmaps/a", "two", { data: { x: "1" } });
      const fields = { "f:data": { "f:x": {} } };
      assert.deepEqual(managers(answer), { "one Apply": fields, "two Apply": fields });
    },
  ],
  [
    "a field that its only manager no longer applies is removed",
    "docs: server-side apply, field management",
    async (t) => {
      await t.apply("configmaps/a", "one", { data: { x: "1", y: "1" } });
      const answer = await t.apply("configmaps/a", "one", { data: { y: "1" } });
      assert.deepEqual(answer.at("data"), { y: "1" });
      assert.deepEqual(managers(answer), { "one Apply": { "f:data": { "f:y": {} } } });
    },
  ],
  [
    "a field that another manager shares stays when one gives it up",
    "docs: server-side apply, field management",
    async (t) => {
      await t.apply("configmaps/a", "one", { data: { x: "1", y: "1" } });
      await t.apply("configmaps/a", "two", { data: { x: "1" } });
      const answer = await t.apply("configmaps/a", "one", { data: { y: "1" } });
      assert.deepEqual(answer.at("data"), { x: "1", y: "1" });
      assert.deepEqual(managers(answer), {
        "one Apply": { "f:data": { "f:y": {} } },
        "two Apply": { "f:data": { "f:x": {} } },
      });
    },
  ],
  [
    "an update takes ownership of what it changes, and of nothing else",
    "docs: server-side apply, field management of updates",
    async (t) => {
      await t.apply("configmaps/a", "one", { data: { x: "1", y: "1" } });
      const answer = await t.patch("merge", "configmaps/a", { data: { x: "2" } }, { fieldManager: "two" });
      assert.deepEqual(managers(answer), {
        "one Apply": { "f:data": { "f:y": {} } },
        "two Update": { "f:data": { "f:x": {} } },
      });
    },
  ],
  [
    "a create owns all that it sets, the maps included",
    "docs: server-side apply, managedFields of creates",
    async (t) => {
      const answer = await t.create(
        "configmaps",
        { metadata: { name: "a", labels: { l: "1" } }, data: { x: "1" } },
        { fieldManager: "maker" },
      );
      assert.deepEqual(managers(answer), {
        "maker Update": { "f:data": { ".": {}, "f:x": {} }, "f:metadata": { "f:labels": { ".": {}, "f:l": {} } } },
      });
    },
  ],
  [
    "without fieldManager a write is managed by the User-Agent's first part",
    "apiserver: managerOrUserAgent",
    async (t) => {
      const answer = await t.send("POST", "configmaps", {
        body: { metadata: { name: "a" }, data: { x: "1" } },
        headers: { "user-agent": "my-tool/1.2 (x)" },
      });
      answer.is({ metadata: { managedFields: [{ manager: "my-tool", operation: "Update" }] } });
    },
  ],
  [
    "apply needs a fieldManager",
    "apimachinery: validation.ValidatePatchOptions",
    async (t) => {
      const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };
      await refused(t.patch("apply", "configmaps/a", body), 422, "Invalid", {
        causes: ["fieldManager: FieldValueRequired"],
        message: /is required for apply patch/u,
      });
    },
  ],
  [
    "apply needs apiVersion and kind",
    "apiserver: applyPatcher",
    async (t) => {
      await refused(
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
      await refused(t.apply("configmaps/a", "one", { metadata }), 400, "BadRequest", {
        message: "metadata.managedFields must be nil",
      });
    },
  ],
  [
    "apply with a name that is not that of the path is a bad request",
    "apiserver: applyPatcher",
    async (t) =>
      void (await refused(t.apply("configmaps/a", "one", { metadata: { name: "b" } }), 400, "BadRequest", {
        message: /does not match the name on the URL/u,
      })),
  ],
  [
    "apply with a resourceVersion that is old is a conflict",
    "docs: server-side apply; preconditions",
    async (t) => {
      const first = await t.apply("configmaps/a", "one", { data: { x: "1" } });
      await t.apply("configmaps/a", "one", { data: { x: "2" } });
      const metadata = { resourceVersion: first.str("metadata.resourceVersion") };
      await refused(t.apply("configmaps/a", "one", { metadata, data: { x: "3" } }), 409, "Conflict", {
        message: /the object has been modified/u,
      });
    },
  ],
  [
    "list items are owned by their keys",
    "docs: server-side apply, list types; listMapKey",
    async (t) => {
      const answer = await t.apply("deployments/a", "one", deployment([{ name: "x", image: "x:1" }]));
      const fields = managers(answer)["one Apply"];
      const inner = at(fields, "f:spec.f:template.f:spec.f:containers") as Readonly<Record<string, unknown>>; // fails below otherwise
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
      both.is({ spec: { template: { spec: { containers: [{ name: "x" }, { name: "y" }] } } } });
      const left = await t.apply("deployments/a", "two", {
        spec: { template: { metadata: { labels: { more: "1" } } } },
      });
      left.is({ spec: { template: { spec: { containers: [{ name: "x" }] } } } });
    },
  ],
  [
    "container ports are keyed by port and protocol, the default included",
    "core: listMapKey of container ports",
    async (t) => {
      await t.apply("deployments/a", "one", deployment([{ name: "x", image: "x:1", ports: [{ containerPort: 80 }] }]));
      const spec = {
        template: { spec: { containers: [{ name: "x", ports: [{ containerPort: 80, protocol: "UDP" }] }] } },
      };
      const answer = await t.apply("deployments/a", "two", { spec });
      const ports = answer
        .list("spec.template.spec.containers.0.ports")
        .map((port) => `${String(at(port, "containerPort"))} ${String(at(port, "protocol"))}`);
      assert.deepEqual(ports.toSorted(), ["80 TCP", "80 UDP"]);
    },
  ],
  [
    "an atomic map is owned as a whole",
    "docs: server-side apply, mapType atomic; selectors",
    async (t) => {
      const answer = await t.apply("deployments/a", "one", deployment([{ name: "x", image: "x:1" }]));
      assert.deepEqual(at(managers(answer)["one Apply"], "f:spec.f:selector"), {});
    },
  ],
  [
    "a status is applied on its own path and has its own entry",
    "docs: server-side apply, subresources",
    async (t) => {
      await declareKind(t, {
        version: { subresources: { status: {} } },
        spec: { properties: { x: { type: "integer" } } },
      });
      await t.apply("widgets/a", "one", { spec: { x: 1 } });
      const answer = await t.apply("widgets/a/status", "one", { status: { ready: true } });
      answer.is({ spec: { x: 1 }, status: { ready: true } });
      assert.deepEqual(managers(answer), {
        "one Apply": { "f:spec": { "f:x": {} } },
        "one Apply/status": { "f:status": { "f:ready": {} } },
      });
    },
  ],
  [
    "a dry run of apply answers and stores nothing",
    "docs: dry-run; server-side apply",
    async (t) => {
      (await t.apply("configmaps/a", "one", { data: { x: "1" } }, { dryRun: "All" })).has(201).is({ data: { x: "1" } });
      await refused(t.get("configmaps/a"), 404, "NotFound");
    },
  ],
  [
    "apply reads YAML",
    "docs: server-side apply, content type",
    async (t) => {
      const body = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  x: |-\n    one\n    two\n";
      (await t.patch("apply", "configmaps/a", body, { fieldManager: "one" })).is({ data: { x: "one\ntwo" } });
    },
  ],
  [
    "a declared list of type map is merged by its keys",
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
      await declareKind(t, { spec: { properties: { parts: list } } });
      await t.apply("widgets/a", "one", { spec: { parts: [{ name: "x", size: 1 }] } });
      const answer = await t.apply("widgets/a", "two", { spec: { parts: [{ name: "y", size: 2 }] } });
      answer.is({
        spec: {
          parts: [
            { name: "x", size: 1 },
            { name: "y", size: 2 },
          ],
        },
      });
      assert.deepEqual(managers(answer)["two Apply"], {
        "f:spec": { "f:parts": { 'k:{"name":"y"}': { ".": {}, "f:name": {}, "f:size": {} } } },
      });
    },
  ],
  [
    "a declared list of type set is merged by value, one without type is atomic",
    "docs: custom resources, merge strategy",
    async (t) => {
      const strings = { type: "array", items: { type: "string" } };
      await declareKind(t, {
        spec: { properties: { tags: { ...strings, "x-kubernetes-list-type": "set" }, args: strings } },
      });
      await t.apply("widgets/a", "one", { spec: { tags: ["x"], args: ["1"] } });
      const answer = await t.apply("widgets/a", "two", { spec: { tags: ["y"] } });
      answer.is({ spec: { tags: ["x", "y"], args: ["1"] } });
      assert.deepEqual(managers(answer)["two Apply"], { "f:spec": { "f:tags": { 'v:"y"': {} } } });
      await refused(t.apply("widgets/a", "two", { spec: { args: ["2"] } }), 409, "Conflict", {
        causes: [".spec.args: FieldManagerConflict"],
      });
    },
  ],
  [
    "managedFields can be cleared by an update with an empty entry",
    "docs: server-side apply, clearing managedFields",
    async (t) => {
      await t.apply("configmaps/a", "one", { data: { x: "1" } });
      const answer = await t.patch("merge", "configmaps/a", { metadata: { managedFields: [{}] } });
      answer.is({ metadata: { managedFields: undefined } });
    },
  ],
  [
    "apply of a field that the schema does not declare is refused",
    "managedfields: failed to create typed patch object",
    async (t) => {
      await refused(t.apply("configmaps/a", "one", { nonsense: 1 }), 500, "", {
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
      await refused(
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
    "apply leaves alone what an updater has set and it does not name",
    "docs: server-side apply, transferring ownership",
    async (t) => {
      await t.create("configmaps", { metadata: { name: "a" }, data: { x: "1" } }, { fieldManager: "updater" });
      const answer = await t.apply("configmaps/a", "one", { data: { y: "1" } });
      assert.deepEqual(answer.at("data"), { x: "1", y: "1" });
    },
  ],
]);
