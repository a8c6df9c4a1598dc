import * as fc from "fast-check";
import { expect, test } from "vitest";
import { deepEqual, deepFreeze } from "../json/index.ts";
import type { JsonObject, JsonValue } from "../json/index.ts";
import { applyMergePatch, createMergePatch } from "./merge-patch.ts";

const key = fc.constantFrom("a", "b", "c", "__proto__", "constructor");

function jsonOf(scalar: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonObject> {
  const { object } = fc.letrec<{ object: JsonObject; value: JsonValue }>((tie) => ({
    object: fc.dictionary(key, tie("value"), { maxKeys: 3, noNullPrototype: true }),
    value: fc.oneof({ maxDepth: 3 }, scalar, tie("object"), fc.array(tie("value"), { maxLength: 2 })),
  }));
  return object;
}

const scalar = fc.constantFrom<JsonValue[]>(true, 1, 2n ** 70n, "x");
const withoutNull = jsonOf(scalar).map(deepFreeze);
const anything = jsonOf(fc.oneof(scalar, fc.constant(null))).map(deepFreeze);

test("a created patch turns one object into the other", () => {
  fc.assert(
    fc.property(withoutNull, withoutNull, (from, to) => {
      const patch = createMergePatch(from, to);
      expect(deepEqual(patch === undefined ? from : applyMergePatch(from, patch), to)).toBe(true);
      expect(patch === undefined).toBe(deepEqual(from, to));
    }),
    { numRuns: 1_000 },
  );
});

test("applying a patch is idempotent", () => {
  fc.assert(
    fc.property(anything, anything, (target, patch) => {
      const once = applyMergePatch(target, patch);
      expect(deepEqual(applyMergePatch(once, patch), once)).toBe(true);
    }),
  );
});

test("after a created patch, a second one is empty, with or without nulls", () => {
  fc.assert(
    fc.property(anything, anything, (from, to) => {
      const patch = createMergePatch(from, to) ?? {};
      const patched = applyMergePatch(from, patch);
      expect(deepEqual(applyMergePatch(patched, patch), patched)).toBe(true);
    }),
  );
});

test.each<[JsonValue, JsonValue, JsonValue]>([
  [{ a: "b" }, { a: "c" }, { a: "c" }],
  [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
  [{ a: "b" }, { a: null }, {}],
  [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
  [{ a: ["b"] }, { a: "c" }, { a: "c" }],
  [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
  [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
  [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
  [
    ["a", "b"],
    ["c", "d"],
    ["c", "d"],
  ],
  [{ a: "b" }, ["c"], ["c"]],
  [{ a: "foo" }, null, null],
  [{ a: "foo" }, "bar", "bar"],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: "b", c: null }, { a: "b" }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])("%j patched with %j is %j", (target, patch, result) => {
  expect(applyMergePatch(deepFreeze(target), deepFreeze(patch))).toEqual(result);
});

test("unchanged parts are shared", () => {
  const target = { spec: { a: 1 }, status: { b: 2 } };
  expect(applyMergePatch(target, { spec: { a: 2 } })).toHaveProperty("status", target.status);
});

test("a patch contains only the differences", () => {
  const from = { keep: [1], change: { x: 1, y: 2 }, drop: true, list: [1, 2] };
  const to = { keep: [1], change: { x: 1, y: 3 }, list: [2, 1], add: {} };
  expect(createMergePatch(from, to)).toEqual({ change: { y: 3 }, drop: null, list: [2, 1], add: {} });
});

test("equal objects need no patch, for any representation of numbers", () => {
  expect(createMergePatch({ a: { b: [5] } }, { a: { b: [5n] } })).toBeUndefined();
});

test("a null in the result counts as absent", () => {
  expect(createMergePatch({}, { a: null })).toBeUndefined();
  expect(createMergePatch({ a: 1 }, { a: null })).toEqual({ a: null });
  expect(createMergePatch({ a: null }, { a: null })).toBeUndefined();
  expect(createMergePatch({ a: null }, {})).toEqual({ a: null });
});

test("a key named __proto__ is merged as data without prototype pollution", () => {
  const patch = { ["__proto__"]: { polluted: "yes" }, constructor: { prototype: { polluted: "yes" } } };
  const result = applyMergePatch({}, patch);
  expect(Object.keys(result ?? {})).toEqual(["__proto__", "constructor"]);
  expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  expect(deepEqual(applyMergePatch(result, { ["__proto__"]: null, constructor: null }), {})).toBe(true);
});
