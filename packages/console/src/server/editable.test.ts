import type { KubeObject } from "@levelset/core";
import { load } from "js-yaml";
import { expect, test } from "vitest";
import { editableObject, readEdited } from "./editable.ts";

const object = {
  apiVersion: "v1",
  kind: "Thing",
  metadata: {
    name: "a",
    namespace: "b",
    uid: "u",
    resourceVersion: "7",
    generation: 3,
    creationTimestamp: "2026-01-01T00:00:00Z",
    labels: { app: "x" },
    managedFields: [],
  },
  spec: { size: 1, text: "a\nb" },
  status: { size: 1 },
} satisfies KubeObject & Record<string, unknown>;

test("what can be edited is what people declare, and reads back as it was", () => {
  const editable = editableObject(object, { hasStatus: true });
  if (editable.kind !== "text") throw new Error(editable.why);
  expect(load(editable.text)).toEqual({
    apiVersion: "v1",
    kind: "Thing",
    metadata: { name: "a", namespace: "b", labels: { app: "x" } },
    spec: { size: 1, text: "a\nb" },
  });
  const later = { ...object, status: { size: 2 } };
  expect(editableObject(later, { hasStatus: true })).toEqual(editable);
  expect(editableObject(object, { hasStatus: false })).toMatchObject({ text: expect.stringContaining("status:") });
});

test("what would be lost by editing is refused", () => {
  const large = { ...object, spec: { size: 2n ** 60n } } as unknown as KubeObject;
  expect(editableObject(large, { hasStatus: true })).toMatchObject({ why: expect.stringContaining("2^53") });
  const secret = { ...object, kind: "Secret", data: { p: "aHVudGVyMg==" } };
  expect(editableObject(secret, { hasStatus: true })).toMatchObject({ why: expect.stringContaining("Secrets") });
});

test.for(["a: [", "- 1", "text", ""])("%j is no object", (yaml) => {
  expect(() => readEdited(yaml)).toThrow(/YAML/u);
});
