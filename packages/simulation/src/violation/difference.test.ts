import { expect, test } from "vitest";
import { differencesOf } from "./difference.ts";

test("equal values have no differences, whatever the order of their keys", () => {
  expect(differencesOf("A a", { x: 1, y: [1, { z: true }] }, { y: [1, { z: true }], x: 1 })).toEqual([]);
});

test("a difference names the path of the deepest value", () => {
  expect(
    differencesOf(
      "A a",
      { spec: { ports: [{ name: "http", port: 80 }] } },
      { spec: { ports: [{ name: "http", port: 81 }] } },
    ),
  ).toEqual([{ object: "A a", path: "spec.ports.[http].port", expected: "80", actual: "81" }]);
});

test("a value on one side only is absent on the other", () => {
  expect(differencesOf("A a", { data: {} }, { data: { key: "x" } })).toEqual([
    { object: "A a", path: "data.key", expected: undefined, actual: '"x"' },
  ]);
  expect(differencesOf("A a", { x: 1 }, undefined)).toEqual([
    { object: "A a", path: "", expected: '{"x":1}', actual: undefined },
  ]);
});

test("null and an absent value differ", () => {
  expect(differencesOf("A a", { x: null }, {})).toHaveLength(1);
});
