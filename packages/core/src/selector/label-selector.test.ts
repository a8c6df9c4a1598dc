import { expect, test } from "vitest";
import { parseLabelSelector } from "./parse-label-selector.ts";
import { formatLabelSelector, labelInteger, matchesLabelSelector } from "./label-selector.ts";
import type { Labels } from "./label-selector.ts";

function matches(text: string, labels: Labels | undefined): boolean {
  return matchesLabelSelector(parseLabelSelector(text), labels);
}

test.each<[string, Labels | undefined]>([
  ["", {}],
  ["", undefined],
  ["a", { a: "" }],
  ["!a", undefined],
  ["!a", { b: "x" }],
  ["a=b", { a: "b", c: "d" }],
  ["a==b,c", { a: "b", c: "d" }],
  ["a=", { a: "" }],
  ["a!=b", { a: "c" }],
  ["a!=b", {}],
  ["a!=", {}],
  ["a in (b,c)", { a: "c" }],
  ["a in ()", { a: "" }],
  ["a notin (b,c)", { a: "d" }],
  ["a notin (b,c)", undefined],
  ["a>1", { a: "2" }],
  ["a>9", { a: "10" }],
  ["a<1", { a: "-5" }],
  ["a>9223372036854775806", { a: "9223372036854775807" }],
])("%j selects %j", (text, labels) => {
  expect(matches(text, labels)).toBe(true);
});

test.each<[string, Labels | undefined]>([
  ["a", {}],
  ["!a", { a: "" }],
  ["a=b", {}],
  ["a=b", { a: "B" }],
  ["a=", {}],
  ["a=b,c=d", { a: "b" }],
  ["a!=b", { a: "b" }],
  ["a in (b)", {}],
  ["a notin (b)", { a: "b" }],
  ["a>1", {}],
  ["a>1", { a: "1" }],
  ["a>1", { a: "x" }],
  ["a>1", { a: "" }],
  ["a>1", { a: "9223372036854775808" }],
  ["a=b,a=c", { a: "b" }],
])("%j does not select %j", (text, labels) => {
  expect(matches(text, labels)).toBe(false);
});

test("inherited properties are not labels", () => {
  expect(matches("constructor", {})).toBe(false);
  expect(matches("!toString", {})).toBe(true);
  expect(matches("valueOf!=x", {})).toBe(true);
});

test("the selector of nothing matches nothing and has no text", () => {
  expect(matchesLabelSelector({ kind: "nothing" }, {})).toBe(false);
  expect(matchesLabelSelector({ kind: "nothing" }, undefined)).toBe(false);
  expect(() => formatLabelSelector({ kind: "nothing" })).toThrow("matches nothing has no text form");
});

test("integer labels are parsed like Go's ParseInt", () => {
  expect(labelInteger("007")).toBe(7n);
  expect(labelInteger("+5")).toBe(5n);
  expect(labelInteger("-9223372036854775808")).toBe(-(2n ** 63n));
  expect(["", "-", "1.0", "0x1", "1e3", " 1", "1_000", "-9223372036854775809"].map(labelInteger)).toEqual(
    Array.from({ length: 8 }),
  );
});
