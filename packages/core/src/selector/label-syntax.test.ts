import { expect, test } from "vitest";
import { labelKeyProblem, labelValueProblem } from "./label-syntax.ts";

test.each(["a", "A", "1", "app.kubernetes.io/name", "a_b.c-d", "x/" + "n".repeat(63), "p".repeat(253) + "/n", "in"])(
  "the key %s is valid",
  (key) => {
    expect(labelKeyProblem(key)).toBeUndefined();
  },
);

test.each([
  ["", "the name of a key must not be empty"],
  ["/a", "the prefix of a key must not be empty"],
  ["a/", "the name of a key must not be empty"],
  ["a/b/c", "a key can have only one '/'"],
  ["n".repeat(64), "the name of a key has at most 63 characters"],
  ["p".repeat(254) + "/n", "the prefix of a key has at most 253 characters"],
  ["Example.com/n", "the prefix of a key must be a DNS name in lower case"],
  ["a..b/n", "the prefix of a key must be a DNS name in lower case"],
  ["a_b/n", "the prefix of a key must be a DNS name in lower case"],
])("the key %s is rejected with a reason", (key, problem) => {
  expect(labelKeyProblem(key)).toBe(problem);
});

test.each(["-a", "a-", ".a", "a.", "_a", "a b", "ä", "a\n", "$"])("neither key nor value may be %j", (text) => {
  expect(labelKeyProblem(text)).toContain("must consist of letters, digits");
  expect(labelValueProblem(text)).toContain("must consist of letters, digits");
});

test("a value may be empty and has at most 63 characters", () => {
  expect(labelValueProblem("")).toBeUndefined();
  expect(labelValueProblem("a_B.9-z")).toBeUndefined();
  expect(labelValueProblem("v".repeat(63))).toBeUndefined();
  expect(labelValueProblem("v".repeat(64))).toBe("a label value has at most 63 characters");
});

test("a long hostile prefix is rejected in linear time", () => {
  expect(labelKeyProblem(`${"a.".repeat(126)}-/n`)).toBe("the prefix of a key must be a DNS name in lower case");
  expect(labelKeyProblem(`${"a".repeat(252)}-/n`)).toBe("the prefix of a key must be a DNS name in lower case");
});
