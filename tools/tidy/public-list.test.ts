import { expect, test } from "vitest";
import { manifest, reported } from "./fixture.ts";
import type { Files } from "./fixture.ts";
import { checkPublicLists, publicLists } from "./public-list.ts";

const SOURCES: Files = {
  "packages/core/package.json": manifest("@levelset/core"),
  "packages/core/src/index.ts": `export * from "./a.ts";\nexport { Foreign } from "foreign";`,
  "packages/core/src/a.ts": "export class Zebra {}\nexport interface Apple {}\nexport function mix(): void {}",
  "packages/core/src/testing/index.ts": "export const seed = 7;",
};
const LISTS: Files = {
  "docs/reference/api/core.txt": "Apple  interface\nForeign  elsewhere\nZebra  class\nmix  function\n",
  "docs/reference/api/core-testing.txt": "seed  const\n",
};

const wrong = (files: Files): readonly string[] => reported(checkPublicLists, { ...SOURCES, ...LISTS, ...files });

test("each entry has its names and their keywords, sorted", () => {
  expect(Object.fromEntries(publicLists(new Map(Object.entries(SOURCES))))).toEqual(LISTS);
  expect(wrong({})).toEqual([]);
});

test("an added, removed or changed name is reported", () => {
  expect(wrong({ "packages/core/src/testing/index.ts": "export type seed = 7;\nexport const other = 1;" })).toEqual([
    "docs/reference/api/core-testing.txt:1 lacks other  const, which the entry exports",
    "docs/reference/api/core-testing.txt:1 lacks seed  type, which the entry exports",
    "docs/reference/api/core-testing.txt:1 has seed  const, which the entry does not export",
  ]);
});

test("an unsorted list, and a list without an entry, is reported", () => {
  const text = "Foreign  elsewhere\nApple  interface\nZebra  class\nmix  function\n";
  expect(wrong({ "docs/reference/api/core.txt": text, "docs/reference/api/gone.txt": "" })).toEqual([
    "docs/reference/api/core.txt:1 is not sorted",
    "docs/reference/api/gone.txt:1 belongs to no entry of a package",
  ]);
});
