import fc from "fast-check";
import { expect, test } from "vitest";
import { mapItems, mapMembers } from "./map.ts";

const object = fc.dictionary(fc.string(), fc.option(fc.integer(), { nil: null }));

test("members that do not change leave the very same object", () => {
  fc.assert(
    fc.property(object, (given) => {
      expect(mapMembers(given, (member) => member)).toBe(given);
    }),
  );
});

test("members change, go and keep their order, as with a copy made member by member", () => {
  const change = (member: unknown): unknown =>
    member === null ? undefined : typeof member === "number" ? member % 3 : 0;
  fc.assert(
    fc.property(object, (given) => {
      const before = structuredClone(given);
      const expected = Object.entries(given)
        .map(([name, member]) => [name, change(member)])
        .filter(([, member]) => member !== undefined);
      expect(Object.entries(mapMembers(given, change))).toEqual(expected);
      expect(given).toEqual(before);
    }),
  );
});

test("a member named __proto__ is a member like any other", () => {
  const given = JSON.parse('{"a":1,"__proto__":2}') as Readonly<Record<string, unknown>>;
  expect(Object.entries(mapMembers(given, (member) => Number(member) + 1))).toEqual([
    ["a", 2],
    ["__proto__", 3],
  ]);
});

test("items change as with map, and unchanged ones leave the very same list", () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), (given) => {
      expect(mapItems(given, (item) => item)).toBe(given);
      expect(mapItems(given, (item, index) => Number(item) % (index + 1))).toEqual(
        given.map((item, index) => item % (index + 1)),
      );
    }),
  );
});
