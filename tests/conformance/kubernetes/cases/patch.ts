import assert from "node:assert/strict";
import { expectError } from "../suite/case-response.ts";
import { group } from "../suite/case.ts";
import type { Case } from "../suite/case.ts";
import { valueAt } from "../suite/match.ts";
import { createPod, installCrd, podSpec } from "../suite/objects.ts";

const CONTAINERS = [
  {
    name: "a",
    image: "a:1",
    env: [
      { name: "X", value: "1" },
      { name: "Y", value: "2" },
    ],
  },
  { name: "b", image: "b:1" },
];
const POD_TEMPLATE = { template: { metadata: { labels: { app: "a" } }, spec: podSpec({ containers: CONTAINERS }) } };

const names = (list: unknown): unknown => (list as readonly unknown[]).map((item) => valueAt(item, "name"));

/** JSON patches and merge patches. */
export const PATCH: readonly Case[] = group("patch", "requests", [
  [
    "a JSON patch adds, replaces, removes, copies and moves",
    "RFC 6902",
    async (t) => {
      await t.create("configmaps", { metadata: { name: "a" }, data: { one: "1", two: "2", three: "3" } });
      const response = await t.patch("json", "configmaps/a", [
        { op: "test", path: "/data/one", value: "1" },
        { op: "add", path: "/data/four", value: "4" },
        { op: "replace", path: "/data/two", value: "II" },
        { op: "remove", path: "/data/three" },
        { op: "copy", from: "/data/one", path: "/data/copied" },
        { op: "move", from: "/data/one", path: "/data/moved" },
      ]);
      assert.deepEqual(response.at("data"), { copied: "1", four: "4", moved: "1", two: "II" });
    },
  ],
  [
    "a JSON patch with a failed test is invalid",
    "apiserver: jsonPatcher",
    async (t) => {
      await t.create("configmaps", { metadata: { name: "a" }, data: { one: "1" } });
      await expectError(
        t.patch("json", "configmaps/a", [{ op: "test", path: "/data/one", value: "2" }]),
        422,
        "Invalid",
        {
          message: /the server rejected our request due to an error in our request|testing value \/data\/one failed/u,
        },
      );
    },
  ],
  [
    "a JSON patch that removes a missing field is invalid",
    "apiserver: jsonPatcher",
    async (t) => {
      await t.create("configmaps", { metadata: { name: "a" }, data: { one: "1" } });
      await expectError(t.patch("json", "configmaps/a", [{ op: "remove", path: "/data/absent" }]), 422, "Invalid");
    },
  ],
  [
    "a JSON patch that is not a list is a bad request",
    "apiserver: jsonPatcher",
    async (t) => {
      await t.create("configmaps", { metadata: { name: "a" } });
      await expectError(t.patch("json", "configmaps/a", { data: { x: "1" } }), 400, "BadRequest", {
        message: /patch/u,
      });
    },
  ],
  [
    "a JSON patch accepts keys with slashes and tildes",
    "RFC 6901",
    async (t) => {
      await t.create("configmaps", { metadata: { name: "a", annotations: { "example.com/x": "1" } } });
      const patch = [{ op: "replace", path: "/metadata/annotations/example.com~1x", value: "2" }];
      (await t.patch("json", "configmaps/a", patch)).expectShape({
        metadata: { annotations: { "example.com/x": "2" } },
      });
    },
  ],
  [
    "a JSON patch inserts into a list by index and at its end",
    "RFC 6902",
    async (t) => {
      await t.create("configmaps", { metadata: { name: "a", finalizers: ["example.com/b"] } });
      const patch = [
        { op: "add", path: "/metadata/finalizers/0", value: "example.com/a" },
        { op: "add", path: "/metadata/finalizers/-", value: "example.com/c" },
      ];
      const response = await t.patch("json", "configmaps/a", patch);
      assert.deepEqual(response.at("metadata.finalizers"), ["example.com/a", "example.com/b", "example.com/c"]);
    },
  ],
  [
    "a JSON patch of more than 10,000 operations is too large",
    "apiserver: maxJSONPatchOperations",
    async (t) => {
      await t.create("configmaps", { metadata: { name: "a" }, data: { one: "1" } });
      const patch = Array.from({ length: 10_001 }, () => ({ op: "test", path: "/data/one", value: "1" }));
      await expectError(t.patch("json", "configmaps/a", patch), 413, "RequestEntityTooLarge");
    },
  ],
  [
    "a merge patch adds, changes and removes with null, and replaces lists",
    "RFC 7386",
    async (t) => {
      await t.create("configmaps", {
        metadata: { name: "a", finalizers: ["example.com/a", "example.com/b"] },
        data: { one: "1", two: "2" },
      });
      const response = await t.patch("merge", "configmaps/a", {
        metadata: { finalizers: ["example.com/c"] },
        data: { one: null, three: "3" },
      });
      assert.deepEqual(response.at("data"), { three: "3", two: "2" });
      assert.deepEqual(response.at("metadata.finalizers"), ["example.com/c"]);
    },
  ],
  [
    "a merge patch that is not an object is a bad request",
    "apiserver: jsonPatcher, merge",
    async (t) => {
      await t.create("configmaps", { metadata: { name: "a" } });
      await expectError(t.patch("merge", "configmaps/a", "[1]"), 400, "BadRequest");
      await expectError(t.patch("merge", "configmaps/a", "{"), 400, "BadRequest");
    },
  ],
  [
    "a patch with an outdated resourceVersion is a conflict",
    "API concepts: patch and optimistic locking",
    async (t) => {
      const first = await t.create("configmaps", { metadata: { name: "a" } });
      await t.patch("merge", "configmaps/a", { data: { x: "1" } });
      const metadata = { resourceVersion: first.str("metadata.resourceVersion") };
      await expectError(t.patch("merge", "configmaps/a", { metadata, data: { x: "2" } }), 409, "Conflict");
      await expectError(
        t.patch("json", "configmaps/a", [
          { op: "replace", path: "/metadata/resourceVersion", value: metadata.resourceVersion },
          { op: "add", path: "/data/x", value: "2" },
        ]),
        409,
        "Conflict",
      );
    },
  ],
  [
    "a patch with an invalid result is invalid",
    "apiserver: patch handler validates",
    async (t) => {
      await t.create("configmaps", { metadata: { name: "a" } });
      await expectError(t.patch("merge", "configmaps/a", { data: { "bad key!": "x" } }), 422, "Invalid", {
        causes: ["data[bad key!]: FieldValueInvalid"],
      });
    },
  ],
  [
    "a patch that changes a name is rejected",
    "apiserver: patch handler; rest.BeforeUpdate",
    async (t) => {
      await t.create("configmaps", { metadata: { name: "a" } });
      await expectError(t.patch("merge", "configmaps/a", { metadata: { name: "b" } }), 400, "BadRequest", {
        message: "the name of the object (b) does not match the name on the URL (a)",
      });
    },
  ],
  [
    "a patch of a missing object is not found",
    "apiserver: patch handler",
    async (t) => void (await expectError(t.patch("merge", "configmaps/absent", {}), 404, "NotFound")),
  ],
  [
    "a patch of an unknown media type is unsupported",
    "apiserver: negotiation.NewUnsupportedMediaTypeError",
    async (t) => {
      await t.create("configmaps", { metadata: { name: "a" } });
      const headers = { "content-type": "application/json" };
      await expectError(t.send("PATCH", "configmaps/a", { body: {}, headers }), 415, "UnsupportedMediaType", {
        message: "415: Unsupported Media Type",
      });
    },
  ],
  [
    "a strategic merge patch of a custom resource is unsupported",
    "docs: custom resources, supported patches",
    async (t) => {
      await installCrd(t);
      await t.create("widgets", { metadata: { name: "a" } });
      await expectError(t.patch("strategic", "widgets/a", { spec: {} }), 415, "UnsupportedMediaType");
    },
  ],
  [
    "a patch without changes keeps the resourceVersion",
    "apiserver: registry store, no-op updates",
    async (t) => {
      const first = await t.create("configmaps", { metadata: { name: "a" }, data: { x: "1" } });
      const second = await t.patch("merge", "configmaps/a", { data: { x: "1" } });
      assert.equal(second.at("metadata.resourceVersion"), first.at("metadata.resourceVersion"));
    },
  ],
  [
    "force is for apply only",
    "apimachinery: validation.ValidatePatchOptions",
    async (t) => {
      await t.create("configmaps", { metadata: { name: "a" } });
      await expectError(t.patch("merge", "configmaps/a", {}, { force: true }), 422, "Invalid", {
        causes: ["force: FieldValueForbidden"],
      });
    },
  ],
]);

