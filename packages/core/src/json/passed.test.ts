import { expect, test } from "vitest";
import { deepFreeze } from "./freeze.ts";
import { Passed } from "./passed.ts";

test("a frozen value that passed is known under what it was tested by, and nothing else is", () => {
  const passed = new Passed();
  const [schema, other, value] = [{}, {}, deepFreeze({ a: [1] })];
  expect(passed.has(schema, value)).toBe(false);
  passed.add(schema, value);
  expect(passed.has(schema, value)).toBe(true);
  expect(passed.has(other, value)).toBe(false);
  expect(passed.has(schema, deepFreeze({ a: [1] }))).toBe(false);
});

test("what may still change, and what is no object, is not remembered", () => {
  const passed = new Passed();
  const schema = {};
  for (const value of [{ a: 1 }, [1], "text", 1, null, undefined]) {
    passed.add(schema, value);
    expect(passed.has(schema, value)).toBe(false);
  }
});
