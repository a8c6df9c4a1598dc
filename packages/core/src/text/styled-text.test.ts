import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeDuration } from "./duration.ts";
import { escapeControlChars, wrap } from "./styled-text.ts";

describe("text for people", () => {
  test("is wrapped between words, loses none, and fits the width if the words do", () => {
    const texts = fc.array(
      fc.string({ minLength: 1 }).map((word) => word.replaceAll(/\s/gu, "x")),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 40 }), (words, width) => {
        const lines = wrap(words.join(" "), width);
        expect(lines.join(" ")).toBe(words.join(" "));
        expect(lines.filter((line) => line.length > width && line.includes(" "))).toEqual([]);
      }),
    );
  });

  test("from objects cannot contain control characters", () => {
    expect(escapeControlChars("a\u001B[2Jb\r\nc\u202Ed\t")).toBe("a [2Jb c d");
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(escapeControlChars(text)).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      }),
    );
  });
});

test.each([
  [-5, "0 s"],
  [41_999, "41 s"],
  [119_999, "119 s"],
  [120_000, "2 min"],
  [7_200_000, "2 h"],
  [3 * 86_400_000, "3 d"],
  [400 * 86_400_000, "400 d"],
])("%d ms are %s", (ms, words) => {
  expect(describeDuration(ms)).toBe(words);
});
