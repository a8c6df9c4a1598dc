import { expect, test } from "vitest";
import { formatStyled } from "./styled-text.ts";

test("text has colours only if the terminal supports them", () => {
  expect(formatStyled({ text: "x", style: "bad" }, false)).toBe("x");
  expect(formatStyled({ text: "x", style: "bad" }, true)).toBe("\u001B[31mx\u001B[39m");
  expect(formatStyled({ text: "x", style: "plain" }, true)).toBe("x");
});
