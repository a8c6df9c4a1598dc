import { expect, test } from "vitest";
import { Cursor } from "./cursor.ts";

test("a cursor advances past consumed text and stays otherwise", () => {
  const cursor = new Cursor("ab  12]");
  expect(cursor.take()).toBe("a");
  expect(cursor.consume("x")).toBe(false);
  expect(cursor.consume("b")).toBe(true);
  cursor.skipWhitespace();
  expect(cursor.match(/[a-z]/y)).toBeUndefined();
  expect(cursor.match(/\d+/y)?.[0]).toBe("12");
  expect(cursor.startsWith("]")).toBe(true);
  expect(cursor.position).toBe(6);
});

test("an error states what was expected, what was found and the position", () => {
  const cursor = new Cursor("a");
  expect(() => cursor.expect("b")).toThrow("JSONPath: expected 'b', found 'a', at position 0");
  cursor.take();
  expect(() => cursor.take()).toThrow("JSONPath: expected a character, found the end, at position 1");
});
