import { expect, test } from "vitest";
import { labelTokens } from "./label-token.ts";

test("symbols need no blanks around them and the longest wins", () => {
  const texts = labelTokens("a==b,!c\td!=\n(e)>=f").map((token) => token.text);
  expect(texts).toEqual(["a", "==", "b", ",", "!", "c", "d", "!=", "(", "e", ")", ">", "=", "f", ""]);
});

test("tokens know their position", () => {
  expect(labelTokens(" a in (b)")).toEqual([
    { kind: "word", text: "a", position: 1 },
    { kind: "word", text: "in", position: 3 },
    { kind: "symbol", text: "(", position: 6 },
    { kind: "word", text: "b", position: 7 },
    { kind: "symbol", text: ")", position: 8 },
    { kind: "end", text: "", position: 9 },
  ]);
});
