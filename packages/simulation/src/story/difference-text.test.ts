import { expect, test } from "vitest";
import { differenceLines } from "./difference-text.ts";

test("fields have a line for each side, below their object", () => {
  const object = "ConfigMap default/a";
  expect(
    differenceLines([
      { object, path: "data.key", expected: '"x"', actual: '"y"' },
      { object, path: "data.other", expected: undefined, actual: "1" },
    ]),
  ).toEqual(["ConfigMap default/a", '  - data.key: "x"', '  + data.key: "y"', "  + data.other: 1"]);
});

test("a missing object has its fields that are not empty, and a masked one its mask", () => {
  expect(
    differenceLines([
      {
        object: "ConfigMap default/a",
        path: "",
        expected: '{"data":{"a":"b"},"labels":{},"ready":true}',
        actual: undefined,
      },
      { object: "Secret default/a", path: "", expected: undefined, actual: "***" },
    ]),
  ).toEqual([
    "ConfigMap default/a (missing)",
    '  - data: {"a":"b"}',
    "  - ready: true",
    "Secret default/a (not expected)",
    "  + ***",
  ]);
});

test("at most twelve differences are shown", () => {
  const many = Array.from({ length: 15 }, (_, at) => ({ object: "A a", path: `f${at}`, expected: "1", actual: "2" }));
  expect(differenceLines(many).at(-1)).toBe("and 3 more");
});
