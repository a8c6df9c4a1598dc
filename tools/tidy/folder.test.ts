import { expect, test } from "vitest";
import { reported } from "./fixture.ts";
import { checkFolders } from "./folder.ts";

const said = "/** Names of things. Begin with `name.ts`. */\n\n";

test("the index of a folder says what the folder is, and where to begin", () => {
  const files = {
    "packages/core/src/index.ts": "export {};",
    "packages/core/src/a/index.ts": `${said}export {};`,
    "packages/core/src/a/name.ts": "",
    "packages/core/src/a/b/index.ts": `${said.replace("name.ts", "c/name.ts")}export {};`,
    "packages/core/src/a/b/c/name.ts": "",
  };
  expect(reported(checkFolders, files)).toEqual([]);
});

test.each([
  ["export {};", "does not say what its folder is"],
  ["/** Names of things. */\nexport {};", "does not say what its folder is"],
  [`export {};\n${said}`, "does not say what its folder is"],
  [said, "leads to name.ts, which does not exist"],
])("one that says %j is told so", (text, wrong) => {
  expect(reported(checkFolders, { "packages/core/src/a/index.ts": text })).toEqual([
    `packages/core/src/a/index.ts:1 ${wrong}`,
  ]);
});
