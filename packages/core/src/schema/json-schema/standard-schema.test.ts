import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { DeclarationError } from "../../error/index.ts";
import { sampleValue, seededRandom } from "../../testing/index.ts";
import { s, fromStandardSchema } from "../index.ts";
import type { Infer, InferInput } from "../index.ts";

const spec = fromStandardSchema(
  z.object({
    replicas: z.int32().min(0).default(1),
    image: z.string().min(1),
    mode: z.enum(["fast", "safe"]).optional(),
    labels: z.record(z.string(), z.string()).optional(),
    contact: z.email().nullable(),
  }),
);

describe("a zod schema as a declaration", () => {
  test("keeps its input and output types", () => {
    expectTypeOf<Infer<typeof spec>["replicas"]>().toEqualTypeOf<number>();
    expectTypeOf<InferInput<typeof spec>["replicas"]>().toEqualTypeOf<number | undefined>();
    expectTypeOf<Infer<typeof spec>["mode"]>().toEqualTypeOf<"fast" | "safe" | undefined>();
    expectTypeOf<Infer<typeof spec>["contact"]>().toEqualTypeOf<string | null>();
    const outer = s.object({ inner: spec, more: s.boolean().optional() });
    expectTypeOf<Infer<typeof outer>["inner"]["image"]>().toEqualTypeOf<string>();
  });

  test("becomes the structural schema that a server enforces", () => {
    expect(spec.structural).toEqual({
      type: "object",
      required: ["image", "contact"],
      properties: {
        replicas: { type: "integer", format: "int64", minimum: 0, maximum: 2147483647, default: 1 },
        image: { type: "string", minLength: 1 },
        mode: { type: "string", enum: ["fast", "safe"] },
        labels: { type: "object", additionalProperties: { type: "string" } },
        contact: { type: "string", format: "email", nullable: true, pattern: expect.any(String) },
      },
    });
    expect(spec.optional().presence).toBe("optional");
  });

  test("is rejected if the server cannot enforce or store it", () => {
    expect(() => fromStandardSchema(z.object({ at: z.date() }))).toThrow(
      "zod: Date cannot be represented in JSON Schema",
    );
    expect(() => fromStandardSchema(z.string().transform(Number))).toThrow("zod: Transforms cannot be represented");
    expect(() => fromStandardSchema(z.object({ a: z.object({ on: z.stringbool() }) }))).toThrow(
      "zod: the output of a.on differs",
    );
    expect(() => fromStandardSchema(z.string().default("x"))).toThrow("schemaFrom(…).default(…)");
    expect(() => fromStandardSchema(z.tuple([z.string()]))).toThrow("zod: #/prefixItems: ");
    const union = z.discriminatedUnion("type", [
      z.object({ type: z.literal("a"), a: z.string() }),
      z.object({ type: z.literal("b"), b: z.string() }),
    ]);
    expect(() => fromStandardSchema(union)).toThrow("exactlyOneOf");
  });
});

test("values accepted by the server are accepted by the library", () => {
  const standard = z.object({
    size: z.int().gt(2).lt(9),
    name: z
      .string()
      .regex(/^[a-z]{2,4}$/u)
      .or(z.literal("")),
    site: z.url().optional(),
    tags: z.array(z.enum(["a", "b"])).min(1),
    either: z.union([z.int().min(0), z.string().max(3), z.null()]),
    when: z.iso.date(),
  });
  const random = seededRandom(5);
  for (let run = 0; run < 100; run += 1) {
    const value = sampleValue(fromStandardSchema(standard).structural, random);
    expect(standard.safeParse(value).error).toBeUndefined();
  }
});

describe("a value that is not a standard schema", () => {
  test("is rejected with a hint", () => {
    const old: unknown = { "~standard": { version: 1, vendor: "oldlib", validate: () => ({ value: 1 }) } };
    for (const wrong of [old, undefined, null, 3, {}]) {
      const given = wrong as Parameters<typeof fromStandardSchema>[0]; // as in untyped code
      expect(() => fromStandardSchema(given)).toThrow(DeclarationError);
    }
    expect(() => fromStandardSchema(old as Parameters<typeof fromStandardSchema>[0])).toThrow(
      "oldlib: schemaFrom needs a schema with",
    );
  });

  test("any library with Standard JSON Schema is supported", () => {
    const jsonSchema = { input: () => ({ type: "string" }), output: () => ({ type: "string" }) };
    const types: { input: string; output: string } | undefined = undefined;
    const other = { "~standard": { version: 1, vendor: "other", types, jsonSchema } } as const;
    expect(fromStandardSchema(other).structural).toEqual({ type: "string" });
  });
});
