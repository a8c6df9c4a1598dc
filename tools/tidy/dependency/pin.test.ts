import { expect, test } from "vitest";
import { manifest, reported } from "../fixture.ts";
import { checkPins } from "./pin.ts";

function wrong(...versions: readonly string[]): readonly string[] {
  const devDependencies = Object.fromEntries(versions.map((version, index) => [`p${index}`, version]));
  return reported(checkPins, { "examples/a/package.json": JSON.stringify({ devDependencies }, undefined, 1) });
}

test("exact versions are accepted", () => {
  expect(wrong("1.2.3", "0.1.0-rc.1", "1.0.0+build.5", "npm:@scope/other@1.2.3")).toEqual([]);
});

test.for([
  "^1.2.3",
  "~1.2.3",
  "*",
  "",
  "1.x",
  "1.2",
  ">=1.2.3",
  "latest",
  "1.2.3 || 2.0.0",
  "file:../a",
  "workspace:*",
])("%s is reported", (version) => {
  expect(wrong("1.2.3", version)).toEqual([`examples/a/package.json:4 depends on p1 at ${JSON.stringify(version)}`]);
});

test("all installed dependencies are checked; peer dependencies may be ranges", () => {
  const json = {
    dependencies: { a: "^1.0.0" },
    devDependencies: { b: "^1.0.0" },
    optionalDependencies: { c: "^1.0.0" },
    peerDependencies: { d: "^1.0.0" },
    description: "^1.0.0",
  };
  expect(reported(checkPins, { "package.json": JSON.stringify(json) })).toHaveLength(3);
});

test("packages of the repository must have the version of this tree", () => {
  const files = (version: string): Record<string, string> => ({
    "packages/core/package.json": manifest("@levelset/core"),
    "packages/operator/package.json": manifest("@levelset/operator", { "@levelset/core": version }),
  });
  expect(reported(checkPins, files("0.1.0"))).toEqual([]);
  expect(reported(checkPins, files("0.0.9"))).toHaveLength(1);
});

test("a manifest that cannot be read is reported", () => {
  expect(reported(checkPins, { "package.json": "{" })).toEqual(["package.json:1 is not a JSON object"]);
});
