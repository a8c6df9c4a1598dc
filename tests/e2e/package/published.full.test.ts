import { existsSync } from "node:fs";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PACKAGES } from "../../../tools/tidy/layers.ts";
import { externalProjectEnv, packPackages } from "../../support/npm-pack.ts";
import { downloadOldestNode } from "../../support/oldest-node.ts";
import { runProcess, TestProcess } from "../../support/test-process.ts";
import type { ProcessResult } from "../../support/test-process.ts";
import { ROOT } from "../../support/repository.ts";
import { tempDirectory } from "../../support/temp-directory.ts";
import type { TempDirectory } from "../../support/temp-directory.ts";

const TSC = join(ROOT, "node_modules", ".bin", "tsc");
const LAUNCHER = join("node_modules", "levelset", "bin", "levelset.cjs");
const NAMES = PACKAGES.map(({ name }) => name);
/** Maximum size of a published package. */
const TARBALL_BYTES_MAX = 1_000_000;

let project: TempDirectory;
let packed: readonly string[];

function inProject(command: string, ...args: string[]): Promise<ProcessResult> {
  return runProcess(command, { args, cwd: project.path, env: externalProjectEnv() });
}

/** Returns every file of an installed package: path → text. */
async function filesOf(name: string): Promise<ReadonlyMap<string, string>> {
  const root = join(project.path, "node_modules", name);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const own = paths.filter((path) => !path.slice(root.length).includes("/node_modules/"));
  const read = own.map(async (path) => [path.slice(root.length + 1), await readFile(path, "utf8")] as const);
  return new Map(await Promise.all(read));
}

/** Returns the public entries: `@levelset/core`, `@levelset/core/testing`, … */
async function entries(): Promise<readonly string[]> {
  const found = NAMES.map(async (name) => {
    const text = await readFile(join(project.path, "node_modules", name, "package.json"), "utf8");
    const { exports } = JSON.parse(text) as { readonly exports: Readonly<Record<string, unknown>> };
    return Object.keys(exports).map((subpath) => name + subpath.slice(1));
  });
  // The entries that register matchers need a test runner.
  return (await Promise.all(found)).flat().filter((entry) => !entry.endsWith("/vitest"));
}

beforeAll(async () => {
  project = await tempDirectory();
  packed = await packPackages(project.path);
  await writeFile(join(project.path, "package.json"), JSON.stringify({ name: "newcomer", private: true }));
  const types = `@types/node@${await versionHere("@types/node")}`;
  expect(await inProject("npm", "install", "--no-audit", "--no-fund", types, ...packed)).toMatchObject({ code: 0 });
});
afterAll(() => project[Symbol.asyncDispose]());

async function versionHere(name: string): Promise<string> {
  const text = await readFile(join(ROOT, "node_modules", name, "package.json"), "utf8");
  return (JSON.parse(text) as { readonly version: string }).version;
}

describe.for(NAMES.map((name) => [name] as const))("the package %s", ([name]) => {
  test("contains its modules and no other files", async () => {
    const files = [...(await filesOf(name)).keys()];
    const made = /^(?:LICENSE|README\.md|package\.json|dist\/(?!pages).+\.(?:js|js\.map|d\.ts)|dist\/pages\/[\w.]+)$/u;
    const ofCommand = /^(?:bin\/levelset\.cjs|template\/.+)$/u;
    const others = files.filter((file) => !made.test(file));
    expect(name === "levelset" ? others.filter((file) => !ofCommand.test(file)) : others).toEqual([]);
    expect(files.filter((file) => /^dist\/.*(?:\.test|\.fixture)\./u.test(file))).toEqual([]);
    expect(files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "package.json"]));
  });

  test("has a source map with sources for each module that references one, without paths of the build machine", async () => {
    const files = await filesOf(name);
    const modules = [...files].filter(([file]) => file.endsWith(".js"));
    const named = modules.flatMap(([file, text]) => {
      const [, map] = /^\/\/# sourceMappingURL=(.*)$/mu.exec(text) ?? [];
      return map === undefined ? [] : [join(dirname(file), map)];
    });
    const maps = [...files].filter(([file]) => file.endsWith(".map"));
    expect(maps.map(([file]) => file).toSorted()).toEqual(named.toSorted());
    for (const [, text] of maps) {
      const { sources, sourcesContent } = JSON.parse(text) as Readonly<Record<string, readonly (string | null)[]>>;
      expect(sourcesContent?.filter((source) => source === null)).toEqual([]);
      expect(sources?.filter((source) => source?.startsWith("/"))).toEqual([]);
    }
    expect([...files].filter(([, text]) => text.includes(ROOT)).map(([file]) => file)).toEqual([]);
  });
});

