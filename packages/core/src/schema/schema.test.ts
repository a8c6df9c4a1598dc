import fc from "fast-check";
import { describe, expect, expectTypeOf, test } from "vitest";
import { applyDefaults, coerceEmbedded, invalidError, pruneUnknownFields, s, validate } from "./index.ts";
import type { Infer, InferInput, StructuralSchema } from "./index.ts";

const widget = s.object({
  name: s.string().min(1).max(5).pattern("^[a-z]+$"),
  size: s.int32().min(1).max(10),
  ratio: s.number().optional(),
  mode: s.enum("fast", "safe").default("safe"),
  tags: s.array(s.string()).optional(),
  limits: s.map(s.int64()).optional(),
  extra: s.any().optional(),
});

function errorsOf(value: unknown): readonly string[] {
  return validate(widget.structural, value, "spec").map(({ field, message }) => `${field}: ${message}`);
}

/** Returns a schema with an embedded object `t` whose metadata declares these fields. */
function embeddedWith(properties: Readonly<Record<string, StructuralSchema>>): StructuralSchema {
  return {
    type: "object",
    properties: {
      t: {
        type: "object",
        "x-kubernetes-embedded-resource": true,
        properties: { metadata: { type: "object", properties }, data: { type: "object" } },
      },
    },
  };
}

describe("types", () => {
  test("defaulted fields are present when read and optional when written", () => {
    expectTypeOf<Infer<typeof widget>["mode"]>().toEqualTypeOf<"fast" | "safe">();
    expectTypeOf<Infer<typeof widget>["ratio"]>().toEqualTypeOf<number | undefined>();
    expectTypeOf<{ name: string; size: number }>().toExtend<InferInput<typeof widget>>();
    expectTypeOf<{ name: string }>().not.toExtend<InferInput<typeof widget>>();
    expectTypeOf<{ name: string; size: string }>().not.toExtend<InferInput<typeof widget>>();
  });
});

describe("validation", () => {
  test("accepts valid values", () => {
    expect(errorsOf({ name: "ab", size: 3, limits: { x: 9007199254740993n }, extra: { any: [1] } })).toEqual([]);
  });

  test("reports each invalid field with its path and the message of kube-apiserver", () => {
    expect(errorsOf({ name: 7, size: "3", tags: ["a", 1] })).toEqual([
      'spec.name: Invalid value: "integer": spec.name in body must be of type string: "integer"',
      'spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"',
      'spec.tags[1]: Invalid value: "integer": spec.tags[1] in body must be of type string: "integer"',
    ]);
    expect(errorsOf({})).toEqual(["spec.name: Required value", "spec.size: Required value"]);
    expect(errorsOf({ name: "abc", size: 11, mode: "slow" })).toEqual([
      "spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10",
      'spec.mode: Unsupported value: "slow": supported values: "fast", "safe"',
    ]);
    expect(errorsOf({ name: "ABCDEF", size: 1 })).toEqual(["spec.name: Too long: may not be more than 5 bytes"]);
    expect(errorsOf([])).toEqual(['spec: Invalid value: "array": spec in body must be of type object: "array"']);
  });

  test("keeps int32 and int64 within their ranges", () => {
    expect(validate({ type: "integer", format: "int32" }, 2 ** 31)).toHaveLength(1);
    expect(validate({ type: "integer", format: "int64" }, 2n ** 63n)).toHaveLength(1);
    expect(validate({ type: "integer", format: "int64" }, 2n ** 63n - 1n)).toEqual([]);
    expect(validate({ type: "integer" }, 1.5)).toHaveLength(1);
  });

  test("returns one Status that lists every field", () => {
    const errors = validate(widget.structural, {}, "spec");
    const error = invalidError({ kind: "Widget", group: "x.dev", name: "a" }, errors);
    expect(error.message).toBe('Widget.x.dev "a" is invalid: [spec.name: Required value, spec.size: Required value]');
    expect(error.details?.causes).toEqual([
      { reason: "FieldValueRequired", message: "Required value", field: "spec.name" },
      { reason: "FieldValueRequired", message: "Required value", field: "spec.size" },
    ]);
  });
});

