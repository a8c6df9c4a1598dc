import { expect, test } from "vitest";
import { checkDependencies } from "./dependency.ts";
import { manifest, reported } from "../fixture.ts";
import type { Files } from "../fixture.ts";

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

test("a dependency that is listed, used and justified is accepted", () => {
  expect(wrong({})).toEqual([]);
});

test("a dependency that is not imported, or only by tests, is reported", () => {
  expect(wrong({ "packages/core/src/a.ts": `import "@x/y";`, "packages/core/src/a.test.ts": `import "pg";` })).toEqual([
    "packages/core/package.json:1 lists pg, which is not imported there",
  ]);
  expect(wrong({ "tests/a.test.ts": "" })).toEqual(["package.json:1 lists zod, which is not imported there"]);
});

test("a dependency without a reason for this package is reported", () => {
  const dependencies = { "@levelset/core": "0.1.0", pg: "8.0.0", "@x/y": "1.0.0" };
  const files = { "packages/fleet/package.json": manifest("@levelset/fleet", dependencies) };
  expect(wrong({ ...files, "packages/fleet/src/a.ts": `import "pg"; import "@x/y";` })).toEqual([
    `packages/fleet/package.json:1 lists pg, for fleet, and ${ADR} does not justify it`,
    `packages/fleet/package.json:1 lists @x/y, for fleet, and ${ADR} does not justify it`,
  ]);
  expect(wrong({ [ADR]: TREE[ADR]?.replace("`zod`", "zod") ?? "" })).toEqual([
    `package.json:1 lists zod, and ${ADR} does not justify it`,
  ]);
});

test("a reason for a dependency that is not listed is reported", () => {
  expect(wrong({ [ADR]: `${TREE[ADR]}\n| \`gone\` | cli | nothing |\n` })).toEqual([
    `${ADR}:7 names gone, which packages/cli/package.json does not list`,
  ]);
});
