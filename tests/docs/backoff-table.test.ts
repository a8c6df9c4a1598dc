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
    [
      /\bfirstMs: *\d/u,
      /\b(?:retry(?!After)|reconnect|backoff)\w*: *\d/u,
      /(?:TRY|REFUSED|RECONNECT|BACKOFF)(?:_MAX)?_MS = \d/u,
      /\b2 \*\* \(?\w*(?:attempt|tries|failure)/u,
    ].some((pattern) => pattern.test(text)),
  );
  expect(own.map(([path]) => path)).toEqual([]);
});
