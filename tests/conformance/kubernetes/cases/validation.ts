import assert from "node:assert/strict";
import { refused } from "../suite/answer.ts";
import type { Answer } from "../suite/answer.ts";
import { group } from "../suite/case.ts";
import type { Case } from "../suite/case.ts";
import { match } from "../suite/match.ts";
import { createPod, declareKind, workload } from "../suite/objects.ts";

function warnings(answer: Answer): string {
  return answer.headers["warning"] ?? "";
}

const UNKNOWN = { metadata: { name: "a" }, data: { x: "1" }, nonsense: 1 };

/** Unknown and repeated fields, and what servers warn of. */
export const VALIDATION: readonly Case[] = group("field validation", "requests", [
  [
    "an unknown field is dropped with a warning by default",
    "docs: field validation, Warn",
    async (t) => {
      const answer = await t.create("configmaps", UNKNOWN);
      answer.is({ nonsense: undefined, data: { x: "1" } });
      assert.equal(warnings(answer), '299 - "unknown field \\"nonsense\\""');
    },
  ],
  [
    "an unknown field is dropped silently when asked to ignore it",
    "docs: field validation, Ignore",
    async (t) => {
      const answer = await t.create("configmaps", UNKNOWN, { fieldValidation: "Ignore" });
      assert.equal(warnings(answer), "");
    },
  ],
  [
    "an unknown field is an error when strict",
    "docs: field validation, Strict",
    async (t) => {
      await refused(t.create("configmaps", UNKNOWN, { fieldValidation: "Strict" }), 400, "BadRequest", {
        message:
          'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "nonsense"',
      });
      await refused(t.get("configmaps/a"), 404, "NotFound");
    },
  ],
  [
    "an unknown field deep inside is named with its path",
    "docs: field validation",
    async (t) => {
      const spec = workload("a", {
        template: { metadata: { labels: { app: "a" } }, spec: { containers: [{ name: "a", image: "a", imag: "b" }] } },
      });
      await refused(
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
    "a repeated key is a warning by default, and the last value counts",
    "docs: field validation, duplicate fields",
    async (t) => {
      const answer = await t.send("POST", "configmaps", { body: '{"metadata":{"name":"a"},"data":{"x":"1","x":"2"}}' });
      answer.has(201).is({ data: { x: "2" } });
      assert.equal(warnings(answer), '299 - "duplicate field \\"data.x\\""');
    },
  ],
  [
    "a repeated key is an error when strict",
    "docs: field validation, duplicate fields",
    async (t) => {
      const body = '{"metadata":{"name":"a"},"data":{"x":"1","x":"2"}}';
      await refused(t.send("POST", "configmaps", { body, query: { fieldValidation: "Strict" } }), 400, "BadRequest", {
        message: /strict decoding error: duplicate field "data\.x"/u,
      });
    },
  ],
  [
    "several problems are listed together",
    "docs: field validation",
    async (t) => {
      await refused(t.create("configmaps", { ...UNKNOWN, more: 2 }, { fieldValidation: "Strict" }), 400, "BadRequest", {
        message:
          /strict decoding error: unknown field "more", unknown field "nonsense"|strict decoding error: unknown field "nonsense", unknown field "more"/u,
      });
    },
  ],
  [
    "an unknown fieldValidation is invalid",
    "apimachinery: validation.ValidateFieldValidation",
    async (t) => {
      await refused(t.create("configmaps", UNKNOWN, { fieldValidation: "Sometimes" }), 422, "Invalid", {
        causes: ["fieldValidation: FieldValueNotSupported"],
      });
    },
  ],
  [
    "unknown fields in updates and patches are found too",
    "docs: field validation",
    async (t) => {
      await t.create("configmaps", { metadata: { name: "a" } });
      await refused(t.replace("configmaps/a", UNKNOWN, { fieldValidation: "Strict" }), 400, "BadRequest", {
        message: /unknown field "nonsense"/u,
      });
      await refused(t.patch("merge", "configmaps/a", { nonsense: 1 }, { fieldValidation: "Strict" }), 422, "Invalid", {
        message: /unknown field "nonsense"/u,
      });
      const answer = await t.patch("merge", "configmaps/a", { nonsense: 1 });
      assert.equal(warnings(answer), '299 - "unknown field \\"nonsense\\""');
    },
  ],
  [
    "unknown fields of a declared kind are pruned with a warning, and refused when strict",
    "docs: field validation of custom resources",
    async (t) => {
      await declareKind(t, { spec: { properties: { x: { type: "integer" } } } });
      const answer = await t.create("widgets", { metadata: { name: "a" }, spec: { x: 1, y: 2 } });
      answer.is({ spec: { x: 1, y: undefined } });
      assert.equal(warnings(answer), '299 - "unknown field \\"spec.y\\""');
      await refused(
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
    "unknown fields of metadata of a declared kind are found",
    "docs: field validation of custom resources",
    async (t) => {
      await declareKind(t);
      await refused(
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
      await refused(t.create("configmaps", { metadata: { name: "a" }, data: { x: 1 } }), 400, "BadRequest", {
        message: /^ConfigMap in version "v1" cannot be handled as a ConfigMap: json: .*data.*string/u,
      });
    },
  ],
  [
    "null is as good as absent in a built-in kind",
    "apimachinery: json decoding of built-in kinds",
    async (t) => {
      (await t.create("configmaps", { metadata: { name: "a", labels: null }, data: null })).is({
        data: undefined,
        metadata: { labels: undefined },
      });
    },
  ],
  [
    "a name that will not do as a hostname is warned of",
    "core: pod warnings",
    async (t) => {
      const answer = await createPod(t, "a.b");
      match(
        warnings(answer),
        /metadata\.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended/u,
      );
    },
  ],
  [
    "the endpoints API is deprecated, with a warning",
    "core: deprecated API warnings",
    async (t) => {
      const answer = await t.create("endpoints", { metadata: { name: "a" }, subsets: [] });
      match(warnings(answer), /v1 Endpoints is deprecated in v1\.33\+; use discovery\.k8s\.io\/v1 EndpointSlice/u);
    },
  ],
  [
    "a deprecated version of a declared kind warns of itself",
    "docs: custom resources, version deprecation",
    async (t) => {
      await declareKind(t, { version: { deprecated: true, deprecationWarning: "use something else" } });
      assert.equal(warnings(await t.get("widgets")), '299 - "use something else"');
    },
  ],
]);
