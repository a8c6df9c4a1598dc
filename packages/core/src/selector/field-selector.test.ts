import * as fc from "fast-check";
import { expect, test } from "vitest";
import { selectorFields, formatFieldSelector, matchesFieldSelector, parseFieldSelector } from "./field-selector.ts";

function matches(text: string, fields: Readonly<Record<string, string>>): boolean {
  return matchesFieldSelector(parseFieldSelector(text), (field) =>
    Object.hasOwn(fields, field) ? fields[field] : undefined,
  );
}

test("selectors round-trip through formatting and parsing, for any values", () => {
  const requirement = fc.record({
    field: fc.constantFrom("metadata.name", "spec.nodeName", "a"),
    operator: fc.constantFrom("=" as const, "!=" as const),
    value: fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom("\\", ",", "=", "!", "a") })),
  });
  fc.assert(
    fc.property(fc.array(requirement, { maxLength: 4 }), (requirements) => {
      const selector = parseFieldSelector(formatFieldSelector({ requirements }));
      expect(new Set(selector.requirements)).toEqual(new Set(requirements));
      expect(parseFieldSelector(formatFieldSelector(selector))).toEqual(selector);
    }),
  );
});

test.each([
  ["", ""],
  [",", ""],
  ["a=b", "a=b"],
  ["a==b", "a=b"],
  ["a!=b", "a!=b"],
  ["a=", "a="],
  ["b=1,,a=2,", "a=2,b=1"],
  ["a==z,a=b", "a=b,a=z"],
  [String.raw`a=x\,y\=z\\`, String.raw`a=x\,y\=z\\`],
  ["a= b ", "a= b "],
  ["a=!b", "a=!b"],
  ["=b", "=b"],
])("%j is read as %j", (text, normal) => {
  expect(formatFieldSelector(parseFieldSelector(text))).toBe(normal);
});

test("escapes are undone in the value", () => {
  expect(parseFieldSelector(String.raw`a=x\,y\=z\\,b!=c`).requirements).toEqual([
    { field: "a", operator: "=", value: String.raw`x,y=z` + "\\" },
    { field: "b", operator: "!=", value: "c" },
  ]);
});

test.each([
  ["a", "expected =, == or != in 'a', at position 0"],
  ["a=b,c", "expected =, == or != in 'c', at position 4"],
  ["a=b=c", String.raw`a value writes '=' as '\=', at position 3`],
  ["a===b", String.raw`a value writes '=' as '\=', at position 3`],
  [String.raw`a=\b`, String.raw`invalid escape '\b', at position 2`],
  ["x=y,a=b\\", "invalid escape '\\', at position 7"],
  ["a\\", "expected =, == or != in 'a\\', at position 0"],
])("%j is rejected with a reason and a position", (text, message) => {
  expect(() => parseFieldSelector(text)).toThrow(message);
});

test("all terms must hold", () => {
  const pod = { "metadata.name": "p", "status.phase": "Running" };
  expect(matches("", pod)).toBe(true);
  expect(matches("metadata.name=p,status.phase!=Failed", pod)).toBe(true);
  expect(matches("metadata.name=p,status.phase=Failed", pod)).toBe(false);
});

test("a field that is absent counts as empty", () => {
  expect(matches("spec.nodeName=", {})).toBe(true);
  expect(matches("spec.nodeName!=", {})).toBe(false);
  expect(matches("spec.nodeName!=n", {})).toBe(true);
});

test("a selector lists its fields without duplicates", () => {
  expect(selectorFields(parseFieldSelector("b=1,a!=2,b!=3"))).toEqual(["a", "b"]);
  expect(selectorFields(parseFieldSelector(""))).toEqual([]);
});
