import { expect, test } from "vitest";
import { formatViolations } from "./violation.ts";

test("violations are sorted by file and line, one per line", () => {
  const at = (file: string, line: number) => ({ file, line, message: "is wrong", fix: "do right" });
  expect(formatViolations([at("b.ts", 2), at("b.ts", 1), at("a.ts", 10)])).toBe(
    ["a.ts:10  is wrong  fix: do right", "b.ts:1  is wrong  fix: do right", "b.ts:2  is wrong  fix: do right"].join(
      "\n",
    ),
  );
});
