import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DeclarationError } from "../error/index.ts";
import { schemaFormats } from "../format/index.ts";
import { deepEqual, deepFreeze, isJsonObject } from "../json/index.ts";
import type { JsonValue } from "../json/index.ts";
import { kind } from "../kind/index.ts";
import { applyDefaults, compilePattern, pruneUnknownFields, s, validate } from "../schema/index.ts";
import type { StructuralSchema } from "../schema/index.ts";
import { mutateValue, sampleObject, sampleValue, seededRandom } from "./index.ts";
import { formatExamples } from "./format-examples.ts";
import { samplePattern } from "./sample-pattern.ts";
import { structuralSchema } from "./structural.fixture.ts";

const seeds = fc.integer({ min: 0, max: 2 ** 31 });

function samples(schema: StructuralSchema, count: number): readonly JsonValue[] {
  const random = seededRandom(7);
  return Array.from({ length: count }, () => sampleValue(schema, random));
}

describe("a sample", () => {
  test("is valid under its schema, before and after defaulting, and has no unknown fields", () => {
    fc.assert(
      fc.property(structuralSchema, seeds, (schema, seed) => {
        const value = sampleValue(schema, seededRandom(seed));
        expect(validate(schema, value)).toEqual([]);
        expect(validate(schema, applyDefaults(schema, value))).toEqual([]);
        expect(pruneUnknownFields(schema, value).dropped).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test("is the same for the same seed", () => {
    fc.assert(
      fc.property(structuralSchema, seeds, (schema, seed) => {
        expect(sampleValue(schema, seededRandom(seed))).toEqual(sampleValue(schema, seededRandom(seed)));
      }),
    );
  });

  test("reaches both bounds, null, every enum value, and integers beyond 2^53", () => {
    expect(samples(s.int32().min(1).max(3).nullable().structural, 100)).toEqual(
      expect.arrayContaining([1, 2, 3, null]),
    );
    expect(samples(s.enum("a", "b").structural, 50)).toEqual(expect.arrayContaining(["a", "b"]));
    expect(samples(s.int64().structural, 100).some((value) => typeof value === "bigint")).toBe(true);
    expect(samples(s.intOrString().structural, 50).map((value) => typeof value)).toEqual(
      expect.arrayContaining(["number", "string"]),
    );
  });

  test("sometimes has optional fields, and exactly one case of a union", () => {
    const union = s.object({ a: s.int32().optional(), b: s.int32().optional(), c: s.int32().optional() });
    const keys = samples(union.exactlyOneOf("a", "b", "c").structural, 60).map((value) => Object.keys(value ?? {}));
    expect(new Set(keys.map((names) => names.length))).toEqual(new Set([1]));
    expect(new Set(keys.flat())).toEqual(new Set(["a", "b", "c"]));
    const lengths = samples(union.structural, 60).map((value) => Object.keys(value ?? {}).length);
    expect(new Set(lengths)).toEqual(new Set([0, 1, 2, 3]));
  });

  test("has unique list keys, including defaulted ones", () => {
    const ports = s
      .array(s.object({ port: s.int32().min(1).max(2), protocol: s.enum("TCP", "UDP").default("TCP") }))
      .keyedBy("port", "protocol")
      .min(3).structural;
    for (const value of samples(ports, 50)) expect(validate(ports, applyDefaults(ports, value))).toEqual([]);
  });

  test("matches patterns, and uses an example or default for unsupported ones", () => {
    for (const value of samples(s.quantity().structural, 50))
      expect(validate(s.quantity().structural, value)).toEqual([]);
    const hard = "^(a|b)\\b$x"; // matches no string
    const written: StructuralSchema = { type: "string", pattern: "(a|b)\\bx|^ok$", default: "ok" };
    expect(new Set(samples({ ...written, maxLength: 2 }, 20))).toEqual(new Set(["ok"]));
    const schema = s.object({ list: s.array(s.object({ code: s.string().pattern(hard) })).min(1) }).structural;
    expect(() => samples(schema, 1)).toThrow(DeclarationError);
    expect(() => samples(schema, 1)).toThrow("list[0].code: no sample fits the pattern ^(a|b)\\b$x: give the field");
  });

  test("of a kind is a complete object", () => {
    const Order = kind({ group: "shop.dev", version: "v1", kind: "Order", spec: s.object({ amount: s.int32() }) });
    const order = sampleObject(Order, seededRandom(1));
    expect(order).toMatchObject({ apiVersion: "shop.dev/v1", kind: "Order", metadata: { namespace: "default" } });
    expect(order.metadata.name).toMatch(/^order-[a-z0-9]{5}$/u);
    expect(validate(Order.schema, order)).toEqual([]);
  });
});

test("every checked format has valid examples", () => {
  for (const [format, fits] of schemaFormats) {
    const examples = formatExamples.get(format) ?? [];
    expect([format, examples.length > 0, examples.filter((example) => !fits(example))]).toEqual([format, true, []]);
  }
});

describe("a string generated from a pattern", () => {
  test.each([
    "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$",
    "^(([0-9]{1,3}\\.){3}[0-9]{1,3})/(3[0-2]|[12]?\\d)$",
    "^[^/]+/[^:]+:(?P<tag>\\w+)$",
    "^(?:[[:alpha:]]|\\x41|\\x{1F600}|\\p{L})+?\\s.\\S\\D\\W$",
    "^[\\w.\\]-]{2,}[]a]$",
    "(?i)^abc|def$",
    "^(?s:.)$",
  ])("matches %s", (pattern) => {
    const compiled = compilePattern(pattern);
    const random = seededRandom(3);
    for (let run = 0; run < 30; run += 1) {
      const text = samplePattern(pattern, random, { extraMax: run % 5 });
      expect(compiled.kind === "compiled" && text !== undefined && compiled.matches(text)).toBe(true);
    }
  });

  test("is undefined for an invalid regular expression", () => {
    for (const pattern of ["(a", "a)", "[a", "(?=a)", "\\"]) {
      expect(samplePattern(pattern, seededRandom(1), { extraMax: 1 })).toBeUndefined();
    }
  });
});

describe("a mutated value", () => {
  test("differs from the original, which is not changed", () => {
    fc.assert(
      fc.property(structuralSchema, seeds, (schema, seed) => {
        const random = seededRandom(seed);
        const value = deepFreeze(sampleValue(schema, random));
        const mutated = mutateValue(schema, value, random);
        expect(deepEqual(mutated, value)).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  test("covers wrong types, nulls, missing and unknown fields, bounds and duplicates", () => {
    const schema = s.object({
      count: s.int32().min(1).max(9),
      name: s.string().min(1).max(3),
      tags: s.array(s.string()).set().min(1).max(3),
      limits: s.map(s.int32()).min(1).max(2),
      mode: s.enum("fast", "safe"),
    }).structural;
    const random = seededRandom(11);
    const wrong = Array.from({ length: 800 }, () => mutateValue(schema, sampleValue(schema, random), random));
    const reasons = new Set(wrong.flatMap((value) => validate(schema, value).map((error) => error.reason)));
    expect(reasons).toEqual(
      new Set([
        "FieldValueRequired",
        "FieldValueInvalid",
        "FieldValueTypeInvalid",
        "FieldValueNotSupported",
        "FieldValueDuplicate",
        "FieldValueTooLong",
        "FieldValueTooMany",
      ]),
    );
    expect(wrong.some((value) => pruneUnknownFields(schema, value).dropped.length > 0)).toBe(true);
    expect(wrong.some((value) => isJsonObject(value) && Object.hasOwn(value, "__proto__"))).toBe(true);
  });
});
