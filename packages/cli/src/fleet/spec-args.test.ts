import type { JsonObject, JsonValue } from "@levelset/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { andSearch, parseLabels, selectorSearch } from "./parse-labels.ts";
import { applyAssignments, parseAssignment } from "./spec-args.ts";

function at(object: JsonObject, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((value, name) => (value as JsonObject | undefined)?.[name], object);
}

describe("--set", () => {
  test("sets the field of its path, with any characters, and retains other fields", () => {
    const name = fc
      .string({ minLength: 1, maxLength: 6 })
      .filter((text) => !/[=\\]|^__proto__$|^constructor$|^prototype$/u.test(text));
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), fc.string(), (path, text) => {
        const arg = `${path.map((each) => each.replaceAll(".", String.raw`\.`)).join(".")}=${text}`;
        const changed = applyAssignments({ unrelated: 1 }, [parseAssignment(arg, true)]);
        expect(at(changed, path)).toBe(text);
        expect(changed["unrelated"]).toBe(1);
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
  ])("%s is parsed as YAML", (arg, value) => {
    expect(applyAssignments({}, [parseAssignment(arg, false)])).toEqual({ a: value });
  });
});

test("labels are set, removed and converted to search expressions", () => {
  expect(parseLabels(["a=b,c-", "d=e=f"])).toEqual({ set: { a: "b", d: "e=f" }, removed: ["c"] });
  expect(selectorSearch(["a=it's,b==c", "d!=e"])).toBe(
    "labels.a = 'it''s' and labels.b = 'c' and (labels.d != 'e' or labels.d is null)",
  );
  expect([andSearch([]), andSearch([undefined, "a"]), andSearch(["a or b", "c"])]).toEqual([
    undefined,
    "a",
    "(a or b) and (c)",
  ]);
});
