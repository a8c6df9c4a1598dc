import { expect, test } from "vitest";
import { Cursor } from "./cursor.ts";
import { parseQuotedKey, parseQuotedString } from "./quote.ts";

test("a string ends at a matching quote", () => {
  expect(parseQuotedString(new Cursor(`'say "hi"'`))).toBe('say "hi"');
  expect(parseQuotedString(new Cursor(`"it's"`))).toBe("it's");
  expect(parseQuotedString(new Cursor(String.raw`'it\'s'`))).toBe("it's");
});

test("a string supports escapes", () => {
  expect(parseQuotedString(new Cursor(String.raw`"a\n\t\r\\b"`))).toBe("a\n\t\r\\b");
  expect(() => parseQuotedString(new Cursor(String.raw`"\q"`))).toThrow(String.raw`unknown escape '\q' in a string`);
});

test("a key is split at dots that are not escaped", () => {
  expect(parseQuotedKey(new Cursor("'a.b'"))).toEqual({ kind: "key", name: "a.b", parts: ["a", "b"] });
  expect(parseQuotedKey(new Cursor(String.raw`'a\.b'`))).toEqual({ kind: "field", name: "a.b" });
  expect(parseQuotedKey(new Cursor("''"))).toEqual({ kind: "field", name: "" });
});
