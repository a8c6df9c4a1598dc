import * as fc from "fast-check";
import { expect, test } from "vitest";
import { formatJsonPointer, parseJsonPointer } from "./json-pointer.ts";

test("tokens round-trip through formatting and parsing", () => {
  const token = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom("~", "/", "0", "1") }));
  fc.assert(
    fc.property(fc.array(token), (tokens) => {
      expect(parseJsonPointer(formatJsonPointer(tokens))).toEqual(tokens);
    }),
  );
});

test.each([
  ["", []],
  ["/", [""]],
  ["/a//b", ["a", "", "b"]],
  ["/a~1b/m~0n/~01", ["a/b", "m~n", "~1"]],
  ["/metadata/annotations/example.com~1x", ["metadata", "annotations", "example.com/x"]],
  ["/ /-/0", [" ", "-", "0"]],
])("the pointer %j has the tokens %j", (pointer, tokens) => {
  expect(parseJsonPointer(pointer)).toEqual(tokens);
  expect(formatJsonPointer(tokens)).toBe(pointer);
});

test("a malformed pointer is rejected with its position", () => {
  expect(() => parseJsonPointer("a/b")).toThrow("a JSON pointer must be empty or begin with '/', at position 0");
  expect(() => parseJsonPointer("/a/~2")).toThrow("in a JSON pointer '~' is written '~0', at position 3");
  expect(() => parseJsonPointer("/a~")).toThrow("at position 2");
});