test("no package exceeds the maximum size", async () => {
  const sizes = await Promise.all(packed.map(async (file) => [file, (await stat(file)).size] as const));
  expect(sizes.filter(([, size]) => size > TARBALL_BYTES_MAX)).toEqual([]);
});

test("the console includes the licences of its bundled packages", async () => {
  const files = await filesOf("@levelset/console");
  expect(files.get("dist/pages/licences.txt")).toContain("preact");
  expect(existsSync(join(project.path, "node_modules", "preact"))).toBe(false);
});

describe("their types", () => {
  const OPTIONS = ["--noEmit", "--strict", "--skipLibCheck", "false", "--target", "es2024"];

  async function compile(file: string, names: readonly string[], ...options: string[]): Promise<ProcessResult> {
    const lines = names.map((entry, index) => `import * as x${index} from "${entry}";\nexport { x${index} };\n`);
    await writeFile(join(project.path, file), lines.join(""));
    return inProject(TSC, ...OPTIONS, ...options, file);
  }

  const NODE = ["--types", "node"];
  test.for([
    { who: "an ES module under nodenext", file: "all.mts", options: ["--module", "nodenext", ...NODE] },
    { who: "a CommonJS module under nodenext", file: "all.cts", options: ["--module", "nodenext", ...NODE] },
    {
      who: "a bundler",
      file: "all.ts",
      options: ["--module", "esnext", "--moduleResolution", "bundler", ...NODE],
    },
  ])("resolve for $who, with full library checks", async ({ file, options }) => {
    expect(await compile(file, await entries(), ...options)).toMatchObject({ code: 0, stdout: "" });
  });

  test("do not need Node types: core, operator and the fleet client", async () => {
    const isomorphic = ["@levelset/core", "@levelset/core/testing", "@levelset/operator", "@levelset/fleet/client"];
    const options = ["--module", "esnext", "--moduleResolution", "bundler", "--types", ""];
    expect(await compile("browser.ts", isomorphic, ...options)).toMatchObject({ code: 0, stdout: "" });
  });

  test("reject an entry that does not exist", async () => {
    const wrong = await compile("wrong.mts", ["@levelset/core/gone"], "--module", "nodenext");
    expect(wrong.stdout).toContain("Cannot find module '@levelset/core/gone'");
  });
});

describe.for([["this Node"], ["the oldest that they promise"]] as const)("on %s", ([which]) => {
  let node: string;
  beforeAll(async () => {
    node = which === "this Node" ? process.execPath : await downloadOldestNode(project.path);
  });

  test("every entry can be imported and required", async () => {
    const names = await entries();
    const shape = (load: string): string =>
      `const names = [];\nfor (const entry of ${JSON.stringify(names)}) names.push(Object.keys(${load}).filter((key) => key !== "module.exports").length > 0);\nconsole.log(names.every(Boolean), names.length);\n`;
    await writeFile(join(project.path, "all.mjs"), shape("await import(entry)"));
    await writeFile(join(project.path, "all.cjs"), shape("require(entry)"));
    for (const file of ["all.mjs", "all.cjs"]) {
      expect(await inProject(node, file)).toMatchObject({ code: 0, stdout: `true ${names.length}\n` });
    }
  });

  test("a fleet runs with an embedded API server", async () => {
    const args = [LAUNCHER, "dev", "--fleet"];
    await using dev = new TestProcess(node, { args, cwd: project.path, env: externalProjectEnv() });
    await dev.untilOutput(/console +http/u);
    const levelset = (...words: string[]): Promise<ProcessResult> => inProject(node, LAUNCHER, ...words);
    expect(await levelset("create", "cluster", "eu-1")).toMatchObject({ code: 0 });
    await dev.untilOutput(/cluster\/eu-1 {2}✓ Ready/u);
    expect(await levelset("why", "cluster/eu-1")).toMatchObject({ code: 0 });
    dev.signal("SIGINT");
    expect(await dev.untilExit()).toMatchObject({ code: 0 });
  });

  test("a fleet runs alone", async () => {
    const args = [LAUNCHER, "fleet", "dev", "--memory"];
    await using dev = new TestProcess(node, { args, cwd: project.path, env: externalProjectEnv() });
    await dev.untilOutput(/Resources, as they change/u);
    dev.signal("SIGINT");
    expect(await dev.untilExit()).toMatchObject({ code: 0 });
  });
});
