import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cloneJson } from "./clone.ts";
import { deepEqual } from "./equal.ts";

/** Few distinct scalars and keys, so that equal and nearly equal values are common. */
const small = fc.anything({
  key: fc.constantFrom("a", "b", "__proto__"),
  values: [fc.constantFrom(null, undefined, true, 0, -0, 1, 1n, 2 ** 60, 2n ** 60n, "", "a")],
  maxDepth: 2,
  maxKeys: 2,
});

test("equality is reflexive and holds for a copy", () => {
  fc.assert(
    fc.property(small, (a) => {
      expect([deepEqual(a, a), deepEqual(a, cloneJson(a))]).toEqual([true, true]);
    }),
  );
});

test("equality is symmetric", () => {
  fc.assert(
    fc.property(small, small, (a, b) => {
      expect(deepEqual(a, b)).toBe(deepEqual(b, a));
    }),
    { numRuns: 2_000 },
  );
});

test("equality is transitive", () => {
  fc.assert(
    fc.property(small, small, small, (a, b, c) => {
      fc.pre(deepEqual(a, b) && deepEqual(b, c));
      expect(deepEqual(a, c)).toBe(true);
    }),
    { numRuns: 50, maxSkipsPerRun: 10_000 },
  );
});

test("key order is irrelevant, array order is not", () => {
  expect(deepEqual({ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 })).toBe(true);
  expect(deepEqual([1, 2], [2, 1])).toBe(false);
  expect(deepEqual([1], [1, 2])).toBe(false);
});

test("an undefined property equals an absent one, but not null", () => {
  expect(deepEqual({ a: undefined }, {})).toBe(true);
  expect(deepEqual({ a: 1, b: undefined }, { c: undefined, a: 1 })).toBe(true);
  expect(deepEqual({ a: undefined }, { a: null })).toBe(false);
  expect(deepEqual({ a: undefined, b: 1 }, { a: 1, b: undefined })).toBe(false);
});

test("numbers are compared by value, for all representations", () => {
  expect(deepEqual(5, 5n)).toBe(true);
  expect(deepEqual({ a: [2n ** 60n] }, { a: [2 ** 60] })).toBe(true);
  expect(deepEqual(9_007_199_254_740_993n, 9_007_199_254_740_992)).toBe(false);
  expect(deepEqual(5n, 5.5)).toBe(false);
  expect(deepEqual(0, -0)).toBe(true);
});

test("values of different types are different", () => {
  expect(deepEqual([], {})).toBe(false);
  expect(deepEqual({}, [])).toBe(false);
  expect(deepEqual(null, {})).toBe(false);
  expect(deepEqual("5", 5)).toBe(false);
  expect(deepEqual("5", 5n)).toBe(false);
  expect(deepEqual(null, undefined)).toBe(false);
});

test("inherited names are not members", () => {
  expect(deepEqual({ toString: undefined }, {})).toBe(true);
  expect(deepEqual({ constructor: Object }, {})).toBe(false);
});

test("dates are compared in their JSON form", () => {
  expect(deepEqual(new Date(0), new Date(0))).toBe(true);
  expect(deepEqual(new Date(0), new Date(1))).toBe(false);
  expect(deepEqual({ at: new Date(0) }, { at: "1970-01-01T00:00:00.000Z" })).toBe(true);
});
