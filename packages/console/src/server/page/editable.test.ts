import type { KubeObject } from "@levelset/core";
import { load } from "js-yaml";
import { expect, test } from "vitest";
import { editableObject, parseEdited } from "./editable.ts";

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

test("the editable text contains the user-writable fields and parses to the same values", () => {
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

test("editing is refused if it would lose data", () => {
  const large = { ...object, spec: { size: 2n ** 60n } } as unknown as KubeObject;
  expect(editableObject(large, { hasStatus: true })).toMatchObject({ why: expect.stringContaining("2^53") });
  const secret = { ...object, kind: "Secret", data: { p: "aHVudGVyMg==" } };
  expect(editableObject(secret, { hasStatus: true })).toMatchObject({ why: expect.stringContaining("Secrets") });
});

test.for(["a: [", "- 1", "text", ""])("%j is refused because it is not an object", (yaml) => {
  expect(() => parseEdited(yaml)).toThrow(/YAML/u);
});
