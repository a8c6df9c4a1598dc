import { describe, expect, test } from "vitest";
import { scanImports } from "./import.ts";
import { tokenize } from "./token.ts";

function imports(program: string): readonly string[] {
  return scanImports(tokenize(program)).map(({ kind, specifier, line }) => `${line} ${kind} ${specifier}`);
}

describe("imports", () => {
  test("every form of import and export from is found", () => {
    const program = [
      'import "a";',
      'import b, { type c, d as e } from "b";',
      'import type * as f from "c";',
      'export * from "d";',
      'export type { g } from "e";',
      'export * as h from "f";',
      'const i: typeof import("g") = await import(`h`);',
      'const j = require("i");',
      'const k = new URL("./j.ts", import.meta.url);',
      'import { from } from "k" with { type: "json" };',
    ];
    expect(imports(program.join("\n"))).toEqual([
      "1 static a",
      "2 static b",
      "3 static c",
      "4 static d",
      "5 static e",
      "6 static f",
      "7 dynamic g",
      "7 dynamic h",
      "8 dynamic i",
      "9 url ./j.ts",
      "10 static k",
    ]);
  });

  test("an import over several lines has the line of its module specifier", () => {
    expect(imports('import {\n  a,\n  b,\n} from "c";')).toEqual(["4 static c"]);
  });

  test("comments, strings, members and properties are not imports", () => {
    const program = [
      '// import "a";',
      '/* export * from "b"; */',
      "const c = 'import \"d\"';",
      'const e = `import("f") ${1} require("g")`;',
      'loader.import("h");',
      'const i = { import: "j", export: "k" };',
      'export const l = "m";',
      'new URL("https://n", base);',
    ];
    expect(imports(program.join("\n"))).toEqual([]);
  });

  test("local names are mapped to the names in the module", () => {
    const [found] = scanImports(tokenize('import a, { b, type c as d, type, default as e } from "x";'));
    expect(Object.fromEntries(found?.bindings ?? [])).toEqual({
      a: "default",
      b: "b",
      d: "c",
      type: "type",
      e: "default",
    });
    const [whole] = scanImports(tokenize('import type * as all from "x";'));
    expect(Object.fromEntries(whole?.bindings ?? [])).toEqual({ all: "*" });
  });
});
