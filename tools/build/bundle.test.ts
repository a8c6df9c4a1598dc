import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { tempDirectory } from "../../tests/support/temp-directory.ts";
import { bundlePackage } from "./bundle.ts";

const exported = (path: string): object => ({ "levelset-source": `./src/${path}.ts`, default: `./dist/${path}.js` });

const FILES: Readonly<Record<string, string>> = {
  "package.json": JSON.stringify({
    type: "module",
    exports: { ".": exported("index"), "./testing": exported("testing/index") },
  }),
  "src/index.ts": `
    import { sep } from "node:path";
    import { shared } from "./shared.ts";
    /** A remark that is not needed at run time. */
    export const text: string = \`\${shared} µ😀 \${/^[äµ]$/u.test("µ")} \${sep.length}\`;
    export const later = async (): Promise<string> => (await import("./later.ts")).later;
    export function closed(log: string[]): void {
      using _ = { [Symbol.dispose]: () => void log.push("closed") };
    }`,
  "src/shared.ts": `export const shared: string = "shared";`,
  "src/later.ts": `export const later: string = "later";`,
  "src/testing/index.ts": `export { shared } from "../shared.ts";`,
  "dist/old.js": "",
  "dist/gone.d.ts": "",
  "build/index.d.ts": `export * from "./later.ts";\nexport declare const text: import("./shared.ts").Shared;\n`,
  "build/later.d.ts": "",
  "build/shared.d.ts": "",
  "build/inner.d.ts": "",
  "build/testing/index.d.ts": `export { shared } from "../shared.ts";\n`,
};

test("a package is bundled into one module per entry and per lazily loaded part, and works unchanged", async () => {
  await using directory = await tempDirectory();
  for (const [path, text] of Object.entries(FILES)) {
    const file = join(directory.path, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  const written = await bundlePackage(directory.path);
  expect(written.toSorted()).toEqual(["index.js", "later.js", "shared.js", "testing/index.js"]);
  const dist = join(directory.path, "dist");
  const files = await readdir(dist, { recursive: true });
  const declared = ["index.d.ts", "later.d.ts", "shared.d.ts", "testing/index.d.ts"];
  expect(files.filter((file) => !file.endsWith(".map")).toSorted()).toEqual(
    ["testing", ...declared, ...written].toSorted(),
  );
  const index = await readFile(join(dist, "index.js"), "utf8");
  expect(index).toMatch(/^[\0-\u007f]*$/u);
  expect(index).not.toContain("remark");
  expect(index).not.toMatch(/\busing _/u);
  expect(index).toContain(`from "node:path"`);
  const map = JSON.parse(await readFile(join(dist, "index.js.map"), "utf8")) as { readonly sourcesContent: unknown };
  expect(map.sourcesContent).toContain(FILES["src/index.ts"]);
  const module = (await import(pathToFileURL(join(dist, "index.js")).href)) as typeof Built;
  const log: string[] = [];
  module.closed(log);
  expect([module.text, await module.later(), log]).toEqual(["shared µ😀 true 1", "later", ["closed"]]);
});

/** The exports of the package above. */
declare const Built: {
  readonly text: string;
  later(): Promise<string>;
  closed(log: string[]): void;
};
