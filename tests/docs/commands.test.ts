import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../support/repository.ts";
import { blocksOf } from "./block.ts";

const HERE = "tests/docs";

async function read(path: string): Promise<string> {
  return readFile(join(ROOT, path), "utf8");
}

test("every document with commands is run by a test", async () => {
  const guide = (await readdir(join(ROOT, "docs/guide"))).map((file) => `docs/guide/${file}`);
  const tests = (await readdir(join(ROOT, HERE))).filter((file) => file.endsWith(".full.test.ts"));
  const sources = (await Promise.all(tests.map((file) => read(`${HERE}/${file}`)))).join("\n");
  const missing: string[] = [];
  for (const path of ["README.md", ...guide]) {
    const hasCommands = blocksOf(await read(path)).some(({ kind }) => kind === "console");
    if (hasCommands && !sources.includes(`"${path}"`)) missing.push(path);
  }
  expect(missing).toEqual([]);
});
