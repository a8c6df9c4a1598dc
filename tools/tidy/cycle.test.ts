import { expect, test } from "vitest";
import { checkCycles } from "./cycle.ts";
import { manifest, reported } from "./fixture.ts";

test("files that import each other are reported with the path of the cycle", () => {
  const files = {
    "tools/a.ts": '\nimport { b } from "./b.ts";\n',
    "tools/b.ts": 'export * from "./deep/c.ts";\n',
    "tools/deep/c.ts": 'import type { A } from "../a.ts";\n',
    "tools/d.ts": 'import "./a.ts";\n',
  };
  expect(reported(checkCycles, files)).toEqual([
    "tools/a.ts:2 import cycle: tools/a.ts → tools/b.ts → tools/deep/c.ts → tools/a.ts",
  ]);
});

test("a file that imports itself is a cycle", () => {
  expect(reported(checkCycles, { "a.ts": 'import "./a.ts";' })).toEqual(["a.ts:1 import cycle: a.ts → a.ts"]);
});

test("a cycle through a package's name is found", () => {
  const files = {
    "packages/core/package.json": manifest("@levelset/core"),
    "packages/core/src/index.ts": 'export * from "./a.ts";',
    "packages/core/src/a.ts": 'import "@levelset/core";',
  };
  expect(reported(checkCycles, files)).toHaveLength(1);
});

test("two cycles that share a file are both reported", () => {
  const files = {
    "a.ts": 'import "./b.ts"; import "./c.ts";',
    "b.ts": 'import "./a.ts";',
    "c.ts": 'import "./a.ts";',
  };
  expect(reported(checkCycles, files)).toEqual([
    "a.ts:1 import cycle: a.ts → b.ts → a.ts",
    "c.ts:1 import cycle: c.ts → a.ts → c.ts",
  ]);
});

test("if one import closes many cycles, a shortest one is reported", () => {
  const files = {
    "a.ts": 'import "./b.ts"; import "./c.ts"; import "./d.ts";',
    "b.ts": 'import "./d.ts";',
    "c.ts": 'import "./d.ts";',
    "d.ts": 'import "./a.ts";',
  };
  expect(reported(checkCycles, files)).toEqual(["a.ts:1 import cycle: a.ts → d.ts → a.ts"]);
});

test("a file between two cycles is part of neither", () => {
  const files = {
    "a.ts": 'import "./a.ts"; import "./b.ts";',
    "b.ts": 'import "./c.ts";',
    "c.ts": 'import "./c.ts";',
  };
  expect(reported(checkCycles, files)).toEqual([
    "a.ts:1 import cycle: a.ts → a.ts",
    "c.ts:1 import cycle: c.ts → c.ts",
  ]);
});

test("a diamond, comments, strings and files that are run in another process are not cycles", () => {
  const files = {
    "a.ts": 'import "./b.ts"; import "./c.ts";',
    "b.ts": 'import "./d.ts";',
    "c.ts": 'import "./d.ts";',
    "d.ts": '// import "./a.ts";\nconst a = \'import "./a.ts"\'; const b = `import("./a.ts")`;',
    "e.ts": 'new Worker(new URL("./f.ts", import.meta.url));',
    "f.ts": 'import "./e.ts";',
  };
  expect(reported(checkCycles, files)).toEqual([]);
});
