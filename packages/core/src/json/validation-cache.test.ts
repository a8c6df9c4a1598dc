import { expect, test } from "vitest";
import { deepFreeze } from "./freeze.ts";
import { ValidationCache } from "./validation-cache.ts";

test("a frozen valid value is cached for its schema only", () => {
  const passed = new ValidationCache();
  const [schema, other, value] = [{}, {}, deepFreeze({ a: [1] })];
  expect(passed.has(schema, value)).toBe(false);
  passed.add(schema, value);
  expect(passed.has(schema, value)).toBe(true);
  expect(passed.has(other, value)).toBe(false);
  expect(passed.has(schema, deepFreeze({ a: [1] }))).toBe(false);
});

test("mutable values and non-objects are not cached", () => {
  const passed = new ValidationCache();
  const schema = {};
  for (const value of [{ a: 1 }, [1], "text", 1, null, undefined]) {
    passed.add(schema, value);
    expect(passed.has(schema, value)).toBe(false);
  }
});
