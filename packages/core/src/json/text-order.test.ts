import fc from "fast-check";
import { expect, test } from "vitest";
import { compareTexts } from "./index.ts";

test("texts are in the order that sorting without a rule gives them, whatever the locale", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary" })), (texts) => {
      expect(texts.toSorted(compareTexts)).toEqual(texts.toSorted());
    }),
  );
  expect([compareTexts("a", "a"), compareTexts("a", "B"), compareTexts("ä", "b")]).toEqual([0, 1, 1]);
});
