import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BACKOFF_DEFAULTS, BACKOFFS } from "@levelset/core/internal";
import { formatGoDuration } from "@levelset/core/schema";
import type { BackoffLimits } from "@levelset/core/internal";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const TABLE = "docs/reference/backoff.md";
const HOME = "packages/core/src/async/";

function sources(pattern: string): readonly (readonly [path: string, text: string])[] {
  return globSync(pattern, { cwd: ROOT })
    .filter((path) => !/\.(?:test|fixture)\.tsx?$/u.test(path) && !path.startsWith(HOME))
    .map((path) => [path, readFileSync(join(ROOT, path), "utf8")]);
}

function duration(ms: number): string {
  return ms === Number.POSITIVE_INFINITY ? "none" : formatGoDuration(BigInt(ms) * 1_000_000n);
}

/** Returns the cells of the rows of the table, without the description. */
function documented(): readonly (readonly string[])[] {
  const rows = readFileSync(join(ROOT, TABLE), "utf8").matchAll(/^\| `(\w+)` \|(.*)\|$/gmu);
  return [...rows].map(([, name = "", rest = ""]) => [
    name,
    ...rest
      .split("|")
      .slice(1)
      .map((cell) => cell.trim()),
  ]);
}

test(`${TABLE} shows every backoff with its limits and the packages that use it`, () => {
  const packages = ["operator", "apiserver", "fleet", "console"].map(
    (name) => [name, sources(`packages/${name}/src/**/*.{ts,tsx}`)] as const,
  );
  const actual = Object.entries<BackoffLimits>(BACKOFFS).map(([name, limits]) => {
    const { firstMs, maxMs, factor, jitter } = { ...BACKOFF_DEFAULTS, ...limits };
    const users = packages.filter(([, files]) => files.some(([, text]) => text.includes(`BACKOFFS.${name}`)));
    const used = users.map(([user]) => user).join(", ");
    return [name, duration(firstMs), String(factor), duration(maxMs), String(jitter), used];
  });
  expect(documented()).toEqual(actual);
});

test("no package defines the delays of a retry outside the table", () => {
  const own = sources("packages/*/src/**/*.{ts,tsx}").filter(([, text]) =>
    /firstMs: *[\d_]+|\bRETRY(?:_MAX)?_MS = [\d_]+;/u.test(text),
  );
  expect(own.map(([path]) => path)).toEqual([]);
});
