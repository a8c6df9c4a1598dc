import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { duplicateFields } from "./duplicate-fields.ts";

describe("duplicate fields", () => {
  test.each([
    ['{"a":1,"b":2}', []],
    ['{"a":1,"a":2}', ["a"]],
    ['{"a":1,"a":2,"a":3}', ["a"]],
    ['{"a":{"b":1},"c":{"b":1}}', []],
    ['{"spec":{"ports":[{"x":1},{"name":"a","name":"b"}]}}', ["spec.ports[1].name"]],
    ['{"a":"\\"a\\":1,\\"a\\":2"}', []],
    ['{"a\\\\":1,"a":2}', []],
    [String.raw`{"a":1,"\u0061":2}`, ["a"]],
    ['[{"a":1},{"a":1}]', []],
    ['{"a":["b","b"],"b":"a"}', []],
    ['{"a":{"x":1,"x":2},"a":{"y":1,"y":2}}', ["a.x", "a", "a.y"]],
  ])("of %s", (text, paths) => {
    expect(duplicateFields(text)).toEqual(paths);
  });

  test("do not occur in serialized JSON", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(duplicateFields(JSON.stringify(JSON.parse(text)))).toEqual([]);
      }),
    );
  });

  test("are found at any depth", () => {
    const key = fc.string().filter((name) => name !== "__proto__");
    fc.assert(
      fc.property(fc.dictionary(key, fc.jsonValue()), key, (object, name) => {
        const members = Object.entries({ ...object, [name]: 1 }).map((pair) =>
          pair.map((part) => JSON.stringify(part)).join(":"),
        );
        const text = `{${[...members, `${JSON.stringify(name)}:2`].join(",")}}`;
        expect(duplicateFields(text)).toEqual([name]);
      }),
    );
  });
});
