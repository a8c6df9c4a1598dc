import { expect, test } from "vitest";
import { deepFreeze } from "./freeze.ts";

test("everything inside a frozen value is frozen", () => {
  const value = deepFreeze({ a: { b: [{ c: 1 }] }, d: null });
  expect(Object.isFrozen(value.a.b[0])).toBe(true);
  expect(() => Object.assign(value.a, { b: 2 })).toThrow(TypeError);
});

test("the value itself is returned, scalars too", () => {
  const value = { a: 1 };
  expect(deepFreeze(value)).toBe(value);
  expect(deepFreeze("text")).toBe("text");
  expect(deepFreeze(null)).toBeNull();
});

test("an already frozen part is not visited again", () => {
  const inner = { deeper: {} };
  deepFreeze({ part: Object.freeze(inner) });
  expect(Object.isFrozen(inner.deeper)).toBe(false);
});

test("cycles are supported", () => {
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  expect(Object.isFrozen(deepFreeze(cycle))).toBe(true);
});
