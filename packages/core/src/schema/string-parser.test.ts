import fc from "fast-check";
import { describe, expect, expectTypeOf, test } from "vitest";
import { s } from "./s.ts";
import type { AnySchema } from "./schema.ts";
import type { StringParser } from "./string-parser.ts";

const values = (value: StringParser<unknown>, ...texts: readonly string[]): readonly unknown[] =>
  texts.map((text) => value.parse(text)?.value);

describe("a string is parsed as", () => {
  test("an integer", () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.constantFrom("", " ", "\n"), (number, blank) => {
        expect(s.intFromString().parse(`${blank}${number}${blank}`)).toEqual({ value: number });
      }),
    );
    expect(values(s.intFromString(), "+7", "007", "-0")).toEqual([7, 7, 0]);
    expect(values(s.intFromString(), "", " ", "1.0", "1e3", "0x10", "1_000", "NaN", "9007199254740993")).toEqual(
      Array.from({ length: 8 }),
    );
  });

  test("a number, a boolean, JSON, or a string", () => {
    expect(values(s.numberFromString(), "-2.5\n", "1e3", ".5", "1e999", "two")).toEqual([
      -2.5,
      1000,
      0.5,
      undefined,
      undefined,
    ]);
    expect(values(s.booleanFromString(), "true", "false\n", "yes", "True")).toEqual([
      true,
      false,
      undefined,
      undefined,
    ]);
    expect(values(s.jsonFromString(), '{"a":[1]}', "null", "{")).toEqual([{ a: [1] }, null, undefined]);
    expect(values(s.text(), " as it is\n", "")).toEqual([" as it is\n", ""]);
  });

  test("a refined value, or rejected with what is expected", () => {
    const positive = s.intFromString().refine("a whole number above 0", (value) => value > 0);
    expect(values(positive, "1", "0", "x")).toEqual([1, undefined, undefined]);
    expect(positive.what).toBe("a whole number above 0");
  });

  test("a default or undefined if it is missing", () => {
    expect(s.text().missing).toBeUndefined();
    expect(s.text().optional().missing).toEqual({ value: undefined });
    expect(s.intFromString().default(8080).missing).toEqual({ value: 8080 });
    expect(
      s
        .intFromString()
        .default(8080)
        .refine("any port", () => true).missing,
    ).toEqual({ value: 8080 });
  });
});

test("a string parser cannot be a field of a kind", () => {
  expectTypeOf(s.intFromString()).not.toExtend<AnySchema>();
});
