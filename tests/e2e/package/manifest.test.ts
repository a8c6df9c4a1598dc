import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { PACKAGES } from "../../../tools/tidy/layers.ts";
import { ROOT } from "../../support/repository.ts";

interface Manifest {
  readonly [field: string]: unknown;
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly exports: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

function manifestIn(directory: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, directory, "package.json"), "utf8")) as Manifest;
}

const { version } = manifestIn(".");
const { engines } = manifestIn("packages/core");
/** The fields of every package.json, in order. Some are optional, such as `bin`. */
const FIELDS = [
  "name",
  "version",
  "description",
  "license",
  "bin",
  "files",
  "type",
  "sideEffects",
  "exports",
  "scripts",
  "dependencies",
  "devDependencies",
  "peerDependencies",
  "peerDependenciesMeta",
  "engines",
];

describe.for(PACKAGES.map(({ folder }) => [folder] as const))("packages/%s/package.json", ([folder]) => {
  const manifest = manifestIn(`packages/${folder}`);

  test("has the common fields", () => {
    expect(manifest).toMatchObject({ version, engines, license: "Apache-2.0", type: "module" });
    expect(manifest["description"]).toMatch(/^\S.{10,}$/u);
    expect(manifest["files"]).toEqual(expect.arrayContaining(["dist", "README.md", "LICENSE"]));
    // Modules with side effects are listed; a bundler may omit unused other ones.
    expect(manifest).toHaveProperty("sideEffects");
    expect(Object.keys(manifest)).toEqual(FIELDS.filter((field) => field in manifest));
  });

  test("maps each entry to its source, its declarations and its module, in the order that tools require", () => {
    for (const conditions of Object.values(manifest.exports)) {
      expect(Object.keys(conditions)).toEqual(["levelset-source", "types", "default"]);
      const [, name = ""] = /^\.\/src\/(.*)\.ts$/u.exec(conditions["levelset-source"] ?? "") ?? [];
      expect(conditions).toMatchObject({ types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` });
    }
  });

  test("contains the licence of the project", () => {
    const licence = (directory: string): string => readFileSync(join(ROOT, directory, "LICENSE"), "utf8");
    expect(licence(`packages/${folder}`)).toBe(licence("."));
  });
});

test("the launcher and a new project require the same Node version as the packages", () => {
  const [, major, minor] = /^>=(\d+)\.(\d+)\.0$/u.exec(engines.node) ?? [];
  const launcher = readFileSync(join(ROOT, "packages/cli/bin/levelset.cjs"), "utf8");
  expect(launcher).toContain(`major < ${major} || (major === ${major} && minor < ${minor})`);
  expect(launcher).toContain(`refuse("needs Node ${major}.${minor} or newer")`);
  expect(manifestIn("packages/cli/template")).toMatchObject({ engines, dependencies: { levelset: version } });
});
