import { expect, test } from "vitest";
import { reported } from "./fixture.ts";
import { checkLayering } from "./layering.ts";
import { INNER_LAYERS, LAYERS, PACKAGES } from "./layers.ts";

function wrong(path: string, ...specifiers: readonly string[]): readonly string[] {
  const text = specifiers.map((specifier) => `import ${JSON.stringify(specifier)};\n`).join("");
  return reported(checkLayering, { [path]: text }).map((line) => line.slice(path.length + 1));
}

test("a folder may import lower folders through their index, and itself freely", () => {
  expect(wrong("packages/core/src/object/a.ts", "../patch/index.ts", "./b.ts", "./deep/c.ts")).toEqual([]);
  expect(wrong("packages/operator/src/cache/a.ts", "../client/index.ts", "../queue/index.ts")).toEqual([]);
});

test("a folder must not import higher folders", () => {
  expect(wrong("packages/core/src/json/a.ts", "../error/index.ts")).toEqual(["1 imports error from json"]);
  expect(wrong("packages/operator/src/engine/a.ts", "../manager/index.ts")).toEqual(["1 imports manager from engine"]);
});

test("folders of one layer must not import each other", () => {
  expect(wrong("packages/core/src/patch/a.ts", "../json/index.ts", "../selector/index.ts")).toEqual([
    "2 imports selector from patch",
  ]);
});

test("a folder is entered only through its index", () => {
  expect(wrong("packages/core/src/patch/a.ts", "../json/value.ts", "../json/deep/index.ts")).toEqual([
    "1 imports json/value.ts from outside of its folder",
    "2 imports json/deep/index.ts from outside of its folder",
  ]);
});

test("the index of the package may import all folders, and no folder imports it", () => {
  expect(wrong("packages/core/src/index.ts", "./json/index.ts", "./testing/index.ts")).toEqual([]);
  expect(wrong("packages/core/src/json/a.ts", "../index.ts")).toEqual(["1 imports index.ts, the top of the package"]);
});

test("in cli, commands may import all other folders, and main may import both", () => {
  expect(wrong("packages/cli/src/commands/operand/plan.ts", "../../terminal/index.ts")).toEqual([]);
  expect(wrong("packages/cli/src/main.ts", "./commands/index.ts", "./terminal/index.ts")).toEqual([]);
  expect(wrong("packages/cli/src/terminal/shell.ts", "./other.ts", "../commands/index.ts")).toEqual([
    "2 imports commands from terminal",
  ]);
});

test("a folder that is not in the table is reported once, as are files outside of folders", () => {
  const files = {
    "packages/core/src/extra/a.ts": "",
    "packages/core/src/extra/b.ts": "",
    "packages/core/src/loose.ts": "",
    "packages/other/src/a/b.ts": "",
  };
  expect(reported(checkLayering, files)).toEqual([
    "packages/core/src/extra/a.ts:1 the folder extra has no layer",
    "packages/core/src/loose.ts:1 loose.ts is directly in src",
    "packages/other/src/a/b.ts:1 packages/other has no layers",
  ]);
});

test("inside a folder with inner layers, a subfolder imports files of lower subfolders directly", () => {
  expect(wrong("packages/operator/src/operand/apply/a.ts", "../spec/b.ts", "../prune/c.ts", "./d.ts")).toEqual([]);
  expect(wrong("packages/operator/src/operand/operators.ts", "./plan/a.ts", "./spec/b.ts")).toEqual([]);
  expect(
    wrong("packages/operator/src/operand/spec/a.ts", "../apply/b.ts", "../index.ts", "../../apply/index.ts"),
  ).toEqual(["1 imports apply from spec", "2 imports index.ts, the top of the folder"]);
  expect(wrong("packages/operator/src/operand/plan/a.ts", "../revision/b.ts", "../../apply/c.ts")).toEqual([
    "1 imports revision from plan",
    "2 imports apply/c.ts from outside of its folder",
  ]);
});

test("a subfolder that is not in the inner layers is reported, as are files beside the subfolders", () => {
  const files = { "packages/operator/src/operand/extra/a.ts": "", "packages/operator/src/operand/loose.ts": "" };
  expect(reported(checkLayering, files)).toEqual([
    "packages/operator/src/operand/extra/a.ts:1 the folder extra has no layer",
    "packages/operator/src/operand/loose.ts:1 loose.ts is directly in operand",
  ]);
});

test("tests, comments and strings are exempt", () => {
  expect(wrong("packages/core/src/json/a.test.ts", "../error/errors.ts")).toEqual([]);
  const text = '// import "../error/index.ts";\nconst a = \'import "../error/index.ts"\';\n';
  expect(reported(checkLayering, { "packages/core/src/json/a.ts": text })).toEqual([]);
});

test("every package has layers, and no folder is in two of them", () => {
  expect(Object.keys(LAYERS).toSorted()).toEqual(PACKAGES.map(({ folder }) => folder).toSorted());
  const rules = [...Object.values(LAYERS), ...Object.values(INNER_LAYERS)];
  for (const { layers } of rules) expect(new Set(layers.flat()).size).toBe(layers.flat().length);
});
