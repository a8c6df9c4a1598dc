import fc from "fast-check";
import { expect, test } from "vitest";
import { mapJsonArray, mapJsonObject } from "./map.ts";

const object = fc.dictionary(fc.string(), fc.option(fc.integer(), { nil: null }));

test("the same object is returned if no member changes", () => {
  fc.assert(
    fc.property(object, (given) => {
      expect(mapJsonObject(given, (member) => member)).toBe(given);
    }),
  );
});

test("members are changed or removed in order", () => {
  const change = (member: unknown): unknown =>
    member === null ? undefined : typeof member === "number" ? member % 3 : 0;
  fc.assert(
    fc.property(object, (given) => {
      const before = structuredClone(given);
      const expected = Object.entries(given)
        .map(([name, member]) => [name, change(member)])
        .filter(([, member]) => member !== undefined);
      expect(Object.entries(mapJsonObject(given, change))).toEqual(expected);
      expect(given).toEqual(before);
    }),
  );
});

test("a member named __proto__ is plain data", () => {
  const given = JSON.parse('{"a":1,"__proto__":2}') as Readonly<Record<string, unknown>>;
  expect(Object.entries(mapJsonObject(given, (member) => Number(member) + 1))).toEqual([
    ["a", 2],
    ["__proto__", 3],
  ]);
});

test("items are mapped, and the same list is returned if no item changes", () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), (given) => {
      expect(mapJsonArray(given, (item) => item)).toBe(given);
      expect(mapJsonArray(given, (item, index) => Number(item) % (index + 1))).toEqual(
        given.map((item, index) => item % (index + 1)),
      );
    }),
  );
});
