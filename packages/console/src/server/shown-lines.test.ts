import { expect, test } from "vitest";
import { shownLines } from "./shown-lines.ts";

test("lines are shown as they are, as long as a page can hold them", () => {
  const lines = [{ text: "a: 1", owners: ["me"] }, { text: "b: 2" }];
  expect(shownLines(lines)).toEqual(lines);
});

test("of a line that is too long its beginning is shown, of too many lines the first, and it is said what is left out", () => {
  const lines = Array.from({ length: 6_000 }, () => ({ text: "x".repeat(3_000), owners: ["me"] }));
  const shown = shownLines(lines);
  expect(shown).toHaveLength(5_001);
  expect(shown[0]).toEqual({ text: `${"x".repeat(2_000)} … 1000 more characters`, owners: ["me"] });
  expect(shown.at(-1)).toEqual({ text: "# 1000 more lines are not shown here" });
});
