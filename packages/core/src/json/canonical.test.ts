import * as fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson } from "./canonical.ts";
import { deepEqual } from "./equal.ts";
import { parseJson } from "./parse.ts";

const small = fc.anything({
  key: fc.constantFrom("a", "b", "10", "9", "__proto__"),
  values: [fc.constantFrom(null, true, 0, -0, 1, 1n, 1e21, 10n ** 21n, 2 ** 60, 2n ** 60n, 1.5, "", "a")],
  maxDepth: 2,
  maxKeys: 3,
});

test("two values have the same text if and only if they are equal", () => {
  fc.assert(
    fc.property(small, small, (a, b) => {
      expect(canonicalJson(a) === canonicalJson(b)).toBe(deepEqual(a, b));
    }),
    { numRuns: 5_000 },
  );
});

test("the text round-trips", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(deepEqual(parseJson(canonicalJson(value)), value)).toBe(true);
    }),
  );
});

test("keys are sorted at every level, numeric ones as text", () => {
  expect(canonicalJson({ b: { d: 1, c: 2 }, a: [], 9: 0, 10: 0 })).toBe('{"10":0,"9":0,"a":[],"b":{"c":2,"d":1}}');
});

test("undefined properties are dropped, undefined elements are null", () => {
  expect(canonicalJson({ a: undefined, b: [undefined] })).toBe('{"b":[null]}');
});

test("an integer has one text for all representations", () => {
  expect(canonicalJson(1e21)).toBe("1000000000000000000000");
  expect(canonicalJson(2 ** 60)).toBe("1152921504606846976");
  expect(canonicalJson([-0, 0n])).toBe("[0,0]");
});

test("a date is written in its JSON form", () => {
  expect(canonicalJson({ at: new Date(0) })).toBe('{"at":"1970-01-01T00:00:00.000Z"}');
});

test("a value without a JSON form is rejected", () => {
  expect(() => canonicalJson(undefined)).toThrow("cannot write a value of type undefined as JSON");
});
