import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempDirectory } from "../../tests/support/temp-directory.ts";
import { bundledPackages, licencesText } from "./licences.ts";

async function place(root: string, name: string, files: Readonly<Record<string, string>>): Promise<void> {
  const directory = join(root, "node_modules", name);
  await mkdir(directory, { recursive: true });
  const manifest = JSON.stringify({ name, version: "1.0.0", license: "MIT" });
  for (const [file, text] of Object.entries({ "package.json": manifest, ...files })) {
    await writeFile(join(directory, file), text);
  }
}

test("each bundled package is listed once, with the text of its licence", async () => {
  await using directory = await tempDirectory();
  const root = directory.path;
  await place(root, "b", { LICENSE: "Be kind.\n" });
  await place(root, "@a/c", { "LICENCE.md": "Say who wrote it." });
  const modules = [`${root}/src/x.ts`, `${root}/node_modules/b/y.js`, `${root}/node_modules/b/z.js`];
  const bundled = bundledPackages([...modules, `${root}/node_modules/@a/c/dist/d.js`]);
  expect(bundled.map(({ name, text }) => [name, text])).toEqual([
    ["@a/c", "Say who wrote it."],
    ["b", "Be kind."],
  ]);
  expect(licencesText(bundled)).toMatch(/@a\/c 1\.0\.0 \(MIT\)\n\nSay[^]*-{80}\n\nb 1\.0\.0 \(MIT\)\n\nBe kind\.\n$/u);
});

test("a package without a licence file is rejected", async () => {
  await using directory = await tempDirectory();
  await place(directory.path, "b", {});
  expect(() => bundledPackages([`${directory.path}/node_modules/b/y.js`])).toThrow("b has no file with its licence");
});
