import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { PACKAGES } from "../../tools/tidy/layers.ts";
import { ROOT } from "../support/repository.ts";

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
/** What every package says, in this order; `bin` only where there is a command, and so on. */
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

  test("says what all packages say", () => {
    expect(manifest).toMatchObject({ version, engines, license: "Apache-2.0", type: "module" });
    expect(manifest["description"]).toMatch(/^\S.{10,}$/u);
    expect(manifest["files"]).toEqual(expect.arrayContaining(["dist", "README.md", "LICENSE"]));
    // What has effects when it is imported is named; a bundler may leave out the rest.
    expect(manifest).toHaveProperty("sideEffects");
    expect(Object.keys(manifest)).toEqual(FIELDS.filter((field) => field in manifest));
  });

  test("leads each entry to its source, its declarations and its module, in the order that tools take them", () => {
    for (const conditions of Object.values(manifest.exports)) {
      expect(Object.keys(conditions)).toEqual(["levelset-source", "types", "default"]);
      const [, name = ""] = /^\.\/src\/(.*)\.ts$/u.exec(conditions["levelset-source"] ?? "") ?? [];
      expect(conditions).toMatchObject({ types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` });
    }
  });

  test("has the licence of the project beside it", () => {
    const licence = (directory: string): string => readFileSync(join(ROOT, directory, "LICENSE"), "utf8");
    expect(licence(`packages/${folder}`)).toBe(licence("."));
  });
});

test("the launcher refuses what the packages refuse, and so does a new project", () => {
  const [, major, minor] = /^>=(\d+)\.(\d+)\.0$/u.exec(engines.node) ?? [];
  const launcher = readFileSync(join(ROOT, "packages/cli/bin/levelset.cjs"), "utf8");
  expect(launcher).toContain(`major < ${major} || (major === ${major} && minor < ${minor})`);
  expect(launcher).toContain(`refuse("needs Node ${major}.${minor} or newer")`);
  expect(manifestIn("packages/cli/template")).toMatchObject({ engines, dependencies: { levelset: version } });
});
