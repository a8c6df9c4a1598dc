import { expect, test } from "vitest";
import { textErrors } from "./text-errors.ts";

test("invalid keys and values are reported by path, without their content", () => {
  const value = {
    metadata: { name: "a\ud800b", labels: { "k\0": "v" } },
    data: { "\udc00": "x\0", good: "Grüße 😀" },
    items: ["fine", ["\ud800"]],
  };
  expect(textErrors(value).map(({ field, message }) => `${field}: ${message}`)).toEqual([
    "metadata.name: Invalid value: must be well-formed Unicode (found the lone surrogate U+D800 at position 1)",
    String.raw`metadata.labels.k\u0000: Invalid value: the key must not contain the character U+0000 (found at position 1)`,
    String.raw`data.\udc00: Invalid value: the key must be well-formed Unicode (found the lone surrogate U+DC00 at position 0)`,
    String.raw`data.\udc00: Invalid value: must not contain the character U+0000 (found at position 1)`,
    "items[1][0]: Invalid value: must be well-formed Unicode (found the lone surrogate U+D800 at position 0)",
  ]);
});

test("the number of reported errors is limited", () => {
  expect(textErrors(Array.from({ length: 1000 }, () => "\0"))).toHaveLength(20);
});

test("a key named __proto__ is checked like any other", () => {
  expect(textErrors(JSON.parse(String.raw`{"__proto__":{"a":"\u0000"}}`))[0]?.field).toBe("__proto__.a");
});
