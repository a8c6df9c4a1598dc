import * as fc from "fast-check";
import { expect, test } from "vitest";
import { hasRiskyNumbers, JSON_DEPTH_MAX } from "./survey.ts";

test("arrays and objects count alike, and closing one makes room", () => {
  const deepest = '{"a":['.repeat(JSON_DEPTH_MAX / 2) + "]}".repeat(JSON_DEPTH_MAX / 2);
  expect(() => hasRiskyNumbers(deepest)).not.toThrow();
  expect(() => hasRiskyNumbers(`[${"[],".repeat(5_000)}[]]`)).not.toThrow();
  expect(() => hasRiskyNumbers(`[${deepest}]`)).toThrow("nested more than 1000 levels deep");
});

test("brackets in strings do not count, whatever is escaped there", () => {
  const brackets = "[".repeat(5_000);
  for (const text of [`"${brackets}"`, `"\\"${brackets}"`, `"\\\\\\"${brackets}"`, `"${brackets}`]) {
    expect(() => hasRiskyNumbers(text)).not.toThrow();
  }
  expect(() => hasRiskyNumbers(`["\\\\",${brackets}`)).toThrow("nested more than 1000 levels deep");
});

test("a number that no double holds is never missed", () => {
  fc.assert(
    fc.property(fc.bigInt(), fc.jsonValue(), (integer, other) => {
      const isExact = Number.isSafeInteger(Number(integer));
      const text = JSON.stringify([other, { a: "integer" }, other]).replace('"integer"', String(integer));
      expect(isExact || hasRiskyNumbers(text)).toBe(true);
    }),
  );
  expect(["1e400", "-1E+400", "[0.5e999]"].map(hasRiskyNumbers)).toEqual([true, true, true]);
});

test("digits in strings and short numbers are no risk", () => {
  const digest = `"sha256:${"1234567890".repeat(6)}"`;
  expect([digest, `{${digest}:[${digest},-123456789012345,0.5,true]}`].map(hasRiskyNumbers)).toEqual([false, false]);
});
