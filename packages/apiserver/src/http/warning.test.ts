import { expect, test } from "vitest";
import { warningHeaders } from "./warning.ts";

test("a warning is quoted, said once, and left out where a header cannot carry it", () => {
  expect(warningHeaders(['unknown field "a\\b"', 'unknown field "a\\b"', "two\nlines"])).toEqual([
    String.raw`299 - "unknown field \"a\\b\""`,
  ]);
});

test("characters beyond ASCII travel as the bytes of UTF-8", () => {
  const [header = ""] = warningHeaders(["naïve ☃"]);
  expect(Buffer.from(header, "latin1").toString("utf8")).toBe('299 - "naïve ☃"');
  expect(new Headers({ warning: header }).get("warning")).toBe(header);
});

test("many or long warnings are cut, so that headers stay small", () => {
  const headers = warningHeaders(Array.from({ length: 100 }, (_, index) => `${index}${"x".repeat(1000)}`));
  expect(headers).toHaveLength(16);
  expect(headers.every((header) => header.length === 256 + '299 - ""'.length)).toBe(true);
});
