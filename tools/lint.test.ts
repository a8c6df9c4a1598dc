import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const directory = mkdtempSync(join(tmpdir(), "levelset-lint-"));
afterAll(() => rmSync(directory, { recursive: true }));

const calls = (count: number): string => "f();\n".repeat(count);

/** Lints files with the rules of the repository. Returns `file rule` for each error. */
function lint(files: Readonly<Record<string, string>>): readonly string[] {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  const args = ["-c", join(root, ".oxlintrc.json"), "--format", "json", "."];
  const { stdout } = spawnSync(join(root, "node_modules/.bin/oxlint"), args, { cwd: directory, encoding: "utf8" });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { filename: string; code: string }[] };
  return diagnostics.map(({ filename, code }) => `${filename} ${code}`).toSorted();
}

test("the linter refuses long files, long functions outside of tests, and import cycles of types", () => {
  const long = `export function a(): void {\n${calls(69)}}\n`;
  const errors = lint({
    "long-file.ts": `export const a = 1;\n${calls(400)}`,
    "file.ts": `export const a = 1;\n${calls(399)}`,
    "long-function.ts": long,
    "long-function.test.ts": long,
    "function.ts": long.replace("f();\n", ""),
    "cycle-a.ts": 'import type { B } from "./cycle-b.ts";\n\nexport type A = B | undefined;\n',
    "cycle-b.ts": 'import type { A } from "./cycle-a.ts";\n\nexport type B = A | undefined;\n',
  });
  expect(errors).toEqual([
    "cycle-a.ts import(no-cycle)",
    "cycle-b.ts import(no-cycle)",
    "long-file.ts eslint(max-lines)",
    "long-function.ts eslint(max-lines-per-function)",
  ]);
});
