import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { matchBrackets, stringValue, tokenize } from "./token.ts";

function texts(program: string): readonly string[] {
  return tokenize(program).map((token) => token.text);
}

describe("tokens", () => {
  test("words, numbers, strings and punctuation", () => {
    expect(texts("const a = b?.#c(1_000n, 1.5e-3, 'x', .5);")).toEqual([
      "const",
      "a",
      "=",
      "b",
      "?.",
      "#c",
      "(",
      "1_000n",
      ",",
      "1.5e-3",
      ",",
      "'x'",
      ",",
      ".5",
      ")",
      ";",
    ]);
  });

  test("comments and a first line for the shell are skipped", () => {
    expect(texts("#!/usr/bin/env node\na // b\n/* c ` */ d /** e */")).toEqual(["a", "d"]);
  });

  test("quotes, comments and backslashes in strings belong to the string", () => {
    expect(texts(`"a // b" + 'it\\'s' + "/*"`)).toEqual(['"a // b"', "+", "'it\\'s'", "+", '"/*"']);
  });

  test("a string that is not closed ends with its line", () => {
    expect(texts("<p>don't\nimport")).toEqual(["<", "p", ">", "don", "'t", "import"]);
  });

  test("the expressions of a template are tokens, its text is not", () => {
    expect(texts("`a ${b({ c: `d ${e}` })} f` / g")).toEqual([
      "`a ${",
      "b",
      "(",
      "{",
      "c",
      ":",
      "`d ${",
      "e",
      "}`",
      "}",
      ")",
      "} f`",
      "/",
      "g",
    ]);
  });

  test.for([
    ["a = /['\"`]/g;", "/['\"`]/g"],
    ["return /[/]/.test(a);", "/[/]/"],
    ["if (a) /b'/.exec(c);", "/b'/"],
    ["f(/\\/\\//)", "/\\/\\//"],
  ] as const)("%s contains a regular expression", ([program, regex]) => {
    expect(tokenize(program).find((token) => token.kind === "regex")?.text).toBe(regex);
  });

  test.for(["a / b / c", "f(a) / b / c", "a[0] / b / c", "a++ / b / c", "1 / b / c", "`a` / b / c"])(
    "%s is a division",
    (program) => {
      expect(tokenize(program).some((token) => token.kind === "regex")).toBe(false);
    },
  );

  test("a token has its line numbers", () => {
    const lines = tokenize("a\n/*\n*/ `b\n` c").map(({ text, line, endLine }) => [text, line, endLine]);
    expect(lines).toEqual([
      ["a", 1, 1],
      ["`b\n`", 3, 4],
      ["c", 4, 4],
    ]);
  });

  test("a non-empty doc comment documents the next token only", () => {
    const documented = (program: string): readonly string[] =>
      tokenize(program).flatMap((token) => (token.documented ? [token.text] : []));
    expect(documented("/** Says. */ // and more\na b; /* no */ c; /** */ d; // no\n e")).toEqual(["a"]);
  });

  test("the tokens of any text are parts of it, in order", () => {
    const special = fc.constantFrom("`", "${", "}", "/", "*", '"', "\\", "\n", "é", "𝒂", "\ud800");
    const piece = fc.oneof(fc.string({ unit: "binary-ascii" }), special);
    const isInOrder = (pieces: readonly string[]): boolean => {
      const program = pieces.join("");
      let at = 0;
      return tokenize(program).every(({ text }) => {
        const found = program.indexOf(text, at);
        at = found + text.length;
        return text !== "" && found !== -1;
      });
    };
    expect(fc.check(fc.property(fc.array(piece), isInOrder))).toMatchObject({ failed: false });
  });
});

describe("strings", () => {
  test.for([
    ['"a"', "a"],
    ["'a'", "a"],
    ["`a`", "a"],
    ["`a${b}`", undefined],
    ["a", undefined],
  ] as const)("the value of %s is %s", ([program, value]) => {
    expect(stringValue(tokenize(program)[0])).toBe(value);
  });
});

describe("brackets", () => {
  test("brackets are matched across strings that contain brackets", () => {
    expect([...matchBrackets(tokenize("f({ a: [')'] })"))]).toEqual([
      [5, 7],
      [7, 5],
      [2, 8],
      [8, 2],
      [1, 9],
      [9, 1],
    ]);
  });

  test("an unmatched bracket has no partner", () => {
    expect(matchBrackets(tokenize("( } )")).size).toBe(0);
  });
});
