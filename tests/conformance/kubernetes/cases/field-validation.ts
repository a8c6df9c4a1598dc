import assert from "node:assert/strict";
import { expectError } from "../suite/case-response.ts";
import type { CaseResponse } from "../suite/case-response.ts";
import { group } from "../suite/case.ts";
import type { Case } from "../suite/case.ts";
import { match } from "../suite/match.ts";
import { createPod, installCrd, workload } from "../suite/objects.ts";

function warnings(response: CaseResponse): string {
  return response.headers["warning"] ?? "";
}

const UNKNOWN = { metadata: { name: "a" }, data: { x: "1" }, nonsense: 1 };

/** Unknown and duplicate fields, and warnings. */
export const FIELD_VALIDATION: readonly Case[] = group("field validation", "requests", [
  [
    "an unknown field is dropped with a warning by default",
    "docs: field validation, Warn",
    async (t) => {
      const response = await t.create("configmaps", UNKNOWN);
      response.expectShape({ nonsense: undefined, data: { x: "1" } });
      assert.equal(warnings(response), '299 - "unknown field \\"nonsense\\""');
    },
  ],
  [
    "an unknown field is dropped without a warning under Ignore",
    "docs: field validation, Ignore",
    async (t) => {
      const response = await t.create("configmaps", UNKNOWN, { fieldValidation: "Ignore" });
      assert.equal(warnings(response), "");
    },
  ],
  [
    "an unknown field is an error under Strict",
    "docs: field validation, Strict",
    async (t) => {
      await expectError(t.create("configmaps", UNKNOWN, { fieldValidation: "Strict" }), 400, "BadRequest", {
        message:
          'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "nonsense"',
      });
      await expectError(t.get("configmaps/a"), 404, "NotFound");
    },
  ],
  [
    "a nested unknown field is named with its path",
    "docs: field validation",
    async (t) => {
      const spec = workload("a", {
        template: { metadata: { labels: { app: "a" } }, spec: { containers: [{ name: "a", image: "a", imag: "b" }] } },
      });
      await expectError(
        t.create("deployments", { metadata: { name: "a" }, spec }, { fieldValidation: "Strict" }),
        400,
        "BadRequest",
        {
          message: /strict decoding error: unknown field "spec\.template\.spec\.containers\[0\]\.imag"/u,
        },
      );
    },
  ],
  [
    "a duplicate key is a warning by default, and the last value wins",
    "docs: field validation, duplicate fields",
    async (t) => {
      const response = await t.send("POST", "configmaps", {
        body: '{"metadata":{"name":"a"},"data":{"x":"1","x":"2"}}',
      });
      response.expectStatus(201).expectShape({ data: { x: "2" } });
      assert.equal(warnings(response), '299 - "duplicate field \\"data.x\\""');
    },
  ],
  [
    "a duplicate key is an error under Strict",
    "docs: field validation, duplicate fields",
    async (t) => {
      const body = '{"metadata":{"name":"a"},"data":{"x":"1","x":"2"}}';
      await expectError(
        t.send("POST", "configmaps", { body, query: { fieldValidation: "Strict" } }),
        400,
        "BadRequest",
        {
          message: /strict decoding error: duplicate field "data\.x"/u,
        },
      );
    },
  ],
  [
    "several problems are listed together",
    "docs: field validation",
    async (t) => {
      await expectError(
        t.create("configmaps", { ...UNKNOWN, more: 2 }, { fieldValidation: "Strict" }),
        400,
        "BadRequest",
        {
          message:
            /strict decoding error: unknown field "more", unknown field "nonsense"|strict decoding error: unknown field "nonsense", unknown field "more"/u,
        },
      );
    },
  ],
  [
    "an unknown fieldValidation is invalid",
    "apimachinery: validation.ValidateFieldValidation",
    async (t) => {
      await expectError(t.create("configmaps", UNKNOWN, { fieldValidation: "Sometimes" }), 422, "Invalid", {
        causes: ["fieldValidation: FieldValueNotSupported"],
      });
    },
  ],
  [
    "unknown fields in updates and patches are reported too",
    "docs: field validation",
    async (t) => {
      await t.create("configmaps", { metadata: { name: "a" } });
      await expectError(t.replace("configmaps/a", UNKNOWN, { fieldValidation: "Strict" }), 400, "BadRequest", {
        message: /unknown field "nonsense"/u,
      });
      await expectError(
        t.patch("merge", "configmaps/a", { nonsense: 1 }, { fieldValidation: "Strict" }),
        422,
        "Invalid",
        {
          message: /unknown field "nonsense"/u,
        },
      );
      const response = await t.patch("merge", "configmaps/a", { nonsense: 1 });
      assert.equal(warnings(response), '299 - "unknown field \\"nonsense\\""');
    },
  ],
  [
    "unknown fields of a custom resource are pruned with a warning, and rejected under Strict",
    "docs: field validation of custom resources",
    async (t) => {
      await installCrd(t, { spec: { properties: { x: { type: "integer" } } } });
      const response = await t.create("widgets", { metadata: { name: "a" }, spec: { x: 1, y: 2 } });
      response.expectShape({ spec: { x: 1, y: undefined } });
      assert.equal(warnings(response), '299 - "unknown field \\"spec.y\\""');
      await expectError(
        t.create("widgets", { metadata: { name: "b" }, spec: { x: 1, y: 2 } }, { fieldValidation: "Strict" }),
        400,
        "BadRequest",
        {
          message: /strict decoding error: unknown field "spec\.y"/u,
        },
      );
    },
  ],
  [
    "unknown fields in the metadata of a custom resource are reported",
    "docs: field validation of custom resources",
    async (t) => {
      await installCrd(t);
      await expectError(
        t.create("widgets", { metadata: { name: "a", nonsense: 1 } }, { fieldValidation: "Strict" }),
        400,
        "BadRequest",
        {
          message: /unknown field "metadata\.nonsense"/u,
        },
      );
    },
  ],
  [
    "a value of the wrong type is a bad request that names the field",
    "apimachinery: json decoding of built-in kinds",
    async (t) => {
      await expectError(t.create("configmaps", { metadata: { name: "a" }, data: { x: 1 } }), 400, "BadRequest", {
        message: /^ConfigMap in version "v1" cannot be handled as a ConfigMap: json: .*data.*string/u,
      });
    },
  ],
  [
    "null equals absent in a built-in kind",
    "apimachinery: json decoding of built-in kinds",
    async (t) => {
      (await t.create("configmaps", { metadata: { name: "a", labels: null }, data: null })).expectShape({
        data: undefined,
        metadata: { labels: undefined },
      });
    },
  ],
  [
    "a pod name that is not a valid hostname returns a warning",
    "core: pod warnings",
    async (t) => {
      const response = await createPod(t, "a.b");
      match(
        warnings(response),
        /metadata\.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended/u,
      );
    },
  ],
  [
    "the deprecated endpoints API returns a warning",
    "core: deprecated API warnings",
    async (t) => {
      const response = await t.create("endpoints", { metadata: { name: "a" }, subsets: [] });
      match(warnings(response), /v1 Endpoints is deprecated in v1\.33\+; use discovery\.k8s\.io\/v1 EndpointSlice/u);
    },
  ],
  [
    "a deprecated version of a custom resource returns a warning",
    "docs: custom resources, version deprecation",
    async (t) => {
      await installCrd(t, { version: { deprecated: true, deprecationWarning: "use something else" } });
      assert.equal(warnings(await t.get("widgets")), '299 - "use something else"');
    },
  ],
]);
