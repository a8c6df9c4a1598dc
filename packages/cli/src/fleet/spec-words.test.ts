import type { JsonObject, JsonValue } from "@levelset/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allOf, parseLabels, selectorSearch } from "./label-words.ts";
import { assign, parseAssignment } from "./spec-words.ts";

function at(object: JsonObject, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((value, name) => (value as JsonObject | undefined)?.[name], object);
}

describe("--set", () => {
  test("sets what its path names, whatever characters the names have, and leaves the rest", () => {
    const name = fc
      .string({ minLength: 1, maxLength: 6 })
      .filter((text) => !/[=\\]|^__proto__$|^constructor$|^prototype$/u.test(text));
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), fc.string(), (path, text) => {
        const word = `${path.map((each) => each.replaceAll(".", String.raw`\.`)).join(".")}=${text}`;
        const changed = assign({ "kept by all": 1 }, [parseAssignment(word, true)]);
        expect(at(changed, path)).toBe(text);
        expect(changed["kept by all"]).toBe(1);
      }),
    );
  });

  test.each([
    ["a=3", 3],
    ["a=true", true],
    ["a=[1, b]", [1, "b"]],
    ["a={b: c}", { b: "c" }],
    ["a=", ""],
    ["a=null", null],
    ["a=x=y", "x=y"],
    ["a=9007199254740993", 9_007_199_254_740_993n],
  ])("%s is read as YAML", (word, value) => {
    expect(assign({}, [parseAssignment(word, false)])).toEqual({ a: value });
  });
});

test("labels are set and removed, and selected in the search language", () => {
  expect(parseLabels(["a=b,c-", "d=e=f"])).toEqual({ set: { a: "b", d: "e=f" }, removed: ["c"] });
  expect(selectorSearch(["a=it's,b==c", "d!=e"])).toBe(
    "labels.a = 'it''s' and labels.b = 'c' and (labels.d != 'e' or labels.d is null)",
  );
  expect([allOf([]), allOf([undefined, "a"]), allOf(["a or b", "c"])]).toEqual([undefined, "a", "(a or b) and (c)"]);
});
