import { expect, test } from "vitest";
import { Cursor } from "./cursor.ts";
import { quotedKey, quotedText } from "./quote.ts";

test("a string ends at the quote it began with", () => {
  expect(quotedText(new Cursor(`'say "hi"'`))).toBe('say "hi"');
  expect(quotedText(new Cursor(`"it's"`))).toBe("it's");
  expect(quotedText(new Cursor(String.raw`'it\'s'`))).toBe("it's");
});

test("a string knows the escapes of a line", () => {
  expect(quotedText(new Cursor(String.raw`"a\n\t\r\\b"`))).toBe("a\n\t\r\\b");
  expect(() => quotedText(new Cursor(String.raw`"\q"`))).toThrow(String.raw`unknown escape '\q' in a string`);
});

test("a key is divided at dots, except those behind a backslash", () => {
  expect(quotedKey(new Cursor("'a.b'"))).toEqual({ kind: "key", name: "a.b", parts: ["a", "b"] });
  expect(quotedKey(new Cursor(String.raw`'a\.b'`))).toEqual({ kind: "field", name: "a.b" });
  expect(quotedKey(new Cursor("''"))).toEqual({ kind: "field", name: "" });
});
