import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DeclarationError } from "../../error/index.ts";
import { structuralSchema } from "../../testing/structural.fixture.ts";
import { s, structuralFromJsonSchema } from "../index.ts";
import type { StructuralSchema } from "../index.ts";

const from = structuralFromJsonSchema;

function refusal(document: unknown): string {
  try {
    from(document);
  } catch (error) {
    if (error instanceof DeclarationError) return error.message;
    throw error;
  }
  return "accepted";
}

describe("a JSON Schema becomes a structural schema", () => {
  test("with types, bounds, descriptions and defaults, without annotations", () => {
    const document = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $id: "https://example.com/widget",
      title: "Widget",
      type: "object",
      required: ["size"],
      properties: {
        size: { type: "integer", minimum: 1, exclusiveMaximum: 10, readOnly: true, examples: [3] },
        ratio: { type: "number", exclusiveMinimum: 0, minimum: 0.5, description: "How much." },
        name: { type: "string", minLength: 1, maxLength: 5, pattern: "^[a-z]+$", default: "abc" },
        mode: { const: "fast" },
        flag: { type: "boolean" },
      },
      additionalProperties: false,
    };
    expect(from(document)).toEqual({
      type: "object",
      required: ["size"],
      properties: {
        size: { type: "integer", format: "int64", minimum: 1, maximum: 10, exclusiveMaximum: true },
        ratio: { type: "number", minimum: 0.5, description: "How much." },
        name: { type: "string", minLength: 1, maxLength: 5, pattern: "^[a-z]+$", default: "abc" },
        mode: { type: "string", enum: ["fast"] },
        flag: { type: "boolean" },
      },
    });
  });

  test("that is nullable if null is one of the types or alternatives", () => {
    const nullable = { type: "string", nullable: true };
    expect(from({ type: ["string", "null"] })).toEqual(nullable);
    expect(from({ anyOf: [{ type: "string" }, { type: "null" }] })).toEqual(nullable);
    expect(from({ oneOf: [{ const: null }, { type: "string" }] })).toEqual(nullable);
    expect(from({ type: "string", nullable: true })).toEqual(nullable);
    expect(from({ anyOf: [{ type: "string" }, { type: "null" }], default: null })).toEqual({
      ...nullable,
      default: null,
    });
  });

  test("with references and their sibling keywords inlined", () => {
    const document = {
      type: "object",
      properties: {
        a: { $ref: "#/$defs/A", description: "mine" },
        b: { type: "array", items: { $ref: "#/definitions/B~1C" } },
      },
      $defs: { A: { type: "string", description: "theirs" } },
      definitions: { "B/C": { $ref: "#/$defs/A" } },
    };
    expect(from(document).properties).toEqual({
      a: { type: "string", description: "mine" },
      b: { type: "array", items: { type: "string", description: "theirs" } },
    });
  });

  test("with open objects, maps and sets", () => {
    const preserve = { "x-kubernetes-preserve-unknown-fields": true };
    expect(from({})).toEqual(preserve);
    expect(from(true)).toEqual(preserve);
    expect(from({ type: "object" })).toEqual({ type: "object", ...preserve });
    expect(from({ type: "object", additionalProperties: true })).toEqual({ type: "object", ...preserve });
    expect(from({ type: "object", properties: { a: { type: "boolean" } }, additionalProperties: {} })).toEqual({
      type: "object",
      properties: { a: { type: "boolean" } },
      ...preserve,
    });
    expect(from({ type: "object", additionalProperties: { type: "string" } })).toEqual({
      type: "object",
      additionalProperties: { type: "string" },
    });
    expect(from({ type: "array", items: { type: "string" }, uniqueItems: true })).toEqual({
      type: "array",
      items: { type: "string" },
      "x-kubernetes-list-type": "set",
    });
  });

  test("with allOf merged where its parts are compatible", () => {
    const document = {
      allOf: [
        { type: "object", required: ["a"], properties: { a: { type: "string" } }, additionalProperties: false },
        { type: "object", required: ["b"], properties: { b: { type: "boolean" } } },
      ],
    };
    expect(from(document)).toEqual({
      type: "object",
      required: ["a", "b"],
      properties: { a: { type: "string" }, b: { type: "boolean" } },
    });
    expect(from({ type: "string", pattern: "^a", allOf: [{ pattern: "b$", minLength: 2 }, { maxLength: 5 }] })).toEqual(
      {
        type: "string",
        pattern: "^a",
        maxLength: 5,
        allOf: [{ pattern: "b$", minLength: 2 }],
      },
    );
  });

  test("with alternatives that only constrain the value", () => {
    expect(
      from({
        anyOf: [
          { type: "string", const: "a" },
          { type: "string", enum: ["b", "a"] },
        ],
      }),
    ).toEqual({
      type: "string",
      enum: ["a", "b"],
    });
    expect(
      from({
        anyOf: [
          { type: "string", maxLength: 2 },
          { type: "string", pattern: "^x" },
        ],
      }),
    ).toEqual({
      type: "string",
      anyOf: [{ maxLength: 2 }, { pattern: "^x" }],
    });
    const union = { properties: { a: { type: "string" }, b: { type: "string" } } };
    expect(
      from({ ...union, oneOf: [{ required: ["a"] }, { required: ["b"], properties: { b: { const: "x" } } }] }),
    ).toEqual({
      type: "object",
      ...union,
      oneOf: [{ required: ["a"] }, { required: ["b"], properties: { b: { enum: ["x"] } } }],
    });
    expect(from({ type: "string", not: { enum: ["root"] } })).toEqual({ type: "string", not: { enum: ["root"] } });
  });

  test("with int-or-string for an integer or a string", () => {
    const either = { "x-kubernetes-int-or-string": true };
    expect(from({ type: ["string", "integer"] })).toEqual(either);
    expect(
      from({ anyOf: [{ type: "integer", minimum: 1 }, { type: "string", pattern: "%$" }, { type: "null" }] }),
    ).toEqual({
      ...either,
      minimum: 1,
      pattern: "%$",
      nullable: true,
    });
    expect(from({ anyOf: [{ type: "integer" }, { type: "string" }], ...either })).toEqual(either);
  });

  test("keeps validated formats, and drops a non-RE2 pattern that duplicates one", () => {
    expect(from({ type: "string", format: "email", pattern: "^(?!x)" })).toEqual({ type: "string", format: "email" });
    expect(from({ type: "string", format: "idn-email" })).toEqual({ type: "string" });
    expect(from({ type: "string", format: "duration", pattern: "^P" })).toEqual({ type: "string", pattern: "^P" });
    expect(from({ type: "integer", format: "int32" })).toEqual({ type: "integer", format: "int32" });
    expect(from({ type: "integer", format: "uint8" })).toEqual({ type: "integer", format: "int64" });
  });

  test("treats every key as data", () => {
    const document: unknown = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}',
    );
    expect(Object.keys(from(document).properties ?? {})).toEqual(["__proto__"]);
    expect(from({ $ref: "#/$defs/constructor", $defs: { constructor: { type: "boolean" } } })).toEqual({
      type: "boolean",
    });
    expect(refusal({ $ref: "#/$defs/toString", $defs: {} })).toContain("#/$defs/toString does not exist");
  });

  test("and a structural schema is not changed", () => {
    fc.assert(
      fc.property(structuralSchema, (schema) => {
        const once = from(schema);
        expect(from(once)).toEqual(once);
      }),
    );
    const widget: StructuralSchema = s.object({
      ports: s.array(s.object({ port: s.int32(), name: s.string().optional() })).keyedBy("port"),
      either: s.object({ a: s.int32().optional(), b: s.intOrString().optional() }).exactlyOneOf("a", "b"),
      limits: s.map(s.int64()).optional(),
      any: s.any().optional(),
      when: s.dateTime().nullable().default(null),
      size: s.int32().min(1).default(1).rule("self < 10"),
    }).structural;
    expect(from(widget)).toEqual(widget);
  });
});

