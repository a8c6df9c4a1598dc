import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runCommand } from "../terminal/shell.fixture.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "levelset-init-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const init = (...args: readonly string[]): Promise<string> => runCommand(root, "init", "--published", ...args);
const read = (...path: readonly string[]): string => readFileSync(join(root, ...path), "utf8");

/** All files below a directory. */
function filesIn(...path: readonly string[]): readonly string[] {
  const entries = readdirSync(join(root, ...path), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .toSorted();
}

const SHOP_FILES = [
  ".gitignore",
  "README.md",
  "package.json",
  "sample.yaml",
  "shop-operator.test.ts",
  "shop-operator.ts",
  "tsconfig.json",
];

describe("levelset init", () => {
  test("creates a project in a directory of its name, and prints the next commands", async () => {
    const output = await init("shop-operator", "--group", "shops.acme.dev");
    expect(output).toMatch(/Next:\n {2}cd shop-operator && npm install\n {2}npm test\n {2}npm run dev\n$/u);
    expect(filesIn("shop-operator")).toEqual(SHOP_FILES);
    expect(readdirSync(root)).toEqual(["shop-operator"]);
    expect(JSON.parse(read("shop-operator", "package.json"))).toMatchObject({ name: "shop-operator", private: true });
    expect(read("shop-operator", "sample.yaml")).toContain("apiVersion: shops.acme.dev/v1alpha1\nkind: Shop\n");
    expect(read("shop-operator", "src", "shop-operator.ts")).toContain("export const Shop = kind({");
  });

  test("replaces all names of the template, also by names that contain them", async () => {
    await init("my-operator-widget-operator", "--kind", "WidgetWidget", "--group", "my.example.com.acme.dev");
    const directory = "my-operator-widget-operator";
    expect(read(directory, "src", `${directory}.ts`)).toContain("operator(WidgetWidget, [");
    expect(read(directory, "sample.yaml")).toContain("my.example.com.acme.dev/v1alpha1\nkind: WidgetWidget\n");
    await init("plain", "--group", "acme.dev");
    for (const file of ["README.md", "package.json", "sample.yaml", "src/plain.ts", "src/plain.test.ts"]) {
      expect(read("plain", file)).not.toMatch(/my-operator|widget|example\.com/iu);
    }
  });

  test.each([
    ["shop", "Shop"],
    ["shop-operator", "Shop"],
    ["corner-shop-2", "CornerShop2"],
    ["operator", "Operator"],
  ])("%s has the kind %s", async (name, kind) => {
    await init(name);
    expect(read(name, "sample.yaml")).toContain(`kind: ${kind}\n`);
  });

  test("accepts an empty directory, also the current one, and one with only .git", async () => {
    expect(await init("shop-operator", "--dir", ".")).toContain("Next:\n  npm install\n");
    expect(filesIn()).toEqual(SHOP_FILES);
    mkdirSync(join(root, "clone", ".git"), { recursive: true });
    await init("shop-operator", "--dir", "clone");
    expect(readdirSync(join(root, "clone"))).toContain(".git");
    await init("shop-operator", "--dir", join("a", "new", "place"));
    expect(filesIn("a", "new", "place")).toEqual(SHOP_FILES);
  });

  test.each([
    [["Shop"], "'Shop' is invalid for argument 'name'. write lower-case letters, digits and dashes"],
    [["shop/x"], "'shop/x' is invalid"],
    [["x".repeat(51)], "at most 50"],
    [["levelset"], "levelset is the name of a package that every project needs"],
    [["3d"], `"3d" is not a valid kind: use a name like Widget`],
    [["shop", "--kind", "shop"], `"shop" is not a valid kind`],
    [["shop", "--kind", "ConfigMap"], "--kind ConfigMap: the code of the project uses the built-in kind"],
    [["shop", "--group", "acme"], `"acme" is not a valid group: use a name like example.com`],
    [["shop", "--group", "apps.k8s.io"], "--group apps.k8s.io: groups under k8s.io and kubernetes.io belong to"],
    [["shop", "--dir", "file"], "ENOTDIR: not a directory"],
    [["shop", "--dir", "file/below"], "ENOTDIR: not a directory"],
    [["shop", "--dir", "full"], "full is not empty: it has a, b, c, …"],
  ])("refuses %j and writes nothing", async (args, message) => {
    writeFileSync(join(root, "file"), "");
    mkdirSync(join(root, "full"));
    for (const name of ["a", "b", "c", "d"]) writeFileSync(join(root, "full", name), "");
    await expect(init(...args)).rejects.toThrow(message);
    expect(filesIn()).toEqual(["a", "b", "c", "d", "file"]);
  });
});
