import { expect, test } from "vitest";
import { warningHeaders } from "./warning.ts";

test("a warning is quoted, deduplicated, and dropped if a header cannot carry it", () => {
  expect(warningHeaders(['unknown field "a\\b"', 'unknown field "a\\b"', "two\nlines"])).toEqual([
    String.raw`299 - "unknown field \"a\\b\""`,
  ]);
});

test("non-ASCII characters are sent as UTF-8 bytes", () => {
  const [header = ""] = warningHeaders(["naïve ☃"]);
  expect(Buffer.from(header, "latin1").toString("utf8")).toBe('299 - "naïve ☃"');
  expect(new Headers({ warning: header }).get("warning")).toBe(header);
});

test("many or long warnings are truncated, so that headers stay small", () => {
  const headers = warningHeaders(Array.from({ length: 100 }, (_, index) => `${index}${"x".repeat(1000)}`));
  expect(headers).toHaveLength(16);
  expect(headers.every((header) => header.length === 256 + '299 - ""'.length)).toBe(true);
});
