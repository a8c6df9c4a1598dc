import { expect, test } from "vitest";
import { Cursor } from "./cursor.ts";
import { parseOperand, parseOperator } from "./operand.ts";

test.each([
  ["'a'", "a"],
  ['"a"', "a"],
  ["5", 5],
  ["+5", 5],
  ["-0.25", -0.25],
  ["9007199254740993", 9_007_199_254_740_993n],
  ["true", true],
  ["false", false],
])("%s is a literal", (text, value) => {
  expect(parseOperand(new Cursor(text), () => [])).toEqual({ kind: "literal", value });
});

test("a path begins with an @ or a dot", () => {
  const cursor = new Cursor("@.a");
  expect(parseOperand(cursor, () => [{ kind: "wildcard" }])).toEqual({ kind: "path", steps: [{ kind: "wildcard" }] });
  expect(cursor.position).toBe(1);
  expect(() => parseOperand(new Cursor("$.a"), () => [])).toThrow("expected '@'");
  expect(() => parseOperand(new Cursor("truest"), () => [])).toThrow("expected '@'");
});

test("of two operators the longer is read", () => {
  expect(["==", "!=", "<=", ">=", "<", ">"].map((text) => parseOperator(new Cursor(text)))).toEqual([
    "==",
    "!=",
    "<=",
    ">=",
    "<",
    ">",
  ]);
});
