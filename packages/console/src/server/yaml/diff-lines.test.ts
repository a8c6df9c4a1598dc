import fc from "fast-check";
import { expect, test } from "vitest";
import { diffLines, diffTexts } from "./diff-lines.ts";

const texts = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 12 });

test("both texts have the same lines after removed and added lines are left out", () => {
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const lines = diffTexts(before, after);
      const without = (all: readonly string[], sign: "-" | "+"): readonly string[] => {
        const rest = [...all];
        for (const line of lines) if (line.sign === sign) rest.splice(rest.indexOf(line.text), 1);
        return rest.toSorted();
      };
      expect(without(before, "-")).toEqual(without(after, "+"));
    }),
  );
});

test("only lines near a change are shown", () => {
  const before = Array.from({ length: 20 }, (_, index) => `line ${index}`);
  const after = before.with(10, "changed");
  expect(diffTexts(before, after).map(({ sign, text }) => `${sign}${text}`)).toEqual([
    "@",
    " line 7",
    " line 8",
    " line 9",
    "-line 10",
    "+changed",
    " line 11",
    " line 12",
    " line 13",
  ]);
});

test("the diff of long texts without common lines is fast and truncated", () => {
  const data = (word: string): { readonly data: { readonly text: string } } => ({
    data: { text: Array.from({ length: 50_000 }, (_, index) => `${word} ${index}`).join("\n") },
  });
  const lines = diffLines(data("a"), data("b"));
  expect(lines).toHaveLength(2_001);
  expect(lines.at(-1)).toEqual({ sign: "@", text: " 98004 more lines are not shown here" });
});
