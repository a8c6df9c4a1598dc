import * as fc from "fast-check";
import { expect, test } from "vitest";
import { compileJsonPath, JSON_PATH_LENGTH_MAX } from "./compile.ts";
import { JsonPathError } from "./json-path-error.ts";

const ab = [
  { kind: "field", name: "a" },
  { kind: "field", name: "b" },
];

test.each([
  ".a.b",
  "a.b",
  "$.a.b",
  "{.a.b}",
  "{a.b}",
  "{$.a.b}",
  "{ .a.b }",
  " .a.b ",
  "['a']['b']",
  '.a["b"]',
  "@.a.b",
])("%s is the path of b in a", (text) => {
  expect(compileJsonPath(text)).toEqual({ text, steps: ab });
});

test.each([".", "$", "@", "{.}", "{$}", "{ @ }"])("%s is the whole document", (text) => {
  expect(compileJsonPath(text).steps).toEqual([]);
});

test.each([
  [String.raw`.kubernetes\.io/name`, "kubernetes.io/name"],
  [String.raw`['kubernetes\.io/name']`, "kubernetes.io/name"],
  [".k8s-app", "k8s-app"],
  [".web/html", "web/html"],
  ["['with space']", "with space"],
  [String.raw`['it\'s']`, "it's"],
  [String.raw`.a\*`, "a*"],
  ["['*']", "*"],
  [".constructor", "constructor"],
])("%s is the field %j", (text, name) => {
  expect(compileJsonPath(text).steps).toEqual([{ kind: "field", name }]);
});

test.each([
  ["[0]", { kind: "index", index: 0 }],
  ["[-1]", { kind: "index", index: -1 }],
  ["[1:3]", { kind: "slice", start: 1, end: 3, stride: 1 }],
  ["[:2]", { kind: "slice", start: 0, end: 2, stride: 1 }],
  ["[-2:]", { kind: "slice", start: -2, end: undefined, stride: 1 }],
  ["[::2]", { kind: "slice", start: 0, end: undefined, stride: 2 }],
  ["[1:5:2]", { kind: "slice", start: 1, end: 5, stride: 2 }],
  ["[*]", { kind: "slice", start: 0, end: undefined, stride: 1 }],
  [".*", { kind: "wildcard" }],
  ["..", { kind: "descend" }],
  ["['a.b']", { kind: "key", name: "a.b", parts: ["a", "b"] }],
  [String.raw`['a\.b.c']`, { kind: "key", name: "a.b.c", parts: ["a.b", "c"] }],
])("%s is the step %j", (text, step) => {
  expect(compileJsonPath(text).steps).toEqual([step]);
});

test("a comma joins selectors to a union", () => {
  expect(compileJsonPath("[0, 2,'a']").steps).toEqual([
    {
      kind: "union",
      steps: [
        { kind: "index", index: 0 },
        { kind: "index", index: 2 },
        { kind: "field", name: "a" },
      ],
    },
  ]);
});

test("a filter compares operands or asks whether a path finds anything", () => {
  const left = { kind: "path", steps: [{ kind: "field", name: "type" }] };
  const filters = [
    ['[?(@.type=="Ready")]', { kind: "compare", left, operator: "==", right: { kind: "literal", value: "Ready" } }],
    ["[?( @.type != 'a)]' )]", { kind: "compare", left, operator: "!=", right: { kind: "literal", value: "a)]" } }],
    ["[?(.type>=-1.5)]", { kind: "compare", left, operator: ">=", right: { kind: "literal", value: -1.5 } }],
    ["[?(@.type==true)]", { kind: "compare", left, operator: "==", right: { kind: "literal", value: true } }],
    [
      "[?(@.type<99999999999999999999)]",
      { kind: "compare", left, operator: "<", right: { kind: "literal", value: 99_999_999_999_999_999_999n } },
    ],
    [
      "[?(@.type==@.x)]",
      { kind: "compare", left, operator: "==", right: { kind: "path", steps: [{ kind: "field", name: "x" }] } },
    ],
    ["[?(@.type)]", { kind: "exists", steps: left.steps }],
  ] as const;
  for (const [text, filter] of filters) expect(compileJsonPath(text).steps).toEqual([{ kind: "filter", filter }]);
});

test.each([
  ["", "expected a name, found the end, at position 0"],
  ["{}", "expected a name, found '}', at position 1"],
  ["{.a", "expected '}', found the end, at position 3"],
  [".a}", "expected '.', '[' or the end, found '}', at position 2"],
  [".a.", "expected a name, found the end, at position 3"],
  [".a b", "expected '.', '[' or the end, found 'b', at position 3"],
  ["{.a}{.b}", "expected '.', '[' or the end, found '{', at position 4"],
  ["....a", "expected a name after '..', found '.', at position 2"],
  [".a\\", "expected a character, found the end, at position 3"],
  ["[", "expected an index, a slice, '*', '?(' or a name in quotes, found the end, at position 1"],
  ["[]", "expected an index, a slice, '*', '?(' or a name in quotes, found ']', at position 1"],
  ["[a]", "expected an index, a slice, '*', '?(' or a name in quotes, found 'a', at position 1"],
  ["[0", "expected ']', found the end, at position 2"],
  ["[::0]", "the step of a slice must be positive, at position 1"],
  ["[::-1]", "the step of a slice must be positive, at position 1"],
  ["['a]", "unterminated string, at position 1"],
  ["[?(@.a==\"x')]", "unterminated string, at position 8"],
  ["[?(@.a", "expected one of == != < <= > >= or ')]', found the end, at position 6"],
  ["[?(@.a=1)]", "expected one of == != < <= > >= or ')]', found '=', at position 6"],
  ["[?(@.a=~'x')]", "expected one of == != < <= > >= or ')]', found '=', at position 6"],
  ["[?(@.a && @.b)]", "expected one of == != < <= > >= or ')]', found '&', at position 7"],
  ["[?(@.a<>1)]", "expected '@', a string, a number, true or false, found '>', at position 7"],
  ["[?(@.a==x)]", "expected '@', a string, a number, true or false, found 'x', at position 8"],
  ["[?(@.a==1]", "expected ')]', found ']', at position 9"],
  ["[?('a')]", "expected one of == != < <= > >= or ')]', found ')', at position 6"],
  [String.raw`[?(@.a=="\x")]`, String.raw`unknown escape '\x' in a string, at position 8`],
])("%j is rejected with a reason and a position", (text, message) => {
  expect(() => compileJsonPath(text)).toThrow(
    new JsonPathError(message.replace(/, at position \d+$/, ""), Number(message.split(" ").at(-1))),
  );
});

test("a path of excessive length is rejected", () => {
  expect(() => compileJsonPath(".a".repeat(JSON_PATH_LENGTH_MAX))).toThrow("a path can have at most 4096 characters");
  expect(() => compileJsonPath("[?(@".repeat(JSON_PATH_LENGTH_MAX / 4))).toThrow(JsonPathError);
});

test("any text is either compiled or rejected with a JsonPathError", () => {
  const part = fc.constantFrom(
    "{",
    "}",
    ".",
    "..",
    "[",
    "]",
    "[?(",
    ")]",
    "@",
    "$",
    "*",
    "'",
    '"',
    "a",
    "0",
    ":",
    "==",
    "<",
    "\\",
    " ",
    ",",
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      expect(outcomeOf(parts.join(""))).toSatisfy((it: unknown) => it === "compiled" || it instanceof JsonPathError);
    }),
    { numRuns: 3_000 },
  );
});

function outcomeOf(text: string): unknown {
  try {
    compileJsonPath(text);
    return "compiled";
  } catch (error) {
    return error;
  }
}
