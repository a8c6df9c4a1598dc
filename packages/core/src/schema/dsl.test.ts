import { describe, expect, expectTypeOf, test } from "vitest";
import { DeclarationError } from "../error/index.ts";
import { s, validate } from "./index.ts";
import type { AnySchema, Infer, InferInput, StructuralSchema } from "./index.ts";

const message = (schema: AnySchema, value: unknown): readonly string[] =>
  validate(schema.structural, value, "spec").map((error) => `${error.field}: ${error.reason}`);

describe("a declaration", () => {
  const port = s.object({
    name: s.string(),
    port: s.int32().min(1).max(65_535),
    protocol: s.enum("TCP", "UDP").default("TCP"),
  });

  test("lists are atomic, sets or keyed", () => {
    expect(s.array(s.string()).set().min(1).max(3).structural).toEqual({
      type: "array",
      items: { type: "string" },
      "x-kubernetes-list-type": "set",
      minItems: 1,
      maxItems: 3,
    });
    expect(s.array(port).keyedBy("port", "protocol").structural).toMatchObject({
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["port", "protocol"],
    });
    expect(message(s.array(s.string()).set(), ["a", "b", "a"])).toEqual(["spec[2]: FieldValueDuplicate"]);
    const ports = s.array(port).keyedBy("name");
    expect(
      message(ports, [
        { name: "a", port: 1 },
        { name: "b", port: 1 },
        { name: "a", port: 2 },
      ]),
    ).toEqual(["spec[2]: FieldValueDuplicate"]);
  });

  test("CEL rules, immutability and descriptions are kept, in any order with bounds", () => {
    const schema = s.int32().describe("How many.").rule("self % 2 == 0", "must be even").min(0).immutable();
    expect(schema.structural).toEqual({
      type: "integer",
      format: "int32",
      description: "How many.",
      minimum: 0,
      "x-kubernetes-validations": [
        { rule: "self % 2 == 0", message: "must be even" },
        { rule: "self == oldSelf", message: "field is immutable" },
      ],
    });
  });

  test("a union requires exactly one of its fields", () => {
    const source = s.object({ git: s.string().optional(), oci: s.string().optional() }).exactlyOneOf("git", "oci");
    expect(message(source, { git: "x" })).toEqual([]);
    expect(message(source, {})).toEqual(["spec: FieldValueInvalid", "spec.git: FieldValueRequired"]);
    expect(message(source, { git: "x", oci: "y" })).toEqual(["spec: FieldValueInvalid"]);
    const some = s.object({ a: s.string().optional(), b: s.string().optional() }).atLeastOneOf("a", "b");
    expect(message(some, { a: "1", b: "2" })).toEqual([]);
    expect(message(some, {})).toEqual(["spec: FieldValueInvalid", "spec.a: FieldValueRequired"]);
    expect(message(s.string().not({ enum: ["root"] }), "root")).toEqual(["spec: FieldValueInvalid"]);
  });

  test("numbers have inclusive and exclusive bounds and a multiple", () => {
    const open = s.number().greaterThan(0).lessThan(1);
    expect([0, 0.5, 1].map((value) => message(open, value).length)).toEqual([1, 0, 1]);
    expect([10, 15].map((value) => message(s.int32().multipleOf(10), value).length)).toEqual([0, 1]);
  });

  test("special types have their own builders", () => {
    expect(["80%", 8080, 1.5, true].map((value) => message(s.intOrString(), value).length)).toEqual([0, 0, 1, 1]);
    expect(["500m", "2Gi", 3, "1e3", "many", ""].map((value) => message(s.quantity(), value).length)).toEqual([
      0, 0, 0, 0, 1, 1,
    ]);
    expect(["1h30m", "250ms", "tomorrow"].map((value) => message(s.duration(), value).length)).toEqual([0, 0, 1]);
    expect(["2026-01-01T00:00:00Z", "yesterday"].map((value) => message(s.dateTime(), value).length)).toEqual([0, 1]);
    expect(message(s.embedded(), { apiVersion: "v1", kind: "Pod", metadata: {} })).toEqual([]);
    expect(message(s.embedded(), { kind: "Pod" })).toEqual(["spec.apiVersion: FieldValueRequired"]);
  });

  test("null is rejected unless the field is nullable", () => {
    expect(message(s.string(), null)).toEqual(["spec: FieldValueTypeInvalid"]);
    expect(message(s.string().nullable(), null)).toEqual([]);
    expect(validate({ type: "string", enum: ["a", null], nullable: true }, null)).toHaveLength(1);
    expectTypeOf<Infer<ReturnType<typeof nullableText>>>().toEqualTypeOf<string | null>();
    function nullableText(): ReturnType<ReturnType<typeof s.string>["nullable"]> {
      return s.string().nullable();
    }
  });

  test("an object with defaults is created if absent, and completed if partial", () => {
    const selectors = s
      .object({ database: s.string().default("DbPassword"), service: s.string().default("Password") })
      .default({});
    expect(selectors.structural.default).toEqual({ database: "DbPassword", service: "Password" });
    const partial = s.object({ a: s.int32().default(1), b: s.int32().default(2) }).default({ a: 5 });
    expect(partial.structural.default).toEqual({ a: 5, b: 2 });
    const spec = s.object({ selectors });
    expectTypeOf<Infer<typeof spec>["selectors"]["service"]>().toEqualTypeOf<string>();
    expectTypeOf<{ selectors: { database: string } }>().toExtend<InferInput<typeof spec>>();
  });

  test("patterns have RE2 semantics, in linear time", () => {
    const hostile = s.string().pattern("^(a+)+$");
    expect(message(hostile, `${"a".repeat(50_000)}!`)).toEqual(["spec: FieldValueInvalid"]);
    expect(message(s.string().pattern("^[a-z]\\z"), "a")).toEqual([]);
  });
});

