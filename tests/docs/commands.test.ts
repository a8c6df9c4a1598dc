import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../support/repository.ts";
import { blocksOf } from "./block.ts";

const HERE = "tests/docs";

async function read(path: string): Promise<string> {
  return readFile(join(ROOT, path), "utf8");
}

test("every command that the README and the guide show is run: their documents are named by a test beside this one", async () => {
  const guide = (await readdir(join(ROOT, "docs/guide"))).map((file) => `docs/guide/${file}`);
  const tests = (await readdir(join(ROOT, HERE))).filter((file) => file.endsWith(".full.test.ts"));
  const named = (await Promise.all(tests.map((file) => read(`${HERE}/${file}`)))).join("\n");
  const unnamed: string[] = [];
  for (const path of ["README.md", ...guide]) {
    const hasCommands = blocksOf(await read(path)).some(({ kind }) => kind === "console");
    if (hasCommands && !named.includes(`"${path}"`)) unnamed.push(path);
  }
  expect(unnamed).toEqual([]);
});
