import { expect, test } from "vitest";
import { reported } from "./fixture.ts";
import { checkFolders } from "./folder.ts";

const COMMENT = "/** Names of things. Begin with `name.ts`. */\n\n";

test("the index of a folder describes the folder, and names the file to begin with", () => {
  const files = {
    "packages/core/src/index.ts": "export {};",
    "packages/core/src/a/index.ts": `${COMMENT}export {};`,
    "packages/core/src/a/name.ts": "",
    "packages/core/src/a/b/index.ts": `${COMMENT.replace("name.ts", "c/name.ts")}export {};`,
    "packages/core/src/a/b/c/name.ts": "",
    "packages/core/src/d/index.ts":
      "/**\n * Names of things, in a long sentence. Begin with\n * `name.ts`.\n */\n\nexport {};",
    "packages/core/src/d/name.ts": "",
  };
  expect(reported(checkFolders, files)).toEqual([]);
});

test.each([
  ["export {};", "does not describe its folder"],
  ["/** Names of things. */\nexport {};", "does not describe its folder"],
  [`export {};\n${COMMENT}`, "does not describe its folder"],
  [COMMENT, "names name.ts, which does not exist"],
])("a first comment %j is reported", (text, wrong) => {
  expect(reported(checkFolders, { "packages/core/src/a/index.ts": text })).toEqual([
    `packages/core/src/a/index.ts:1 ${wrong}`,
  ]);
});