/** Strategic merge patches of built-in kinds. */
export const STRATEGIC: readonly Case[] = group("strategic patch", "requests", [
  [
    "lists with a merge key are merged by it",
    "docs: strategic merge patch; patchMergeKey",
    async (t) => {
      await t.create("podtemplates", { metadata: { name: "a" }, ...POD_TEMPLATE });
      const containers = [
        { name: "b", image: "b:2" },
        { name: "c", image: "c:1" },
      ];
      const response = await t.patch("strategic", "podtemplates/a", { template: { spec: { containers } } });
      response.expectShape({
        template: { spec: { containers: [{ name: "a", image: "a:1" }, { name: "b", image: "b:2" }, { name: "c" }] } },
      });
    },
  ],
  [
    "nested lists with a merge key are merged too",
    "docs: strategic merge patch",
    async (t) => {
      await t.create("podtemplates", { metadata: { name: "a" }, ...POD_TEMPLATE });
      const containers = [{ name: "a", env: [{ name: "Y", value: "3" }] }];
      const response = await t.patch("strategic", "podtemplates/a", { template: { spec: { containers } } });
      const env = valueAt(response.json, "template.spec.containers.0.env") as readonly unknown[]; // fails below otherwise
      assert.deepEqual(Object.fromEntries(env.map((item) => [valueAt(item, "name"), valueAt(item, "value")])), {
        X: "1",
        Y: "3",
      });
    },
  ],
  [
    "$patch: delete removes an item of a list",
    "docs: strategic merge patch, delete directive",
    async (t) => {
      await t.create("podtemplates", { metadata: { name: "a" }, ...POD_TEMPLATE });
      const containers = [{ name: "a", $patch: "delete" }];
      const response = await t.patch("strategic", "podtemplates/a", { template: { spec: { containers } } });
      assert.deepEqual(names(response.at("template.spec.containers")), ["b"]);
    },
  ],
  [
    "$patch: replace replaces a list",
    "docs: strategic merge patch, replace directive",
    async (t) => {
      await t.create("podtemplates", { metadata: { name: "a" }, ...POD_TEMPLATE });
      const containers = [{ $patch: "replace" }, { name: "z", image: "z:1" }];
      const response = await t.patch("strategic", "podtemplates/a", { template: { spec: { containers } } });
      assert.deepEqual(names(response.at("template.spec.containers")), ["z"]);
    },
  ],
  [
    "$patch: replace replaces a map",
    "docs: strategic merge patch, replace directive",
    async (t) => {
      await t.create("configmaps", { metadata: { name: "a" }, data: { one: "1", two: "2" } });
      const response = await t.patch("strategic", "configmaps/a", { data: { $patch: "replace", three: "3" } });
      assert.deepEqual(response.at("data"), { three: "3" });
    },
  ],
  [
    "$setElementOrder orders a list",
    "docs: strategic merge patch, setElementOrder",
    async (t) => {
      await t.create("podtemplates", { metadata: { name: "a" }, ...POD_TEMPLATE });
      const spec = {
        "$setElementOrder/containers": [{ name: "b" }, { name: "a" }],
        containers: [{ name: "a", image: "a:2" }],
      };
      const response = await t.patch("strategic", "podtemplates/a", { template: { spec } });
      assert.deepEqual(names(response.at("template.spec.containers")), ["b", "a"]);
    },
  ],
  [
    "$retainKeys drops the other keys",
    "docs: strategic merge patch, retainKeys",
    async (t) => {
      const spec = {
        selector: { matchLabels: { app: "a" } },
        ...POD_TEMPLATE,
        strategy: { rollingUpdate: { maxSurge: 2 } },
        replicas: 0,
      };
      await t.create("deployments", { metadata: { name: "a" }, spec });
      const response = await t.patch("strategic", "deployments/a", {
        spec: { strategy: { $retainKeys: ["type"], type: "Recreate" } },
      });
      assert.deepEqual(response.at("spec.strategy"), { type: "Recreate" });
    },
  ],
  [
    "$deleteFromPrimitiveList removes values",
    "docs: strategic merge patch, deleteFromPrimitiveList",
    async (t) => {
      await t.create("configmaps", { metadata: { name: "a", finalizers: ["example.com/a", "example.com/b"] } });
      const metadata = { "$deleteFromPrimitiveList/finalizers": ["example.com/a"], finalizers: ["example.com/c"] };
      const response = await t.patch("strategic", "configmaps/a", { metadata });
      assert.deepEqual((response.at("metadata.finalizers") as string[]).toSorted(), ["example.com/b", "example.com/c"]);
    },
  ],
  [
    "lists without a merge key are replaced",
    "docs: strategic merge patch, atomic lists",
    async (t) => {
      await t.create("podtemplates", {
        metadata: { name: "a" },
        template: { spec: podSpec({ containers: [{ name: "a", image: "a", args: ["1", "2"] }] }) },
      });
      const containers = [{ name: "a", args: ["3"] }];
      (await t.patch("strategic", "podtemplates/a", { template: { spec: { containers } } })).expectShape({
        template: { spec: { containers: [{ args: ["3"] }] } },
      });
    },
  ],
  [
    "null removes a field",
    "docs: strategic merge patch",
    async (t) => {
      await t.create("configmaps", { metadata: { name: "a", labels: { x: "1", y: "2" } } });
      (await t.patch("strategic", "configmaps/a", { metadata: { labels: { x: null } } })).expectShape({
        metadata: { labels: { x: undefined, y: "2" } },
      });
    },
  ],
  [
    "an item without its merge key is rejected",
    "apimachinery: strategicpatch, no merge key",
    async (t) => {
      await t.create("podtemplates", { metadata: { name: "a" }, ...POD_TEMPLATE });
      const response = await t.send("PATCH", "podtemplates/a", {
        body: { template: { spec: { containers: [{ image: "x" }] } } },
        headers: { "content-type": "application/strategic-merge-patch+json" },
      });
      response.expectShape({
        kind: "Status",
        status: "Failure",
        message: /does not contain declared merge key: name/u,
      });
    },
  ],
  [
    "service ports are merged by port, tolerations are replaced",
    "core: patchMergeKey of service ports, tolerations are atomic",
    async (t) => {
      await t.create("services", { metadata: { name: "a" }, spec: { ports: [{ name: "x", port: 80 }] } });
      const response = await t.patch("strategic", "services/a", { spec: { ports: [{ name: "y", port: 81 }] } });
      assert.deepEqual(names(response.at("spec.ports")), ["y", "x"]);
      await createPod(t, "p", { tolerations: [{ key: "a", operator: "Exists" }] });
      await t.create("podtemplates", {
        metadata: { name: "t" },
        template: { spec: podSpec({ tolerations: [{ key: "a", operator: "Exists" }] }) },
      });
      const spec = { tolerations: [{ key: "b", operator: "Exists" }] };
      (await t.patch("strategic", "podtemplates/t", { template: { spec } })).expectShape({
        template: { spec: { tolerations: [{ key: "b" }] } },
      });
    },
  ],
]);
