import * as fc from "fast-check";
import { expect, test } from "vitest";
import { formatPointer, parsePointer } from "./pointer.ts";

test("parsing what was formatted gives the same tokens", () => {
  const token = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom("~", "/", "0", "1") }));
  fc.assert(
    fc.property(fc.array(token), (tokens) => {
      expect(parsePointer(formatPointer(tokens))).toEqual(tokens);
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
  expect(parsePointer(pointer)).toEqual(tokens);
  expect(formatPointer(tokens)).toBe(pointer);
});

test("a malformed pointer is refused with its position", () => {
  expect(() => parsePointer("a/b")).toThrow("a JSON pointer is empty or begins with '/', at position 0");
  expect(() => parsePointer("/a/~2")).toThrow("in a JSON pointer '~' is written '~0', at position 3");
  expect(() => parsePointer("/a~")).toThrow("at position 2");
});
