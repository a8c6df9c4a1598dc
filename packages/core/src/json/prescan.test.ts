import * as fc from "fast-check";
import { expect, test } from "vitest";
import { hasUnsafeNumbers, JSON_DEPTH_MAX } from "./prescan.ts";

test("arrays and objects count towards the depth until they are closed", () => {
  const deepest = '{"a":['.repeat(JSON_DEPTH_MAX / 2) + "]}".repeat(JSON_DEPTH_MAX / 2);
  expect(() => hasUnsafeNumbers(deepest)).not.toThrow();
  expect(() => hasUnsafeNumbers(`[${"[],".repeat(5_000)}[]]`)).not.toThrow();
  expect(() => hasUnsafeNumbers(`[${deepest}]`)).toThrow("nested more than 1000 levels deep");
});

test("brackets in strings do not count, with any escapes", () => {
  const brackets = "[".repeat(5_000);
  for (const text of [`"${brackets}"`, `"\\"${brackets}"`, `"\\\\\\"${brackets}"`, `"${brackets}`]) {
    expect(() => hasUnsafeNumbers(text)).not.toThrow();
  }
  expect(() => hasUnsafeNumbers(`["\\\\",${brackets}`)).toThrow("nested more than 1000 levels deep");
});

test("a number that a double cannot represent is always detected", () => {
  fc.assert(
    fc.property(fc.bigInt(), fc.jsonValue(), (integer, other) => {
      const isExact = Number.isSafeInteger(Number(integer));
      const text = JSON.stringify([other, { a: "integer" }, other]).replace('"integer"', String(integer));
      expect(isExact || hasUnsafeNumbers(text)).toBe(true);
    }),
  );
  expect(["1e400", "-1E+400", "[0.5e999]"].map(hasUnsafeNumbers)).toEqual([true, true, true]);
});

test("digits in strings and short numbers are safe", () => {
  const digest = `"sha256:${"1234567890".repeat(6)}"`;
  expect([digest, `{${digest}:[${digest},-123456789012345,0.5,true]}`].map(hasUnsafeNumbers)).toEqual([false, false]);
});
