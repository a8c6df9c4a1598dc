import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cloneJson } from "./clone.ts";
import { deepEqual } from "./equal.ts";
import { deepFreeze } from "./freeze.ts";

test("a copy is equal, and the original is unchanged", () => {
  const data = fc.anything({
    key: fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor")),
    values: [fc.constantFrom(null, true), fc.string(), fc.integer(), fc.bigInt()],
  });
  fc.assert(
    fc.property(data, (value) => {
      expect(deepEqual(cloneJson(deepFreeze(value)), value)).toBe(true);
    }),
  );
});

test("a copy of a frozen value can be changed without changing the original", () => {
  const original = deepFreeze({ a: { b: [1, { c: 2 }] } });
  const copy = cloneJson(original);
  copy.a.b.push(3);
  Object.assign(copy.a.b[1] ?? {}, { c: 4 });
  expect(copy).toEqual({ a: { b: [1, { c: 4 }, 3] } });
  expect(original).toEqual({ a: { b: [1, { c: 2 }] } });
});

test("a key named __proto__ is copied as data", () => {
  const original = { ["__proto__"]: { polluted: { a: 1 } } };
  const copy = cloneJson(original);
  expect(Object.keys(copy)).toEqual(["__proto__"]);
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  expect(copy["__proto__"]).not.toBe(original["__proto__"]);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

test("a date is copied in its JSON form", () => {
  expect(cloneJson({ at: new Date(0) })).toEqual({ at: "1970-01-01T00:00:00.000Z" });
});
