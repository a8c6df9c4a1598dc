import { expect, test } from "vitest";
import { Cursor } from "./cursor.ts";

test("a cursor moves past what it takes, eats and matches, and stays where it does not", () => {
  const cursor = new Cursor("ab  12]");
  expect(cursor.take()).toBe("a");
  expect(cursor.eat("x")).toBe(false);
  expect(cursor.eat("b")).toBe(true);
  cursor.skipBlank();
  expect(cursor.match(/[a-z]/y)).toBeUndefined();
  expect(cursor.match(/\d+/y)?.[0]).toBe("12");
  expect(cursor.sees("]")).toBe(true);
  expect(cursor.position).toBe(6);
});

test("an error says what was expected, what was found and where", () => {
  const cursor = new Cursor("a");
  expect(() => cursor.expect("b")).toThrow("JSONPath: expected 'b', found 'a', at position 0");
  cursor.take();
  expect(() => cursor.take()).toThrow("JSONPath: expected a character, found the end, at position 1");
});
