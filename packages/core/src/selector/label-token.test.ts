import { expect, test } from "vitest";
import { tokenizeLabelSelector } from "./label-token.ts";

test("symbols need no whitespace around them, and the longest match wins", () => {
  const texts = tokenizeLabelSelector("a==b,!c\td!=\n(e)>=f").map((token) => token.text);
  expect(texts).toEqual(["a", "==", "b", ",", "!", "c", "d", "!=", "(", "e", ")", ">", "=", "f", ""]);
});

test("tokens know their position", () => {
  expect(tokenizeLabelSelector(" a in (b)")).toEqual([
    { kind: "word", text: "a", position: 1 },
    { kind: "word", text: "in", position: 3 },
    { kind: "symbol", text: "(", position: 6 },
    { kind: "word", text: "b", position: 7 },
    { kind: "symbol", text: ")", position: 8 },
    { kind: "end", text: "", position: 9 },
  ]);
});
