import { expect, test } from "vitest";
import { truncateLines } from "./truncate-lines.ts";

test("lines within the limits are unchanged", () => {
  const lines = [{ text: "a: 1", owners: ["me"] }, { text: "b: 2" }];
  expect(truncateLines(lines)).toEqual(lines);
});

test("long lines and long lists are truncated, with the number of omitted characters and lines", () => {
  const lines = Array.from({ length: 6_000 }, () => ({ text: "x".repeat(3_000), owners: ["me"] }));
  const shown = truncateLines(lines);
  expect(shown).toHaveLength(5_001);
  expect(shown[0]).toEqual({ text: `${"x".repeat(2_000)} … 1000 more characters`, owners: ["me"] });
  expect(shown.at(-1)).toEqual({ text: "# 1000 more lines are not shown here" });
});
