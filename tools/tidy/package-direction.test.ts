import { describe, expect, test } from "vitest";
import { checkPackageDirection } from "./package-direction.ts";
import { manifest, reported } from "./fixture.ts";

const OURS = { "@levelset/core": "0.1.0", "@levelset/operator": "0.1.0", "@levelset/fleet": "0.1.0" };
const MANIFESTS = {
  "packages/core/package.json": manifest("@levelset/core"),
  "packages/operator/package.json": manifest("@levelset/operator", { ...OURS, undici: "8.0.0" }),
  "packages/apiserver/package.json": manifest("@levelset/apiserver", OURS),
  "packages/console/package.json": manifest("@levelset/console", OURS),
  "packages/cli/package.json": manifest("levelset", { ...OURS, "@levelset/console": "0.1.0" }),
};

function wrong(path: string, ...specifiers: readonly string[]): readonly string[] {
  const text = specifiers.map((specifier) => `import ${JSON.stringify(specifier)};\n`).join("");
  return reported(checkPackageDirection, { ...MANIFESTS, [path]: text }).map((line) => line.slice(path.length + 1));
}

describe("between packages", () => {
  test("a package may import lower packages, its own files by relative path, and its listed dependencies", () => {
    expect(wrong("packages/operator/src/a/b.ts", "@levelset/core", "../c/index.ts", "undici", "node:fs")).toEqual([]);
    expect(
      wrong("packages/cli/src/main.ts", "@levelset/operator", "@levelset/fleet", "@levelset/fleet/client"),
    ).toEqual([]);
  });

  test("a package must not import packages of its own or a higher level", () => {
    expect(wrong("packages/operator/src/a.ts", "@levelset/core", "@levelset/fleet", "levelset")).toEqual([
      "2 imports @levelset/fleet, which @levelset/operator must not import",
      "3 imports levelset, which @levelset/operator must not import",
    ]);
    expect(wrong("packages/apiserver/src/a.ts", "@levelset/operator")).toEqual([
      "1 imports @levelset/operator, which @levelset/apiserver must not import",
    ]);
    expect(wrong("packages/core/src/a.ts", "@levelset/operator")).toHaveLength(1);
    expect(wrong("packages/console/src/a.ts", "@levelset/apiserver")).toHaveLength(1);
  });

  test("console may import only the client of fleet", () => {
    expect(wrong("packages/console/src/a.ts", "@levelset/fleet/client", "@levelset/fleet")).toEqual([
      "2 imports @levelset/fleet, which @levelset/console must not import",
    ]);
  });

  test("type imports and re-exports are checked", () => {
    const text = 'import type { A } from "levelset";\nexport * from "levelset";\ntype B = import("levelset").B;\n';
    expect(reported(checkPackageDirection, { ...MANIFESTS, "packages/core/src/a.ts": text })).toHaveLength(3);
  });

  test("a relative import must not leave its package", () => {
    const outside = ["../../core/src/index.ts", "../../../tools/x.ts", "/etc/x.ts", "../index.ts"];
    expect(wrong("packages/operator/src/a.ts", ...outside)).toEqual([
      "1 imports ../../core/src/index.ts, which is outside of packages/operator/",
      "2 imports ../../../tools/x.ts, which is outside of packages/operator/",
      "3 imports /etc/x.ts, which is outside of packages/operator/",
    ]);
  });

  test("only public entries are imported", () => {
    expect(wrong("packages/operator/src/a.ts", "@levelset/core/src/json/index.ts")).toEqual([
      "1 imports @levelset/core/src/json/index.ts, which is not a public entry",
    ]);
  });

  test("examples, tests, bench and tools may import anything", () => {
    expect(wrong("tests/a.ts", "../packages/core/src/index.ts", "levelset", "left-pad")).toEqual([]);
  });
});

