import { expect, test } from "vitest";
import { reported } from "./fixture.ts";
import { checkMachinePaths } from "./machine-paths.ts";

// Assembled from parts, so that this file does not contain such a path itself.
const path = (...parts: readonly string[]): string => `/${parts.join("/")}/`;
const host = (...parts: readonly string[]): string => parts.join(".");

test.for([
  `see ${path("root")}cache`,
  `"${path("home", "ann")}x"`,
  `cd ${path("work")}main`,
  `file://${path("Users", "ann")}x`,
  `PATH=${path("root")}bin`,
  `https://${host("registry", "npmjs", "org")}/x`,
  `GOPROXY=https://${host("proxy", "golang", "org")}`,
  `deb http://${host("deb", "debian", "org")} trixie`,
])("%s is reported, in files of any kind", (text) => {
  expect(reported(checkMachinePaths, { "docs/a.md": `\n${text}` })).toHaveLength(1);
  expect(reported(checkMachinePaths, { Dockerfile: `\n${text}` })[0]).toMatch(/^Dockerfile:2 names /);
});

test.for([
  `src${path("work")}queue.ts`,
  `https://example.test${path("work")}items`,
  "${HOME}/.cache and ~/x and /home/<user>/x",
  "/rooted/x and /workspace/x",
  host("my", "registry", "example"),
])("%s is not reported", (text) => {
  expect(reported(checkMachinePaths, { "docs/a.md": text })).toEqual([]);
});

test("a lockfile must not contain download URLs", () => {
  const resolved = (url: string): string => JSON.stringify({ resolved: url }, undefined, 1);
  expect(reported(checkMachinePaths, { "package-lock.json": resolved("https://mirror.example/a.tgz") })).toHaveLength(
    1,
  );
  expect(reported(checkMachinePaths, { "package-lock.json": resolved("packages/core") })).toEqual([]);
  expect(reported(checkMachinePaths, { "other.json": resolved("https://mirror.example/a.tgz") })).toEqual([]);
});
