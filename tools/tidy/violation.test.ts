import { expect, test } from "vitest";
import { formatViolations } from "./violation.ts";

test("violations are listed in the order of the tree, one to a line", () => {
  const at = (file: string, line: number) => ({ file, line, wrong: "is wrong", instead: "do right" });
  expect(formatViolations([at("b.ts", 2), at("b.ts", 1), at("a.ts", 10)])).toBe(
    [
      "a.ts:10  is wrong  instead: do right",
      "b.ts:1  is wrong  instead: do right",
      "b.ts:2  is wrong  instead: do right",
    ].join("\n"),
  );
});
