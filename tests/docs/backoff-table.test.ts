import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const HOME = "packages/core/src/async/";

function sources(pattern: string): readonly (readonly [path: string, text: string])[] {
  return globSync(pattern, { cwd: ROOT })
    .filter((path) => !/\.(?:test|fixture)\.tsx?$/u.test(path) && !path.startsWith(HOME))
    .map((path) => [path, readFileSync(join(ROOT, path), "utf8")]);
}

test("no package defines the delays of a retry outside the table", () => {
  const own = sources("packages/*/src/**/*.{ts,tsx}").filter(([, text]) =>
    /firstMs: *[\d_]+|\bRETRY(?:_MAX)?_MS = [\d_]+;/u.test(text),
  );
  expect(own.map(([path]) => path)).toEqual([]);
});
