import { expect, test } from "vitest";
import { checkBannedWords } from "./banned-words.ts";
import type { BannedWords } from "./banned-words.ts";
import { reported } from "./fixture.ts";

const BANNED: BannedWords = {
  limit: 0,
  words: { foo: "bar", "look-twice": "requeue" },
  phrases: { "went well": "succeeded" },
  allow: { "docs/quote.md": ["foo"] },
};

const reportedBy = (files: Readonly<Record<string, string>>, limit = 0): readonly string[] =>
  reported((tree) => checkBannedWords(tree, { ...BANNED, limit }), { "docs/quote.md": "foo", ...files });

test("a banned word is reported in prose, comments and identifiers, with its line", () => {
  expect(reportedBy({ "docs/a.md": "one\nFoo, and more\n" })).toEqual(["docs/a.md:2 uses foo"]);
  expect(reportedBy({ "a.ts": "// foo\nconst isFoo = FOO_MAX;" })).toEqual([
    "a.ts:1 uses foo",
    "a.ts:2 uses foo",
    "a.ts:2 uses foo",
  ]);
  expect(reportedBy({ "a.ts": "lookTwice(); look; twice;" })).toEqual(["a.ts:1 uses look-twice"]);
});

test("a phrase is reported across the lines of a comment", () => {
  expect(reportedBy({ "a.ts": "/**\n * It went\n * well.\n */" })).toEqual(["a.ts:2 uses went well"]);
});

test("longer words that contain a banned word are allowed", () => {
  expect(reportedBy({ "a.ts": "food; afoot; buffoon; FOOD" })).toEqual([]);
});

test("a word that is allowed in a file is not reported there", () => {
  expect(reportedBy({ "docs/quote.md": "foo" })).toEqual([]);
});

test("more uses than the limit are reported, and so is a limit above the number of uses", () => {
  expect(reportedBy({ "a.md": "foo foo" }, 2)).toEqual([]);
  expect(reportedBy({ "a.md": "foo foo" }, 1)).toHaveLength(2);
  expect(reportedBy({ "a.md": "foo" }, 2)).toEqual([
    "tools/tidy/banned-words.json:2 allows 2 banned words, and the tree has 1",
  ]);
});

test("an allowed word that a file does not use is reported, and so is a missing file", () => {
  const stale = "tools/tidy/banned-words.json:3 allows foo in docs/quote.md, which does not use it";
  const list = { "tools/tidy/banned-words.json": '{\n  "allow": {\n    "docs/quote.md": ["foo"]\n  }\n}' };
  expect(reportedBy({ ...list, "docs/quote.md": "food" })).toEqual([stale]);
  expect(reported((tree) => checkBannedWords(tree, BANNED), list)).toEqual([stale]);
  expect(reportedBy(list)).toEqual([]);
});
