import { expect, test } from "vitest";
import { JsonPatchError } from "./json-patch-error.ts";
import { JSON_PATCH_OPERATIONS_MAX, parseJsonPatch } from "./json-patch-operation.ts";

test("a valid patch is accepted, without the members it does not use", () => {
  const patch = parseJsonPatch([
    { op: "add", path: "/a", value: null, from: "/x", comment: "why" },
    { op: "remove", path: "/a", value: 1 },
    { op: "replace", path: "", value: {} },
    { op: "move", from: "/a", path: "/b" },
    { op: "copy", from: "/a", path: "/b", value: 1 },
    { op: "test", path: "/a~1b", value: 5n },
  ]);
  expect(patch).toEqual([
    { op: "add", path: "/a", value: null },
    { op: "remove", path: "/a" },
    { op: "replace", path: "", value: {} },
    { op: "move", from: "/a", path: "/b" },
    { op: "copy", from: "/a", path: "/b" },
    { op: "test", path: "/a~1b", value: 5n },
  ]);
});

test.each<[unknown, string]>([
  [{}, "JSON patch: a patch must be an array of operations"],
  [null, "JSON patch: a patch must be an array of operations"],
  [[[]], "JSON patch: operation 0: an operation must be an object"],
  [[{ path: "/a" }], "JSON patch: operation 0: 'op' must be one of add, remove, replace, move, copy, test"],
  [[{ op: "Add", path: "/a", value: 1 }], "JSON patch: operation 0: 'op' must be one of"],
  [[{ op: "remove" }], "JSON patch: operation 0: 'path' must be a JSON pointer"],
  [[{ op: "remove", path: 5 }], "JSON patch: operation 0: 'path' must be a JSON pointer"],
  [[{ op: "add", path: "/a" }], "JSON patch: operation 0: 'value' is missing"],
  [[{ op: "move", path: "/a" }], "JSON patch: operation 0: 'from' must be a JSON pointer"],
  [
    [
      { op: "remove", path: "/a" },
      { op: "copy", from: "a", path: "/a" },
    ],
    "JSON patch: operation 1: 'a': a JSON pointer must be empty or begin with '/', at position 0",
  ],
])("%j is rejected with a reason", (value, message) => {
  expect(() => parseJsonPatch(value)).toThrow(message);
  expect(() => parseJsonPatch(value)).toThrow(JsonPatchError);
});

function patch(length: number): unknown {
  return Array.from({ length }, () => ({ op: "remove", path: "/a" }));
}

test("the number of operations of a patch is limited", () => {
  expect(parseJsonPatch(patch(JSON_PATCH_OPERATIONS_MAX))).toHaveLength(10_000);
  expect(() => parseJsonPatch(patch(JSON_PATCH_OPERATIONS_MAX + 1))).toThrow(
    "JSON patch: a patch can have at most 10000 operations, this one has 10001",
  );
});

test("inherited properties are not members", () => {
  expect(() => parseJsonPatch([Object.create({ op: "remove", path: "/a" })])).toThrow("'op' must be one of");
});
