import * as fc from "fast-check";
import { expect, test } from "vitest";
import { checkSyntax } from "./syntax.ts";

test("output of JSON.stringify is valid", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(() => checkSyntax(JSON.stringify(value, undefined, 1))).not.toThrow();
    }),
  );
});

test("a truncated text is invalid at the end or at the start of the truncated string", () => {
  const text = '{"a": [true, {"b": -1.5e3, "c\\u00e9": null}], "d": "e"}';
  for (let length = 0; length < text.length; length += 1) {
    expect(() => checkSyntax(text.slice(0, length))).toThrow("invalid JSON at line 1");
  }
  expect(() => checkSyntax(text)).not.toThrow();
});
