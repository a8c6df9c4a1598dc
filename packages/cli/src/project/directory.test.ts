import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeProject } from "./directory.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "levelset-place-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** The last file cannot be written, because its directory is a file. */
const UNWRITABLE = ["package.json", "src/a.ts", "src/a.ts/b.ts"].map((path) => ({ path, text: "" }));

test("a failed write leaves no partial project behind", async () => {
  mkdirSync(join(root, "empty"));
  for (const directory of ["new", "empty"]) {
    await expect(writeProject(join(root, directory), UNWRITABLE)).rejects.toThrow(
      /^cannot write to .*(?:new|empty): /u,
    );
  }
  expect(readdirSync(root, { recursive: true })).toEqual(["empty"]);
});
