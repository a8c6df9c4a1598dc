import { expect, test } from "vitest";
import { describeKey, objectKey } from "./object-key.ts";

test.each([
  ["v1", "default", "Service default/a", "Service default/a"],
  ["apps/v1", "default", "Service.apps default/a", "Service default/a"],
  ["example.com/v1", undefined, "Service.example.com a", "Service a"],
  ["example.com/v2", undefined, "Service.example.com a", "Service a"],
])("a Service of %s in namespace %s has the key %s", (apiVersion, namespace, key, text) => {
  const id = { apiVersion, kind: "Service", ...(namespace && { namespace }), name: "a" };
  expect([objectKey(id), describeKey(key)]).toEqual([key, text]);
});

test("dots of a name stay in the text", () => {
  expect(describeKey("Service default/a.example.com (2)")).toBe("Service default/a.example.com (2)");
});