describe("keywords that a CustomResourceDefinition cannot express are rejected with location and alternative", () => {
  test.each([
    [
      { type: "array", prefixItems: [{}] },
      "JSON Schema: #/prefixItems: a CustomResourceDefinition has no prefixItems: use",
    ],
    [{ type: "array", items: [{}] }, "#/items: a CustomResourceDefinition has no items: use an object with a field"],
    [{ properties: { a: { patternProperties: {} } } }, "#/properties/a/patternProperties: "],
    [{ if: {} }, "#/if: "],
    [{ dependentRequired: {} }, '.rule("!has(self.a) || has(self.b)")'],
    [{ type: "array", contains: {} }, "self.exists"],
    [{ type: "object", propertyNames: { maxLength: 3 } }, "#/propertyNames: "],
    [
      { properties: { a: {} }, additionalProperties: { type: "string" } },
      "#/additionalProperties: an object can have declared",
    ],
    [
      { type: ["string", "number"] },
      "#/type: a field can have only one type, not number or string: use s.intOrString()",
    ],
    [{ type: "null" }, "is always null"],
    [{ enum: ["a", null] }, "#/enum: an enum cannot be nullable: make the field optional"],
    [{ type: "text" }, '#/type: "text" is not a type: write one of object'],
    [{ $ref: "#" }, "#/$ref: # contains itself"],
    [
      { $ref: "#/$defs/A", $defs: { A: { properties: { a: { $ref: "#/$defs/A" } } } } },
      "#/$defs/A/properties/a/$ref: ",
    ],
    [{ $ref: "other.json" }, "only references into the same document"],
    [{ $ref: "#/%" }, "is not a JSON pointer"],
    [{ oneOf: [{ properties: { a: { type: "string" } } }, { properties: { b: {} } }] }, "exactlyOneOf"],
    [{ anyOf: [{ type: "string" }, { type: "boolean" }] }, "#/anyOf/0/type: this alternative has another type"],
    [
      { allOf: [{ properties: { a: { type: "string" } } }, { properties: { a: { type: "number" } } }] },
      "#/allOf/1/properties/a: ",
    ],
    [{ type: "string", pattern: "(?=a)" }, "#/pattern: the pattern (?=a) is not RE2"],
    [{ type: "array", items: { type: "object" }, uniqueItems: true }, "keyedBy"],
    [{ type: "integer", default: "x" }, "#/default: the default is invalid"],
    [{ properties: {}, required: ["a"] }, "the field a is required, but not declared"],
    [{ type: "string", minLength: "3" }, "#/minLength: minLength is not a number"],
    [{ properties: { a: false } }, "#/properties/a: no value is valid"],
    [{ not: {} }, "no value is valid"],
    [{ properties: [] }, "#/properties: is not an object"],
    ["text", "#: is not an object: write a schema here"],
    [undefined, "#: is not an object"],
  ])("%j", (document, message) => {
    expect(refusal(document)).toContain(message);
  });

  test("and so are documents that are too deep or too large", () => {
    let deep: unknown = { type: "string" };
    for (let level = 0; level < 200; level += 1) deep = { type: "array", items: deep };
    expect(refusal(deep)).toContain("nested too deep");
    const $defs = Object.fromEntries(
      Array.from({ length: 20 }, (_, level) => {
        const next = level === 19 ? { type: "string" } : { $ref: `#/$defs/L${level + 1}` };
        return [`L${level}`, { type: "object", properties: { a: next, b: next } }];
      }),
    );
    expect(refusal({ $ref: "#/$defs/L0", $defs })).toContain("more than 20000 schemas");
  });

  test("the error names the document", () => {
    expect(() => from({ if: {} }, { name: "orders.json" })).toThrow("orders.json: #/if: ");
  });

  test("only DeclarationErrors are thrown", () => {
    const keyword = fc.constantFrom(
      "type",
      "properties",
      "items",
      "allOf",
      "anyOf",
      "$ref",
      "enum",
      "required",
      "default",
      "not",
    );
    const document = fc.letrec<{ any: unknown }>((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<unknown>(
          "string",
          "object",
          ["string", "null"],
          3,
          null,
          true,
          false,
          [],
          {},
          "#/properties/type",
        ),
        fc.array(tie("any"), { maxLength: 3 }),
        fc.dictionary(keyword, tie("any"), { maxKeys: 4 }),
      ),
    })).any;
    fc.assert(
      fc.property(document, (value) => {
        expect(refusal(value)).not.toBe("");
      }),
      { numRuns: 2_000 },
    );
  });
});
