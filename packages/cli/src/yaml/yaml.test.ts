import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatYaml, parseYamlDocuments } from "./yaml.ts";

describe("YAML", () => {
  test("is parsed as in kubectl: yes is a boolean, a date a string, and << merges", () => {
    expect(parseYamlDocuments("{a: yes, b: off, c: 2026-01-01, d: ~, e: '1', f: 0x10}")).toEqual([
      { a: true, b: false, c: "2026-01-01", d: null, e: "1", f: 16 },
    ]);
    expect(parseYamlDocuments("base: &b {x: 1}\nall: {<<: *b, z: 2}")).toEqual([
      { base: { x: 1 }, all: { x: 1, z: 2 } },
    ]);
    expect(parseYamlDocuments("a: 1\n---\nb: 2\n")).toEqual([{ a: 1 }, { b: 2 }]);
  });

  test("preserves integers of any size in both directions", () => {
    expect(parseYamlDocuments("total: 9007199254740993")).toEqual([{ total: 9_007_199_254_740_993n }]);
    expect(parseYamlDocuments("total: -9223372036854775808")).toEqual([{ total: -(2n ** 63n) }]);
    expect(formatYaml([{ total: 9_007_199_254_740_993n }])).toBe("total: 9007199254740993\n");
  });

  test("that is formatted parses to the same data", () => {
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom("yes", "no", "on", "1e3", "0x1", "~", "null", "12:30", "2026-01-01", "<<"),
    );
    const value = fc.letrec((tie) => ({
      any: fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null), tie("list"), tie("map")),
      list: fc.array(tie("any"), { maxLength: 4 }),
      map: fc.dictionary(
        text.filter((key) => key !== "__proto__"),
        tie("any"),
        { maxKeys: 4 },
      ),
    })).map;
    fc.assert(
      fc.property(value, (data) => {
        expect(parseYamlDocuments(formatYaml([data]))).toEqual([data]);
      }),
    );
  });

  test("of several documents is parsed to the same documents", () => {
    expect(parseYamlDocuments(formatYaml([{ a: 1 }, { b: [1, 2] }]))).toEqual([{ a: 1 }, { b: [1, 2] }]);
  });
});
