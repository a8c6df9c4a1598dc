import { describe, expect, test } from "vitest";
import { matchLines } from "./match.ts";

const agrees = (expected: string, actual: string, whole = true): boolean =>
  matchLines(expected.split("\n"), actual.split("\n"), { whole }).kind === "agrees";

describe("the shown output matches the actual output", () => {
  test.each([
    ["a\nb", "a\nb\n"],
    ["a\n", "\na\n\n"],
    ["", ""],
    ["…", "anything\nat all"],
    ["…\nb", "a\na\nb"],
    ["a\n…\nc", "a\nb\nb\nc"],
    ["a\n…\nc", "a\nc"],
    ["a\n…", "a"],
    ["…\nb\n…", "b\nb"],
    ["AGE\n4s", "AGE\n1m20s"],
    ["waiting 7 s  for", "waiting 12 s  for"],
    ["https://127.0.0.1:1/x", "https://127.0.0.1:65535/x"],
    ["11:46:56.255  ok", "23:00:01.001  ok"],
    ["Pod shop-migrate-j65rs  x", "Pod shop-migrate-bqpgz  x"],
    ["pod/web-d8lmzt79c-p9csr", "pod/web-qckjd9k5c-j4v79"],
    ["NAME  READY", "NAME          READY"],
    ["token=…, more (1)", "token=abc, more (1)"],
  ])("%j and %j", (expected, actual) => {
    expect(agrees(expected, actual)).toBe(true);
  });
});

describe("the shown output differs from the actual output", () => {
  test.each([
    ["a", "b"],
    ["a", "a\nb"],
    ["a\nb", "a"],
    ["a\nc", "a\nb\nc"],
    ["…\nb", "a"],
    ["…\nb\nb", "a\nb"],
    ["a.c", "abc"],
    ["ready", "not ready"],
    ["generation 1", "generation 2"],
    ["a", "A"],
    ["job/shop-migrate", "job/shop-backup"],
  ])("%j and %j", (expected, actual) => {
    expect(agrees(expected, actual)).toBe(false);
  });

  test("the result has the first line without a match", () => {
    expect(matchLines(["a", "…", "x", "y"], ["a", "b", "x", "z"], { whole: true })).toEqual({
      kind: "differs",
      expected: "y",
    });
  });
});

test("only the shown part of continuing output is consumed", () => {
  expect(matchLines(["…", "b"], ["a", "b", "c", "b"], { whole: false })).toEqual({ kind: "agrees", lines: 2 });
  expect(agrees("a", "a\nb", false)).toBe(true);
});
