import { describe, expect, test } from "vitest";
import { matchLines } from "./match.ts";

const agrees = (shown: string, seen: string, whole = true): boolean =>
  matchLines(shown.split("\n"), seen.split("\n"), { whole }).kind === "agrees";

describe("what a document shows agrees with what is seen", () => {
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
  ])("%j and %j", (shown, seen) => {
    expect(agrees(shown, seen)).toBe(true);
  });
});

describe("what a document shows differs from what is seen", () => {
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
  ])("%j and %j", (shown, seen) => {
    expect(agrees(shown, seen)).toBe(false);
  });

  test("the answer has the first line that is not there", () => {
    expect(matchLines(["a", "…", "x", "y"], ["a", "b", "x", "z"], { whole: true })).toEqual({
      kind: "differs",
      shown: "y",
    });
  });
});

test("of what goes on, only as much is used up as is shown", () => {
  expect(matchLines(["…", "b"], ["a", "b", "c", "b"], { whole: false })).toEqual({ kind: "agrees", lines: 2 });
  expect(agrees("a", "a\nb", false)).toBe(true);
});
