import fc from "fast-check";
import type { StructuralSchema } from "../schema/index.ts";

const text = fc.oneof(
  fc.record({
    type: fc.constant("string" as const),
    minLength: fc.integer({ min: 0, max: 3 }),
    maxLength: fc.integer({ min: 3, max: 6 }),
  }),
  fc.constantFrom<StructuralSchema>(
    { type: "string" },
    { type: "string", pattern: "^[a-z]([-a-z0-9]*[a-z0-9])?$", maxLength: 10 },
    { type: "string", pattern: "^(\\d{1,3}%|auto)$" },
    { type: "string", format: "date-time" },
    { type: "string", format: "duration" },
    { type: "string", format: "byte" },
    { type: "string", enum: ["a", "b", "c"] },
    { type: "string", maxLength: 2, nullable: true },
    { type: "string", default: "x" },
    { type: "string", anyOf: [{ pattern: "^x" }, { maxLength: 2 }] },
    { type: "string", not: { enum: [""] } },
  ),
);

const integer = fc.oneof(
  fc.record({
    type: fc.constant("integer" as const),
    minimum: fc.integer({ min: -3, max: 3 }),
    maximum: fc.integer({ min: 6, max: 9 }),
    exclusiveMinimum: fc.boolean(),
    exclusiveMaximum: fc.boolean(),
  }),
  fc.constantFrom<StructuralSchema>(
    { type: "integer" },
    { type: "integer", format: "int32" },
    { type: "integer", format: "int64" },
    { type: "integer", format: "int64", minimum: 2 ** 53, nullable: true },
    { type: "integer", multipleOf: 7, minimum: 1, maximum: 30 },
    { type: "integer", default: 3 },
    { type: "integer", enum: [1, 2] },
  ),
);

const scalar = fc.oneof(
  text,
  integer,
  fc.constantFrom<StructuralSchema>(
    { type: "boolean" },
    { type: "boolean", default: true },
    { type: "number" },
    { type: "number", minimum: 0, maximum: 1, exclusiveMinimum: true, exclusiveMaximum: true },
    { type: "number", multipleOf: 0.5 },
    { "x-kubernetes-int-or-string": true },
    { "x-kubernetes-int-or-string": true, pattern: "^[0-9]+%$", minimum: 1 },
    { "x-kubernetes-preserve-unknown-fields": true },
    { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
  ),
);

const set = fc
  .tuple(fc.constantFrom<StructuralSchema>({ type: "string" }, { type: "integer" }), fc.integer({ min: 0, max: 2 }))
  .map(([items, minItems]): StructuralSchema => ({
    type: "array",
    items,
    minItems,
    maxItems: 5,
    "x-kubernetes-list-type": "set",
  }));

const keyed: StructuralSchema = {
  type: "array",
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["port", "protocol"],
  maxItems: 4,
  items: {
    type: "object",
    required: ["port"],
    properties: {
      port: { type: "integer", minimum: 1, maximum: 3 },
      protocol: { type: "string", enum: ["TCP", "UDP"], default: "TCP" },
      name: { type: "string" },
    },
  },
};

/** Structural schemas as in CRDs, of small depth, each with at least one valid value. */
export const structuralSchema: fc.Arbitrary<StructuralSchema> = fc.letrec<{ any: StructuralSchema }>((tie) => ({
  any: fc.oneof(
    { depthSize: "small", maxDepth: 3, withCrossShrink: true },
    scalar,
    set,
    fc.constant(keyed),
    fc
      .tuple(tie("any"), fc.integer({ min: 0, max: 2 }))
      .map(([items, minItems]): StructuralSchema => ({ type: "array", items, minItems })),
    tie("any").map((additionalProperties): StructuralSchema => ({
      type: "object",
      additionalProperties,
      maxProperties: 3,
    })),
    objectOf(tie("any")),
    fc.tuple(tie("any"), tie("any")).map(([a, b]): StructuralSchema => ({
      type: "object",
      properties: { a: withoutDefault(a), b: withoutDefault(b) },
      oneOf: [{ required: ["a"] }, { required: ["b"] }],
    })),
  ),
})).any;

/** Schemas of objects with some of the fields a, b, c and `__proto__`. */
export const objectSchema: fc.Arbitrary<StructuralSchema> = objectOf(structuralSchema);

function objectOf(field: fc.Arbitrary<StructuralSchema>): fc.Arbitrary<StructuralSchema> {
  return fc
    .tuple(
      fc.dictionary(fc.constantFrom("a", "b", "c", "__proto__"), field, { maxKeys: 3 }),
      fc.func(fc.boolean()),
      fc.boolean(),
    )
    .map(([properties, isRequired, isOpen]): StructuralSchema => {
      const required = Object.keys(properties).filter((name) => isRequired(name));
      return {
        type: "object",
        properties,
        ...(required.length === 0 ? {} : { required }),
        ...(isOpen ? { "x-kubernetes-preserve-unknown-fields": true } : {}),
      };
    });
}

function withoutDefault(schema: StructuralSchema): StructuralSchema {
  const { default: _default, ...rest } = schema;
  return rest;
}
