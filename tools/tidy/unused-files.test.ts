import { expect, test } from "vitest";
import { manifest, reported } from "./fixture.ts";
import { checkUnusedFiles } from "./unused-files.ts";

const CORE = {
  "packages/core/package.json": manifest("@levelset/core"),
  "packages/core/src/index.ts": 'export * from "./a/index.ts";',
  "packages/core/src/a/index.ts": 'export { b } from "./b.ts";',
  "packages/core/src/a/b.ts": "export const b = 1;",
  "packages/core/src/testing/index.ts": "",
};

test("files that are reached from entries, tests, commands or pages are accepted", () => {
  const files = {
    ...CORE,
    "packages/core/src/a/helper.ts": "",
    "packages/core/src/a/b.test.ts": 'import "./helper.ts";',
    "packages/core/src/a/types.d.ts": "",
    "packages/core/vite.config.ts": "",
    "packages/cli/package.json": JSON.stringify({ name: "levelset", bin: { levelset: "bin/levelset.cjs" } }),
    "packages/cli/bin/levelset.cjs": "",
    "packages/cli/src/main.ts": 'await import("./command.ts"); fork(new URL("child.ts", import.meta.url));',
    "packages/cli/src/command.ts": "",
    "packages/cli/src/child.ts": "",
    "packages/console/index.html": '<script type="module" src="/src/web/main.tsx"></script>',
    "packages/console/src/web/main.tsx": "",
  };
  expect(reported(checkUnusedFiles, files)).toEqual([]);
});

test("other files of packages are reported, even if they import each other or a comment names them", () => {
  const files = {
    ...CORE,
    "packages/core/src/a/index.ts": '// export * from "./dead.ts";\nexport { b } from "./b.ts";',
    "packages/core/src/a/dead.ts": 'import "./deader.ts";',
    "packages/core/src/a/deader.ts": 'import "./dead.ts";',
    "tools/free.ts": "",
  };
  expect(reported(checkUnusedFiles, files)).toEqual([
    "packages/core/src/a/dead.ts:1 no public entry, command or test reaches this file",
    "packages/core/src/a/deader.ts:1 no public entry, command or test reaches this file",
  ]);
});

test("an entry without a file is reported", () => {
  const { "packages/core/src/testing/index.ts": _testing, ...files } = CORE;
  expect(reported(checkUnusedFiles, files)).toEqual([
    "packages/core/package.json:1 the entry @levelset/core/testing names packages/core/src/testing/index.ts, which does not exist",
  ]);
});