describe("defaults", () => {
  const nested: StructuralSchema = s.object({
    replicas: s.int32().default(1),
    selectors: s
      .object({ database: s.string().default("DbPassword"), service: s.string().default("Password") })
      .default({}),
  }).structural;

  test("are applied to absent fields, also inside a partial object", () => {
    expect(applyDefaults(nested, {})).toEqual({
      replicas: 1,
      selectors: { database: "DbPassword", service: "Password" },
    });
    expect(applyDefaults(nested, { selectors: { database: "X" } })).toEqual({
      replicas: 1,
      selectors: { database: "X", service: "Password" },
    });
  });

  test("never replace an explicit 0, false or empty string", () => {
    const falsy = s.object({
      n: s.int32().default(1),
      b: s.boolean().default(true),
      t: s.string().default("x"),
    }).structural;
    expect(applyDefaults(falsy, { n: 0, b: false, t: "" })).toEqual({ n: 0, b: false, t: "" });
  });

  test("cannot be combined with .optional()", () => {
    expect(() => s.int32().optional().default(1)).toThrow("remove .optional()");
    expect(() => s.int32().default(1).optional()).toThrow("remove .optional()");
  });
});

describe("pruning", () => {
  test("prunes unknown fields at any depth and reports their paths", () => {
    const schema = s.object({ a: s.object({ b: s.int32() }), any: s.any() }).structural;
    const input = { a: { b: 1, c: 2 }, any: { kept: 1 }, d: 3 };
    expect(pruneUnknownFields(schema, input)).toEqual({
      value: { a: { b: 1 }, any: { kept: 1 } },
      dropped: ["a.c", "d"],
    });
  });

  test("keeps the type and all metadata of an embedded object, even if its schema declares some of them", () => {
    const schema = embeddedWith({ name: { type: "string", maxLength: 3 } });
    const object = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "a", namespace: "n", labels: { x: "y" } },
      data: {},
    };
    const pruned = pruneUnknownFields(schema, { t: { ...object, extra: 1 } });
    expect(pruned).toEqual({ value: { t: object }, dropped: ["t.extra"] });
    expect(coerceEmbedded(schema, pruned.value)).toEqual({ kind: "readable", value: { t: object }, dropped: [] });
  });

  test("drops unknown metadata of an embedded object and reports the paths", () => {
    const schema = embeddedWith({});
    const coerced = coerceEmbedded(schema, {
      t: { metadata: { name: "a", owner: "me", ownerReferences: [{ uid: "u", x: 1 }] } },
    });
    expect(coerced).toEqual({
      kind: "readable",
      value: { t: { metadata: { name: "a", ownerReferences: [{ uid: "u" }] } } },
      dropped: ["t.metadata.owner", "t.metadata.ownerReferences[0].x"],
    });
  });

  test("is idempotent and does not pollute prototypes", () => {
    const keys = fc.constantFrom("a", "__proto__", "constructor", "x");
    const dictionary = fc.dictionary(keys, fc.jsonValue(), { noNullPrototype: true });
    fc.assert(
      fc.property(dictionary, (value) => {
        const schema = s.object({ a: s.any().optional() }).structural;
        const once = pruneUnknownFields(schema, value).value;
        expect(pruneUnknownFields(schema, once)).toEqual({ value: once, dropped: [] });
        expect(Object.keys({})).toEqual([]);
        expect(Object.getPrototypeOf(once)).toBe(Object.prototype);
      }),
    );
  });
});

test("a null in a field that is not nullable gets the default or is removed", () => {
  const schema = s.object({
    kept: s.string().nullable().optional(),
    dropped: s.string().optional(),
    filled: s.int32().default(3),
    map: s.map(s.int32()).optional(),
    list: s.array(s.int32()).optional(),
  }).structural;
  const value = { kept: null, dropped: null, filled: null, map: { a: null, b: 1 }, list: [null, 1], unknown: null };
  expect(applyDefaults(schema, value)).toEqual({
    kept: null,
    filled: 3,
    map: { b: 1 },
    list: [null, 1],
    unknown: null,
  });
});
