import { expect, test } from "vitest";
import { isJsonObject, jsonForm } from "./value.ts";

test("only an object that is neither null nor an array is a JSON object", () => {
  expect([{}, { a: 1 }].every((value) => isJsonObject(value))).toBe(true);
  expect([null, [], "x", 5, 5n, true, undefined].some((value) => isJsonObject(value))).toBe(false);
});

test("the JSON form of a Date is a string", () => {
  expect(jsonForm(new Date(0))).toBe("1970-01-01T00:00:00.000Z");
});

test("a key named toJSON is plain data", () => {
  const data = { toJSON: "text" };
  expect(jsonForm(data)).toBe(data);
});
