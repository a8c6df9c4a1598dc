import { describe, expect, test } from "vitest";
import { validate } from "./index.ts";
import type { StructuralSchema } from "./index.ts";

function errorsOf(schema: StructuralSchema, value: unknown): readonly string[] {
  return validate(schema, value, "spec").map(({ message }) => message.replace(/^Invalid value: \S+: /u, ""));
}

describe("the bounds of a value", () => {
  test.each<readonly [StructuralSchema, unknown, readonly string[]]>([
    [{ type: "number", maximum: 5 }, 5, []],
    [{ type: "number", maximum: 5 }, 6, ["spec in body should be less than or equal to 5"]],
    [{ type: "number", maximum: 5, exclusiveMaximum: true }, 5, ["spec in body should be less than 5"]],
    [{ type: "number", minimum: 5 }, 4, ["spec in body should be greater than or equal to 5"]],
    [{ type: "number", minimum: 5, exclusiveMinimum: true }, 5, ["spec in body should be greater than 5"]],
    [{ type: "number", minimum: 5, exclusiveMinimum: true }, 6, []],
    [{ type: "array", minItems: 2 }, [1], ["spec in body should have at least 2 items"]],
    [{ type: "array", minItems: 2 }, [1, 2], []],
    [{ type: "array", maxItems: 1 }, [1, 2], ["Too many: 2: must have at most 1 items"]],
    [{ type: "object", maxProperties: 1 }, { a: 1, b: 1 }, ["Too many: 2: must have at most 1 items"]],
  ])("%j rejects %j", (schema, value, expected) => {
    expect(errorsOf(schema, value)).toEqual(expected);
  });
});

describe("a set of alternatives", () => {
  const small = { maximum: 3 } as const;

  test("validates every item of a list", () => {
    const schema: StructuralSchema = { type: "array", items: { type: "integer" }, allOf: [{ items: small }] };
    expect(errorsOf(schema, [1, 2, 3])).toEqual([]);
    expect(errorsOf(schema, [1, 9, 3])).toEqual(['"spec" must validate all the schemas (allOf)']);
  });

  test("reports the errors of the first alternative", () => {
    const rules = { type: "integer", anyOf: [small, { minimum: 7 }] } as const;
    expect(errorsOf(rules, 5)).toEqual([
      '"spec" must validate at least one schema (anyOf)',
      "spec in body should be less than or equal to 3",
    ]);
    expect(errorsOf({ type: "integer", oneOf: [] }, 5)).toEqual([
      '"spec" must validate one and only one schema (oneOf). Found none valid',
    ]);
  });
});

test("only sets and keyed lists reject duplicates", () => {
  const list = { type: "array", items: { type: "string" } } as const;
  const twice = ["a", "a"];
  expect(errorsOf({ ...list, "x-kubernetes-list-type": "set" }, twice)).toEqual(['Duplicate value: "a"']);
  expect(errorsOf({ ...list, "x-kubernetes-list-type": "atomic" }, twice)).toEqual([]);
  expect(errorsOf(list, twice)).toEqual([]);
});
