import { describe, expect, test } from "vitest";
import { checkDocComments } from "./doc-comment.ts";
import { manifest, reported } from "../fixture.ts";

function wrong(files: Readonly<Record<string, string>>): readonly string[] {
  const sources = Object.entries(files).map(([path, text]) => [`packages/core/src/${path}`, text]);
  const tree = { "packages/core/package.json": manifest("@levelset/core"), ...Object.fromEntries(sources) };
  return reported(checkDocComments, tree).map((line) => line.replace("packages/core/src/", ""));
}

describe("declarations", () => {
  const declarations = [
    "export function a(): void {}",
    "export async function a(): Promise<void> {}",
    "export abstract class a {}",
    "export interface a {}",
    "export type a = { b: string };",
    "export const a: number = 1;",
    "export const { a } = b;",
    "function a() {}\nexport { a };",
    "const b = 1;\nexport { b as a };",
    "export default class a {}",
  ];

  test.for(declarations)("%s is reported without a doc comment", (text) => {
    expect(wrong({ "index.ts": text })[0]).toMatch(
      /^index\.ts:1 (?:a|default) is public \(@levelset\/core\) and has no doc/,
    );
  });

  test.for(declarations)("%s is accepted with a doc comment", (text) => {
    expect(wrong({ "index.ts": `/** Says what it is. */\n${text}` })).toEqual([]);
  });

  test("the first of several overloads needs the comment", () => {
    const overloads =
      "export function a(b: string): { c: string };\n/** Late. */\nexport function a(b: number): void {}\n";
    expect(wrong({ "index.ts": `/** Says. */\n${overloads}` })).toEqual([]);
    expect(wrong({ "index.ts": overloads })).toHaveLength(1);
  });

  test("comments of other kinds, of other declarations, and in strings do not count", () => {
    const text = '/** Says. */\nexport const a = 1;\n// b\nexport const b = "/** */";\n/* c */\nexport const c = 1;\n';
    expect(wrong({ "index.ts": text })).toEqual([
      "index.ts:4 b is public (@levelset/core) and has no doc comment",
      "index.ts:6 c is public (@levelset/core) and has no doc comment",
    ]);
  });

  test("declarations that are not exported need no comment", () => {
    expect(wrong({ "index.ts": "const a = 1;\nfunction b() { const c = 1; }\n// export const d = 1;\n" })).toEqual([]);
  });
});

describe("from file to file", () => {
  test("names are resolved to their declaration through all re-exports", () => {
    const files = {
      "index.ts": 'export * from "./a/index.ts";\nexport type { E } from "./a/b.ts";\n',
      "a/index.ts": 'import { c } from "./b.ts";\nexport { c as d };\nexport { type F as G } from "./b.ts";\n',
      "a/b.ts": "export const c = 1;\nexport type E = 1;\nexport interface F {}\nexport const unused = 1;\n",
    };
    expect(wrong(files)).toEqual([
      "a/b.ts:1 d is public (@levelset/core) and has no doc comment",
      "a/b.ts:3 G is public (@levelset/core) and has no doc comment",
      "a/b.ts:2 E is public (@levelset/core) and has no doc comment",
    ]);
  });

  test("every entry is checked", () => {
    expect(wrong({ "testing/index.ts": "export const a = 1;" })).toEqual([
      "testing/index.ts:1 a is public (@levelset/core/testing) and has no doc comment",
    ]);
  });

  test("an unresolved name is reported; names from other packages are ignored", () => {
    const files = {
      "index.ts": 'export { a } from "./a.ts";\nexport { b } from "b";\nexport * from "c";\n',
      "a.ts": "",
    };
    expect(wrong(files)).toEqual(["index.ts:1 exports a, but its declaration was not found"]);
  });

  test("modules that re-export each other do not cause an endless loop", () => {
    expect(wrong({ "index.ts": 'export * from "./a.ts";', "a.ts": 'export * from "./index.ts";' })).toEqual([]);
  });
});

test("an entry without a file is left to another rule", () => {
  expect(wrong({})).toEqual([]);
});
