import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cloneJson, deepFreeze } from "../json/index.ts";
import { checkRules, compileRules, validate, validateUpdate } from "./index.ts";
import type { StructuralSchema } from "./index.ts";

const short: StructuralSchema = { type: "string", maxLength: 2 };
const keyed: StructuralSchema = {
  type: "array",
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["k"],
  items: { type: "object", required: ["k"], properties: { k: { type: "string" }, v: short } },
};
const schema: StructuralSchema = {
  type: "object",
  properties: { a: short, b: { type: "string" }, list: { type: "array", items: short }, keyed },
};

const text = fc.constantFrom("", "x", "xx", "long", "longer");
const item = fc.record({ k: fc.constantFrom("1", "2", "3"), v: text }, { requiredKeys: ["k"] });
const anyValue = fc.record({ a: text, b: text, list: fc.array(text), keyed: fc.array(item) }, { requiredKeys: [] });

function fieldsOf(value: unknown, old: unknown): readonly string[] {
  return validateUpdate(schema, value, old).map(({ field }) => field);
}

describe("an update of an invalid object", () => {
  test("is accepted if the invalid field is unchanged", () => {
    expect(fieldsOf({ a: "long", b: "new" }, { a: "long", b: "old" })).toEqual([]);
    expect(fieldsOf({ a: "longer" }, { a: "long" })).toEqual(["a"]);
    expect(fieldsOf({ a: "long" }, {})).toEqual(["a"]);
  });

  test("correlates items of keyed lists by key, and other lists as a whole", () => {
    const old = { keyed: [{ k: "1", v: "long" }], list: ["long", "x"] };
    expect(
      fieldsOf(
        {
          keyed: [
            { k: "2", v: "ok" },
            { k: "1", v: "long" },
          ],
          list: old.list,
        },
        old,
      ),
    ).toEqual([]);
    expect(fieldsOf({ keyed: [{ k: "1", v: "other" }] }, old)).toEqual(["keyed[0].v"]);
    expect(fieldsOf({ list: ["long", "y"] }, old)).toEqual(["list[0]"]);
  });

  test("may keep existing duplicates of sets and keyed lists, but not add them", () => {
    const twice = { keyed: [{ k: "1" }, { k: "1" }] };
    expect(fieldsOf({ ...twice, b: "x" }, twice)).toEqual([]);
    expect(fieldsOf(twice, { keyed: [{ k: "1" }] })).toEqual(["keyed[1]"]);
  });

  test("never has more errors than a new value, and none if it changes nothing", () => {
    fc.assert(
      fc.property(anyValue, anyValue, (next, old) => {
        const all = validate(schema, next).map(({ field }) => field);
        expect(all).toEqual(expect.arrayContaining([...fieldsOf(next, old)]));
        expect(fieldsOf(next, next)).toEqual([]);
      }),
    );
  });

  test("has the same errors on repeated validation of the same stored values", () => {
    fc.assert(
      fc.property(anyValue, anyValue, (next, old) => {
        const [stored, before] = [deepFreeze(cloneJson(next)), deepFreeze(cloneJson(old))];
        for (const again of [stored, { ...stored }]) {
          expect(fieldsOf(again, before)).toEqual(fieldsOf(next, old));
          expect(validate(schema, again)).toEqual(validate(schema, next));
        }
      }),
    );
  });
});

describe("a rule", () => {
  const ruled: StructuralSchema = {
    type: "object",
    properties: {
      a: { type: "string", maxLength: 9, "x-kubernetes-validations": [{ rule: "self != 'bad'" }] },
      n: { type: "integer", "x-kubernetes-validations": [{ rule: "self >= oldSelf" }] },
      list: {
        type: "array",
        maxItems: 9,
        items: { type: "string", maxLength: 9, "x-kubernetes-validations": [{ rule: "self != 'bad'" }] },
      },
    },
  };
  const { rules } = compileRules(ruled);
  const check = (value: unknown, old?: unknown): readonly string[] =>
    rules === undefined ? ["no rules"] : checkRules(rules, value, old).map(({ field }) => field);

  test("tolerates unchanged violations, alone or in an unchanged list", () => {
    expect(check({ a: "bad" })).toEqual(["a"]);
    expect(check({ a: "bad", n: 1 }, { a: "bad" })).toEqual([]);
    expect(check({ list: ["bad", "x"] }, { list: ["bad", "x"] })).toEqual([]);
    expect(check({ list: ["bad", "y"] }, { list: ["bad", "x"] })).toEqual(["list[0]"]);
  });

  test("with oldSelf is evaluated on every update", () => {
    expect(check({ n: 1 }, { n: 2 })).toEqual(["n"]);
    expect(check({ n: 2 }, { n: 2 })).toEqual([]);
  });
});
