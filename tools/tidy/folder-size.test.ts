import { expect, test } from "vitest";
import { reported } from "./fixture.ts";
import { checkFolderSize, FOLDER_FILES_MAX } from "./folder-size.ts";

const files = (count: number, suffix: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`src/a${index}${suffix}`, ""]));

test("a folder may have at most 25 source files", () => {
  expect(reported(checkFolderSize, files(FOLDER_FILES_MAX, ".ts"))).toEqual([]);
  expect(reported(checkFolderSize, files(FOLDER_FILES_MAX + 1, ".ts"))).toEqual([
    "src:1 has 26 source files, more than 25",
  ]);
});

test("tests, other files and subfolders do not count", () => {
  const more = { ...files(30, ".test.ts"), ...files(30, ".md"), "src/b/c.ts": "" };
  expect(reported(checkFolderSize, { ...files(FOLDER_FILES_MAX, ".ts"), ...more })).toEqual([]);
});
