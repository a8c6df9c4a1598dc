import { expect, test } from "vitest";
import { checkDependencies } from "./dependency.ts";
import { manifest, reported } from "./fixture.ts";
import type { Files } from "./fixture.ts";

const ADR = "docs/adr/0004-dependencies.md";
const TREE: Files = {
  "package.json": JSON.stringify({ devDependencies: { typescript: "7.0.2", zod: "4.0.0" } }),
  [ADR]:
    "| package | used by | earns |\n|---|---|---|\n| `pg`, `@x/y` | core, cli | storing |\n\nAlso `typescript`, and `zod` for tests.\n",
  "packages/core/package.json": manifest("@levelset/core", { pg: "8.0.0", "@x/y": "1.0.0" }),
  "packages/core/src/a.ts": `import "pg"; import "@x/y/z";`,
  "packages/cli/package.json": manifest("levelset", { "@levelset/core": "0.1.0", pg: "8.0.0", "@x/y": "1.0.0" }),
  "packages/cli/src/a.ts": `await import("pg"); import "@x/y";`,
  "tests/a.test.ts": `import "zod";`,
};

const wrong = (files: Files): readonly string[] => reported(checkDependencies, { ...TREE, ...files });

test("what is listed, used and has its reason is fine", () => {
  expect(wrong({})).toEqual([]);
});

test("what nothing imports is reported, also where only a test does", () => {
  expect(wrong({ "packages/core/src/a.ts": `import "@x/y";`, "packages/core/src/a.test.ts": `import "pg";` })).toEqual([
    "packages/core/package.json:1 lists pg, which nothing there imports",
  ]);
  expect(wrong({ "tests/a.test.ts": "" })).toEqual(["package.json:1 lists zod, which nothing there imports"]);
});

test("what has no reason is reported, also where it has one for another package", () => {
  const dependencies = { "@levelset/core": "0.1.0", pg: "8.0.0", "@x/y": "1.0.0" };
  const files = { "packages/fleet/package.json": manifest("@levelset/fleet", dependencies) };
  expect(wrong({ ...files, "packages/fleet/src/a.ts": `import "pg"; import "@x/y";` })).toEqual([
    `packages/fleet/package.json:1 lists pg, for fleet, and ${ADR} does not say why`,
    `packages/fleet/package.json:1 lists @x/y, for fleet, and ${ADR} does not say why`,
  ]);
  expect(wrong({ [ADR]: TREE[ADR]?.replace("`zod`", "zod") ?? "" })).toEqual([
    `package.json:1 lists zod, and ${ADR} does not say why`,
  ]);
});

test("a reason for what is not there is reported", () => {
  expect(wrong({ [ADR]: `${TREE[ADR]}\n| \`gone\` | cli | nothing |\n` })).toEqual([
    `${ADR}:7 names gone, which packages/cli/package.json does not list`,
  ]);
});
