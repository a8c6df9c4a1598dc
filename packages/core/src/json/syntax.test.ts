import * as fc from "fast-check";
import { expect, test } from "vitest";
import { checkSyntax } from "./syntax.ts";

test("nothing is wrong with the JSON that JSON.stringify writes", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(() => checkSyntax(JSON.stringify(value, undefined, 1))).not.toThrow();
    }),
  );
});

test("a text cut short is wrong at the cut or where the cut string began", () => {
  const text = '{"a": [true, {"b": -1.5e3, "c\\u00e9": null}], "d": "e"}';
  for (let length = 0; length < text.length; length += 1) {
    expect(() => checkSyntax(text.slice(0, length))).toThrow("invalid JSON at line 1");
  }
  expect(() => checkSyntax(text)).not.toThrow();
});
