import type { JsonObject, KubeObject } from "@levelset/core";
import fc from "fast-check";
import { load } from "js-yaml";
import { expect, test } from "vitest";
import { fieldOwnersOf, yamlLines } from "./yaml-lines.ts";

const leaf = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "yes",
    "null",
    "1e3",
    "0x1f",
    "- a",
    "a: b",
    "# c",
    "a\nb",
    "a\nb\n",
    "\n",
    " a",
    "12:30",
    "~",
    "<<",
    "=",
  ),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    leaf,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(
      fc.string().filter((name) => name !== "__proto__"),
      tie("value"),
      { maxKeys: 3 },
    ),
  ),
}));

test("the YAML lines of an object parse to the same object", () => {
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.string({ minLength: 1 }).filter((name) => name !== "__proto__"),
        value,
        { minKeys: 1, maxKeys: 4 },
      ),
      (object) => {
        const text = yamlLines(object as JsonObject, [])
          .map((line) => line.text)
          .join("\n");
        expect(load(`${text}\n`)).toEqual({ ...object });
      },
    ),
    { numRuns: 300 },
  );
});

test("lines have the owners of their fields, list items by their keys; containers have no owners", () => {
  const object: KubeObject = {
    apiVersion: "v1",
    kind: "Thing",
    metadata: {
      name: "a",
      uid: "u",
      resourceVersion: "1",
      managedFields: [
        {
          manager: "kubectl",
          operation: "Apply",
          apiVersion: "v1",
          fieldsType: "FieldsV1",
          fieldsV1: { "f:spec": { "f:ports": { 'k:{"name":"web"}': { ".": {}, "f:name": {}, "f:port": {} } } } },
        },
        {
          manager: "scaler",
          operation: "Update",
          subresource: "scale",
          apiVersion: "v1",
          fieldsType: "FieldsV1",
          fieldsV1: { "f:spec": { "f:replicas": {} } },
        },
      ],
    },
  };
  const shown = {
    spec: {
      replicas: 2,
      ports: [
        { name: "db", port: 1 },
        { name: "web", port: 80 },
      ],
    },
  };
  expect(yamlLines(shown, fieldOwnersOf(object))).toEqual([
    { text: "spec:" },
    { text: "  replicas: 2", owners: ["scaler (scale)"] },
    { text: "  ports:" },
    { text: "  - name: db" },
    { text: "    port: 1" },
    { text: "  - name: web", owners: ["kubectl"] },
    { text: "    port: 80", owners: ["kubectl"] },
  ]);
});
