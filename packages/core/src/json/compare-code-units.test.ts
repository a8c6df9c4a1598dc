import fc from "fast-check";
import { expect, test } from "vitest";
import { compareCodeUnits } from "./index.ts";

test("strings are ordered like the default sort, independent of the locale", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary" })), (texts) => {
      expect(texts.toSorted(compareCodeUnits)).toEqual(texts.toSorted());
    }),
  );
  expect([compareCodeUnits("a", "a"), compareCodeUnits("a", "B"), compareCodeUnits("ä", "b")]).toEqual([0, 1, 1]);
});
