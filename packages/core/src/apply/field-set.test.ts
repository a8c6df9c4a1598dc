import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatFieldPath } from "./path-element.ts";
import type { FieldPath } from "./path-element.ts";
import { FieldSet } from "./field-set.ts";
import { decodeFieldsV1, encodeFieldsV1 } from "./fields-v1.ts";

const step = fc.constantFrom("f:a", "f:b", "f:", 'k:{"name":"x"}', 'k:{"name":"x","port":80}', 'v:"x"', "v:1", "i:0");
const path = fc.array(step, { minLength: 1, maxLength: 4 });
const paths = fc.array(path, { maxLength: 12 });

/** A set of paths as a plain Set, as the reference model. */
function model(list: readonly FieldPath[]): Set<string> {
  return new Set(list.map((one) => JSON.stringify(one)));
}

function contents(set: FieldSet): Set<string> {
  return model([...set.paths()]);
}

describe("sets of fields", () => {
  test("union, intersection and difference are those of the paths", () => {
    fc.assert(
      fc.property(paths, paths, (left, right) => {
        const [a, b] = [FieldSet.of(...left), FieldSet.of(...right)];
        const [m, n] = [model(left), model(right)];
        expect(contents(a.union(b))).toEqual(new Set([...m, ...n]));
        expect(contents(a.intersection(b))).toEqual(new Set([...m].filter((one) => n.has(one))));
        expect(contents(a.difference(b))).toEqual(new Set([...m].filter((one) => !n.has(one))));
      }),
    );
  });

  test("recursiveDifference removes whole branches", () => {
    fc.assert(
      fc.property(paths, paths, (left, right) => {
        const kept = left.filter((one) => !right.some((cut) => cut.every((element, at) => one[at] === element)));
        expect(contents(FieldSet.of(...left).recursiveDifference(FieldSet.of(...right)))).toEqual(model(kept));
      }),
    );
  });

  test("the laws of sets hold", () => {
    fc.assert(
      fc.property(paths, paths, paths, (x, y, z) => {
        const [a, b, c] = [FieldSet.of(...x), FieldSet.of(...y), FieldSet.of(...z)];
        expect(a.union(b).equals(b.union(a))).toBe(true);
        expect(a.union(b.union(c)).equals(a.union(b).union(c))).toBe(true);
        expect(a.union(a).equals(a)).toBe(true);
        expect(a.intersection(b.union(c)).equals(a.intersection(b).union(a.intersection(c)))).toBe(true);
        expect(a.difference(b).intersection(b).isEmpty).toBe(true);
        expect(a.difference(b).union(a.intersection(b)).equals(a)).toBe(true);
        expect(a.difference(a)).toBe(FieldSet.empty);
      }),
    );
  });

  test("FieldsV1 round-trips, with keys in any order", () => {
    fc.assert(
      fc.property(paths, (list) => {
        const set = FieldSet.of(...list);
        expect(decodeFieldsV1(encodeFieldsV1(set)).equals(set)).toBe(true);
        const shuffled = Object.fromEntries(Object.entries(encodeFieldsV1(set)).toReversed());
        expect(encodeFieldsV1(decodeFieldsV1(shuffled))).toEqual(encodeFieldsV1(set));
      }),
    );
  });

  test("FieldsV1 lists fields first and marks owned parents", () => {
    const set = FieldSet.of(
      ["f:spec"],
      ["f:spec", 'k:{"name":"b"}'],
      ["f:spec", 'k:{"name":"a"}', "f:x"],
      ["f:spec", "f:z"],
    );
    expect(JSON.stringify(encodeFieldsV1(set))).toBe(
      '{"f:spec":{".":{},"f:z":{},"k:{\\"name\\":\\"a\\"}":{"f:x":{}},"k:{\\"name\\":\\"b\\"}":{}}}',
    );
  });

  test("indexes are sorted as numbers, and unknown path elements are ignored", () => {
    expect(FieldSet.of(["v:10"], ["v:9"], ["i:10"], ["i:9"]).elements).toEqual(["v:9", "v:10", "i:9", "i:10"]);
    expect([...decodeFieldsV1({ "x:new": {}, "f:a": {} }).paths()]).toEqual([["f:a"]]);
  });

  test.each([
    ["no object", 5],
    ["no step", { f: {} }],
    ["no JSON", { "k:{": {} }],
    ["no object below", { "f:a": [] }],
  ])("FieldsV1 with %s is rejected", (_what, fields) => {
    expect(() => decodeFieldsV1(fields)).toThrow(SyntaxError);
  });

  test("a pattern keeps its paths and the paths below", () => {
    const set = FieldSet.of(["f:a", "k:{}", "f:x", "f:deep"], ["f:a", "k:{}", "f:y"], ["f:b"]);
    expect([...set.filter({ "f:a": { "*": { "f:x": "all" } } }).paths()]).toEqual([["f:a", "k:{}", "f:x", "f:deep"]]);
  });

  test("paths are formatted for people", () => {
    expect(formatFieldPath(["f:spec", 'k:{"name":"x","port":80}', 'v:"y"', "i:3"])).toBe(
      '.spec[name="x",port=80][="y"][3]',
    );
  });
});
