import { expect, test } from "vitest";
import { manifest, reported } from "./fixture.ts";
import { checkPublicLimits } from "./public-limits.ts";

const CORE = { "packages/core/package.json": manifest("@levelset/core") };
const constants = (count: number): string =>
  Array.from({ length: count }, (_, index) => `export const a${index} = 1;\n`).join("");

test("an entry may have as many names as its limit; the built-in kinds do not count", () => {
  const index = `export { Pod } from "./kubernetes/pod.ts";\n`;
  const files = { ...CORE, "packages/core/src/kubernetes/pod.ts": "export const Pod = 1;" };
  expect(reported(checkPublicLimits, { ...files, "packages/core/src/index.ts": index + constants(90) })).toEqual([]);
  expect(reported(checkPublicLimits, { ...files, "packages/core/src/index.ts": index + constants(91) })).toEqual([
    "packages/core/src/index.ts:1 @levelset/core has 91 names, more than 90",
  ]);
});

test("a name has the same meaning in all public entries", () => {
  const entry = (name: string): string => `export { A } from "../${name}.ts";`;
  const files = {
    ...CORE,
    "packages/core/src/index.ts": `export { A } from "./a.ts";`,
    "packages/core/src/a.ts": "export type A = 1;",
    "packages/core/src/b.ts": "export type A = 2;",
  };
  expect(reported(checkPublicLimits, { ...files, "packages/core/src/testing/index.ts": entry("a") })).toEqual([]);
  expect(reported(checkPublicLimits, { ...files, "packages/core/src/testing/index.ts": entry("b") })).toEqual([
    "packages/core/src/testing/index.ts:1 exports A of packages/core/src/b.ts, and another entry exports A of packages/core/src/a.ts",
  ]);
});

test("a public name is not exported by an internal entry", () => {
  const exports = Object.fromEntries(
    ["index", "internal"].map((name) => [
      name === "index" ? "." : `./${name}`,
      { "levelset-source": `./src/${name}.ts`, default: `./dist/${name}.js` },
    ]),
  );
  const files = {
    "packages/core/package.json": JSON.stringify({ name: "@levelset/core", version: "0.1.0", exports }),
    "packages/core/src/index.ts": `export { A } from "./a.ts";`,
    "packages/core/src/internal.ts": `export { A, B } from "./a.ts";`,
    "packages/core/src/a.ts": "export type A = 1;\nexport type B = 2;",
  };
  expect(reported(checkPublicLimits, files)).toEqual(["packages/core/src/internal.ts:1 exports A, which is public"]);
});

test("exported names are listed, and code for users imports no internal entry", () => {
  const files = {
    "packages/core/src/index.ts": `export * from "./a.ts";`,
    "examples/a.ts": `import { b } from "@levelset/core/internal";`,
    "tests/a.ts": `import { b } from "@levelset/core/internal";`,
  };
  expect(reported(checkPublicLimits, files)).toEqual([
    "packages/core/src/index.ts:1 exports everything of a module",
    "examples/a.ts:1 imports @levelset/core/internal",
  ]);
});