describe("an inconsistent declaration is rejected with a hint", () => {
  const cases: Readonly<Record<string, [() => unknown, string]>> = {
    "a default and optional": [() => s.int32().default(1).optional(), "remove .optional()"],
    "a default of the wrong value": [() => s.int32().min(5).default(1), "the default is invalid"],
    "a default that misses a field": [
      () => s.object({ a: s.int32() }).default({} as { a: number }),
      "default.a: Required value",
    ],
    "bounds the wrong way round": [() => s.int32().min(5).max(3), "minimum 5 is above maximum 3"],
    "lengths the wrong way round": [() => s.string().max(3).min(5), "minimum 5 is above"],
    "a length that is no count": [() => s.string().min(-1), "a non-negative integer"],
    "a step of nothing": [() => s.number().multipleOf(0), "a number above 0"],
    "a pattern that is not RE2": [() => s.string().pattern("(?=x)"), "is not RE2"],
    "an unknown format": [() => s.string().format("zipcode"), "the server does not validate the format"],
    "an enum that repeats itself": [() => s.enum("a", "a"), "has duplicate values"],
    "an enum that may be null": [() => s.enum("a", "b").nullable(), "an enum cannot be nullable"],
    "a set of objects": [() => s.array(s.object({ a: s.string() })).set(), "write .atomic() on the items"],
    "keys on scalars": [() => s.array(s.string()).keyedBy("length"), "keyedBy needs a list of objects"],
    "a key that may be absent": [
      () => s.array(s.object({ name: s.string().optional() })).keyedBy("name"),
      "name may be absent: remove .optional(), or add a default",
    ],
    "a key that is not there": [() => s.array(s.object({ a: s.string() })).keyedBy("b" as never), "have no field b"],
    "a list without keys": [() => s.array(s.object({ a: s.string() })).keyedBy(), "at least one field of the items"],
    "a key that is a list": [() => s.array(s.object({ a: s.array(s.string()) })).keyedBy("a"), "a is not a scalar"],
    "a key that is an object": [() => s.array(s.object({ a: s.map(s.string()) })).keyedBy("a"), "a is not a scalar"],
    "numbers of items the wrong way round": [() => s.array(s.string()).max(1).min(2), "minimum 2 is above"],
    "numbers of entries the wrong way round": [() => s.map(s.string()).max(1).min(2), "minimum 2 is above"],
    "a least number of entries that is no count": [() => s.map(s.string()).min(0.5), "a non-negative integer"],
    "a greatest number of entries that is no count": [() => s.map(s.string()).max(-1), "a non-negative integer"],
    "an optional item": [() => s.array(s.string().optional()), "remove .optional()"],
    "a union of required fields": [
      () => s.object({ a: s.string(), b: s.string().optional() }).exactlyOneOf("a", "b"),
      "a is required: write .optional() on it",
    ],
    "a choice of one": [() => s.string().anyOf({ enum: ["x"] }), "at least two alternatives"],
    "an empty rule": [() => s.string().rule(" "), "a rule must be a CEL expression"],
  };
  test.each(Object.entries(cases))("%s", (_name, [declare, words]) => {
    expect(declare).toThrow(DeclarationError);
    expect(declare).toThrow(words);
  });

  test("a wrong field or type does not compile", () => {
    const schema = s.object({ size: s.int32() });
    // @ts-expect-error a string is not a number
    const wrong: InferInput<typeof schema> = { size: "3" };
    // @ts-expect-error the field does not exist
    expect(() => s.array(schema).keyedBy("name")).toThrow("have no field name");
    expect(wrong).toEqual({ size: "3" });
  });
});

test("keys such as __proto__ are plain data", () => {
  const value: unknown = JSON.parse('{"__proto__": {"polluted": true}, "constructor": 5}');
  const schema: StructuralSchema = s.map(s.any()).structural;
  expect(validate(schema, value)).toEqual([]);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  expect(validate(s.object({ a: s.int32().optional() }).structural, value)).toEqual([]);
});
