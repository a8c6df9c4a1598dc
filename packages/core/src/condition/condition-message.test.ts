import fc from "fast-check";
import { expect, test } from "vitest";
import { conditionMessage, MESSAGE_MAX } from "./condition-message.ts";

test("a message of the maximum length in characters is stored as it is", () => {
  for (const character of ["a", "é", "😀"]) {
    const text = character.repeat(MESSAGE_MAX);
    expect(conditionMessage(text)).toBe(text);
  }
});

test("a longer message is cut with a note of how much is missing", () => {
  const cut = conditionMessage("a".repeat(45_073));
  expect(cut.endsWith("aaa… (12,345 more characters)")).toBe(true);
  expect(conditionMessage(cut)).toBe(cut);
});

test("a cut message fits, is well-formed, and counts every character", () => {
  fc.assert(
    fc.property(fc.constantFrom("a", "é", "😀", "a😀", "\ud83d"), fc.integer({ min: 1, max: 50_000 }), (unit, more) => {
      const text = unit.repeat(MESSAGE_MAX + more);
      const cut = conditionMessage(text);
      expect(Array.from(cut).length).toBeLessThanOrEqual(MESSAGE_MAX);
      expect(cut.isWellFormed()).toBe(true);
      const [, kept = "", missing = ""] = /^(.*)… \(([\d,]+) more characters\)$/su.exec(cut) ?? [];
      expect(Array.from(kept).length + Number(missing.replaceAll(",", ""))).toBe(
        Array.from(text.toWellFormed()).length,
      );
    }),
    { numRuns: 20 },
  );
});