describe("the dependencies of a package", () => {
  test("an import of a package that is not listed is reported", () => {
    const files = {
      "packages/operator/package.json": manifest("@levelset/operator"),
      "packages/operator/src/a.ts": 'import "@levelset/core";\nimport "@scope/b/c";\n',
    };
    expect(reported(checkPackageDirection, files)).toEqual([
      "packages/operator/src/a.ts:1 imports @levelset/core, which packages/operator/package.json does not list",
      "packages/operator/src/a.ts:2 imports @scope/b/c, which packages/operator/package.json does not list",
    ]);
  });

  test("Node modules need the node: prefix, and core must not import them, even in tests", () => {
    expect(wrong("packages/operator/src/a.ts", "fs", "node:fs")).toEqual(["1 imports fs without the node: prefix"]);
    expect(wrong("packages/core/src/a.ts", "node:fs")).toEqual(["1 imports node:fs in @levelset/core"]);
    expect(wrong("packages/core/src/a.test.ts", "node:fs")).toEqual(["1 imports node:fs in @levelset/core"]);
  });

  test("a folder of core that needs Node may import its modules, and only its tests and itself import the folder", () => {
    expect(wrong("packages/core/src/http/a.ts", "node:http", "./b.ts", "../json/index.ts")).toEqual([]);
    expect(wrong("packages/core/src/index.ts", "./http/index.ts")).toEqual([
      "1 imports ./http/index.ts, which needs Node",
    ]);
    expect(wrong("packages/operator/src/a.ts", "./http/index.ts")).toEqual([]);
  });
});

test("dependencies of bundled code may be development dependencies", () => {
  const json = JSON.stringify({ name: "@levelset/console", devDependencies: { preact: "1.0.0" } });
  const files = { "packages/console/package.json": json, "packages/console/src/web/a.tsx": `import "preact";` };
  expect(reported(checkPackageDirection, files)).toEqual([]);
  expect(reported(checkPackageDirection, { ...files, "packages/console/src/server/a.ts": `import "preact";` })).toEqual(
    ["packages/console/src/server/a.ts:1 imports preact, which packages/console/package.json does not list"],
  );
});

describe("tests in packages", () => {
  test("may import the test libraries and every public entry", () => {
    const entries = ["vitest", "fast-check", "@levelset/apiserver/testing", "@levelset/core", "@levelset/operator"];
    expect(wrong("packages/operator/src/a.test.ts", ...entries)).toEqual([]);
  });

  test("of core import only core", () => {
    expect(wrong("packages/core/src/a.test.ts", "vitest", "@levelset/core/testing", "@levelset/operator")).toEqual([
      "3 imports @levelset/operator in a test of @levelset/core",
    ]);
  });

  test("are the only importers of /testing entries and test libraries", () => {
    expect(wrong("packages/operator/src/a.ts", "@levelset/core/testing", "vitest")).toEqual([
      "1 imports @levelset/core/testing in production code",
      "2 imports vitest, which packages/operator/package.json does not list",
    ]);
  });

  test("except for the testing entry of apiserver, which imports that of core", () => {
    expect(wrong("packages/apiserver/src/testing/a.ts", "@levelset/core/testing")).toEqual([]);
    expect(wrong("packages/apiserver/src/http/a.ts", "@levelset/core/testing")).toHaveLength(1);
  });
});

describe("the table", () => {
  test("a package that is not in it is reported", () => {
    expect(reported(checkPackageDirection, { "packages/extra/package.json": manifest("extra") })).toEqual([
      "packages/extra/package.json:1 packages/extra is not in the table",
    ]);
  });

  test("a package with another name is reported", () => {
    expect(reported(checkPackageDirection, { "packages/core/package.json": manifest("core") })).toEqual([
      "packages/core/package.json:1 is named core",
    ]);
  });
});

test("comments and strings are not imports", () => {
  const text = '// import "levelset";\nconst a = \'import "levelset";\';\n';
  expect(reported(checkPackageDirection, { ...MANIFESTS, "packages/core/src/a.ts": text })).toEqual([]);
});
